// What a subscription has received and not yet taken, still as CDR.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>

#include "sink.hpp"

namespace rmw_cyclonedds {

/// Thread-safe.
class Inbox final : public Sink {
 public:
  struct Item {
    Gid publisher{};
    CdrDataPtr data;
    explicit operator bool() const { return data != nullptr; }
  };

  /// `depth` 0 keeps all.
  explicit Inbox(std::uint32_t depth) : depth_(depth) {}

  /// `ring` is called for each message, until stop() returns.
  void start(std::function<void()> ring);
  void stop();

  void receive(const Gid & publisher, CdrDataPtr data) noexcept override;
  void forget(const Gid & publisher) noexcept override;

  /// The oldest; without data when there is none.
  Item take();
  bool has_data() const { return size_.load(std::memory_order_acquire) != 0; }
  std::size_t size() const { return size_.load(std::memory_order_relaxed); }
  /// Overwritten, or never come.
  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }
  void count_lost(std::uint64_t count) { lost_.fetch_add(count, std::memory_order_relaxed); }

 private:
  void note_gap_locked(const Gid & publisher, std::uint64_t sequence);

  const std::uint32_t depth_;
  std::atomic<std::size_t> size_{0};
  std::atomic<std::uint64_t> lost_{0};
  std::mutex mutex_;
  std::deque<Item> items_;             ///< guarded by mutex_
  std::map<Gid, std::uint64_t> next_;  ///< guarded by mutex_: what each publisher sends next
  std::mutex ring_mutex_;
  std::function<void()> ring_;  ///< guarded by ring_mutex_
};

}  // namespace rmw_cyclonedds
