// What a reader has received and its user has not yet taken.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <mutex>

#include "tandem/kit/bus.hpp"

namespace rmw_zenoh {

/// Zenoh's callbacks share it, since they may outlast the reader. Thread-safe.
class Backlog {
 public:
  enum class Depth : std::uint8_t { kOfAll, kOfEachWriter };  ///< whose messages the history's depth counts

  Backlog(const tandem::transport::Qos & qos, Depth depth, std::function<void()> on_data);

  /// The oldest goes when there are more than the history keeps.
  void push(tandem::transport::Arrival && arrival);
  bool take(tandem::transport::Arrival & arrival);
  bool has_data() const { return size_.load(std::memory_order_acquire) != 0; }
  /// Overwritten, or never come.
  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }
  /// Forgets all, and calls nobody any more.
  void close();

 private:
  using Gid = tandem::transport::Gid;
  struct Writer {
    std::uint64_t next = 0;  ///< number of what it sends next
    std::size_t kept = 0;
  };

  void note_gap_locked(const tandem::transport::Arrival & arrival);
  tandem::transport::Arrival drop_surplus_locked(const Gid & writer);

  const tandem::transport::Qos qos_;
  const Depth depth_;
  std::atomic<std::size_t> size_{0};
  std::atomic<std::uint64_t> lost_{0};
  std::mutex mutex_;
  std::function<void()> on_data_;                    ///< guarded by mutex_; empty once closed
  std::deque<tandem::transport::Arrival> arrivals_;  ///< guarded by mutex_
  std::map<Gid, Writer> writers_;                    ///< guarded by mutex_
};

}  // namespace rmw_zenoh
