// The bag that a recorder's threads write to.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "record/message_cache.hpp"
#include "tandem/bag/writer.hpp"

namespace tandem::bag {

/// Thread-safe. The first error is the last: nothing is written after it, and close() tells it.
class BagSink {
 public:
  explicit BagSink(const WriterOptions & options) : writer_(options) {}

  /// Is called within write() and split(); before other threads have this object.
  void set_split_listener(std::function<void(const std::string &, const std::string &)> listener) {
    writer_.set_split_listener(std::move(listener));
  }
  bool is_writable() const { return !has_failed_.load(std::memory_order_acquire); }
  /// Messages that were written. Does not wait for the disk.
  std::uint64_t message_count() const { return written_.load(std::memory_order_relaxed); }

  /// The number of a topic, by its name. \throws Error
  std::uint32_t number_of(const Topic & topic);
  void add_offered_qos(std::uint32_t topic, const std::vector<Qos> & all);
  void write(const Message & message);
  /// Those that are not older than a log time.
  void write(const Batch & batch, std::int64_t oldest);
  void flush();
  void split();
  void finish_file();
  /// \throws Error for the first error there was.
  void close();

 private:
  template <class Call>
  void attempt(Call call);
  void fail(const std::string & why);

  std::mutex mutex_;
  Writer writer_;                                 // under mutex_, as what follows
  std::map<std::string, std::uint32_t> numbers_;  // of topics
  std::string failure_;
  std::atomic<bool> has_failed_ = false;
  std::atomic<std::uint64_t> written_ = 0;
};

}  // namespace tandem::bag
