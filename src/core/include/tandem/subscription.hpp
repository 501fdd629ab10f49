// The reading end of a topic: take a message where its publisher wrote it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "tandem/status.hpp"
#include "tandem/types.hpp"

namespace tandem {

class SubscriptionImpl;
class Lane;

/// A received message, read-only, valid for as long as this object lives, whatever becomes of its publisher.
/// Move-only. A message of at most 24 bytes without parts elsewhere lies in this object: its data() moves with it.
/// Destruction gives the block back to the publisher; from any thread; no lock, no system call.
class Sample {
 public:
  Sample() = default;
  Sample(Sample && other) noexcept { *this = std::move(other); }
  Sample & operator=(Sample && other) noexcept {
    if (this != &other) {
      release();
      lane_ = other.lane_;
      publisher_ = other.publisher_;
      data_ = other.data_;
      is_addressed_ = other.is_addressed_;
      if (other.is_small()) {
        small_ = other.small_;
        data_ = small_.data();
      } else if (other.is_addressed_) {
        small_ = other.small_;
      }
      other.data_ = nullptr;
      size_ = other.size_;
      sequence_ = other.sequence_;
      source_timestamp_ = other.source_timestamp_;
      block_ = other.block_;
    }
    return *this;
  }
  ~Sample() { release(); }

  explicit operator bool() const { return data_ != nullptr; }
  const void * data() const { return data_; }
  std::size_t size() const { return size_; }
  std::uint64_t sequence() const { return sequence_; }
  /// When publish() was called, in ns of CLOCK_REALTIME.
  std::int64_t source_timestamp() const { return source_timestamp_; }
  EndpointId publisher() const { return publisher_; }
  /// On a topic with Addressing; all zero elsewhere.
  Address address() const { return is_addressed_ ? Address{{small_[0], small_[1]}, small_[2]} : Address{}; }
  void release() {
    if (data_ != nullptr && !is_small()) {
      give_back();
    }
    data_ = nullptr;
  }

 private:
  friend class Lane;
  friend class SubscriptionImpl;
  friend void * open_writable(const std::shared_ptr<const Sample> & sample, const void * part,
                              std::size_t size) noexcept;
  bool is_small() const { return data_ == small_.data(); }
  void give_back();
  Lane * lane_ = nullptr;  ///< lives for as long as it has samples; null for a private copy
  EndpointId publisher_;
  const void * data_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t sequence_ = 0;
  std::int64_t source_timestamp_ = 0;
  std::uint32_t block_ = 0;
  bool is_addressed_ = false;
  std::array<std::uint64_t, 3> small_;  ///< a small message, or the address of one with Addressing
};

/// Smaller parts of a message are better copied, in bytes.
inline constexpr std::size_t kLeastWritable = std::size_t{64} * 1024;

/// Memory for a reader that may write to what it has received: the bytes of `part`, `size` of them, which lie in the
/// message or in memory that it owns, at another address. Pages that are written become this process's own; nobody else
/// sees the change.
/// \return memory owned by the caller, given back with deallocate(); it keeps `sample` until then. nullptr when the caller
/// had better copy: the part is small or shares its pages, the message is a copy already, or too many parts are open.
/// Thread-safe. System calls: two; none when only read. A system call that writes there fails with EFAULT unless
/// the memory was written to before.
void * open_writable(const std::shared_ptr<const Sample> & sample, const void * part, std::size_t size) noexcept;

struct SubscriptionOptions {
  NodeName node;
  std::string topic;
  TypeIdentity type;
  Qos qos;
  /// As PublisherOptions::user_data.
  std::string user_data;
  /// Messages smaller than this are damaged: their publisher is dropped with a warning.
  std::size_t min_size = 0;
  /// So are messages that are not aligned to this power of two, at most kHeapAlignment.
  std::size_t alignment = 1;
  /// And messages that are not sound.
  MessageFunctions functions;
  /// Messages that may be kept beyond the next takes without costing others anything; more are copied for the keeper.
  std::uint32_t held_quota = 8;
  /// The same for all endpoints of the topic.
  Addressing addressing = Addressing::kNone;
  /// Never matches publishers of this process.
  bool ignore_own_process = false;
};

/// Thread-safe: any call from any thread; takes exclude each other by a process-local mutex.
class Subscription {
 public:
  explicit Subscription(std::shared_ptr<SubscriptionImpl> impl);
  /// Leaves the topic. Samples already taken stay valid.
  ~Subscription();
  Subscription(const Subscription &) = delete;
  Subscription & operator=(const Subscription &) = delete;

  /// The next message, or an empty sample when there is none. One that is older than its publisher's lifespan is left out,
  /// and not counted. Publishers take turns; each one's messages come in
  /// order. Steady state: no system call, no allocation, independent of the message's size.
  Sample take();

  /// Whether take() would return a message (it may still find that it was overwritten).
  bool has_data() const;

  /// Matches, misfits, which publishers live and what was lost; deadlines are not looked at here.
  Status status() const;
  /// Is called after status() has changed by what others did, from any thread, without a lock. Null: nobody.
  void set_status_listener(StatusBoard::Listener listener);

  std::size_t matched_count() const;
  /// Messages that were overwritten before they were taken.
  std::uint64_t lost() const;
  /// Messages that were copied because more were kept than the quota.
  std::uint64_t copied() const;
  const EndpointInfo & info() const;

  const std::shared_ptr<SubscriptionImpl> & impl() const { return impl_; }

 private:
  std::shared_ptr<SubscriptionImpl> impl_;
};

}  // namespace tandem
