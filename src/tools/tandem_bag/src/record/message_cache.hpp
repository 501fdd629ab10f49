// Serialized messages between the thread that takes them and the one that writes them to the disk.
//
// The taking thread fills a batch; when it hands the batch over, the writing thread gets it, and gives the memory back. All batches
// together hold at most `limit` bytes of messages. When that is reached, a circular cache forgets the oldest batch, and
// another one has no room.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "tandem/bag/storage.hpp"

namespace tandem::bag {

/// Messages in a row, with their bytes.
class Batch {
 public:
  explicit Batch(std::size_t capacity) : bytes_(new std::uint8_t[capacity]), capacity_(capacity) {}

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  /// With their data set.
  const std::vector<Message> & messages() const { return messages_; }
  /// Where the next message's bytes go; null if `size` bytes do not fit.
  std::uint8_t * room(std::size_t size) { return size <= capacity_ - size_ ? bytes_.get() + size_ : nullptr; }
  /// The message whose bytes were put to room(message.size).
  void add(Message message) {
    message.data = bytes_.get() + size_;
    size_ += message.size;
    messages_.push_back(message);
  }
  void clear() {
    messages_.clear();
    size_ = 0;
  }

 private:
  std::unique_ptr<std::uint8_t[]> bytes_;
  const std::size_t capacity_;
  std::size_t size_ = 0;
  std::vector<Message> messages_;
};

class MessageCache {
 public:
  /// A circular one hands nothing over before release(), and forgets what is older than `age` ns, if that is not 0.
  MessageCache(std::uint64_t limit, bool is_circular, std::int64_t age = 0)
      : limit_(limit), is_circular_(is_circular), age_(age) {}

  // The taking thread.

  /// Where a message's bytes go; null: there is no room.
  std::uint8_t * begin(std::size_t size);
  /// The message whose bytes were put there.
  void end(const Message & message) { filling_->add(message); }
  /// Lets the writing thread have what is there.
  void hand_over();
  /// Bytes that are not handed over.
  std::size_t filling() const { return filling_ ? filling_->size() : 0; }

  // The writing thread.

  /// The oldest batch; null after the timeout, and when the cache is closed and empty. Given back with recycle().
  std::unique_ptr<Batch> wait(std::chrono::milliseconds timeout);
  void recycle(std::unique_ptr<Batch> batch);

  // Any thread.

  /// Of a circular cache: hands over what it holds. \return the messages of it.
  std::size_t release();
  /// Whether a circular one has forgotten messages for want of room since the last call.
  bool take_overflow();
  /// Until what was released has been written. \return false when the time is over.
  bool wait_until_written(std::chrono::milliseconds timeout);
  /// Nothing more will be filled in.
  void close();
  bool is_closed() const;

 private:
  std::unique_ptr<Batch> make(std::size_t size);
  /// For later messages, unless there are enough. With the lock held.
  void keep_empty(std::unique_ptr<Batch> batch);

  const std::uint64_t limit_;
  const bool is_circular_;
  const std::int64_t age_;
  std::unique_ptr<Batch> filling_;  // of the taking thread alone

  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::condition_variable written_;
  std::size_t unwritten_ = 0;                // batches that were released
  std::deque<std::unique_ptr<Batch>> full_;  // handed over; of a circular cache: held
  std::deque<std::unique_ptr<Batch>> released_;
  std::vector<std::unique_ptr<Batch>> empty_;
  std::uint64_t used_ = 0;  // bytes of all batches but the empty and the released ones, as capacities
  bool has_overflowed_ = false;
  bool is_closed_ = false;
};

}  // namespace tandem::bag
