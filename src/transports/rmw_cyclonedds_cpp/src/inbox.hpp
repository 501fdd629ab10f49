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

  /// `ring` is called for each message, until close() returns; `hold` when there is too much in store (true) and when
  /// there is room again (false). It returns false if that could not be told.
  void start(std::function<void()> ring, std::function<bool(bool)> hold);
  /// Nobody takes any more: nothing is kept.
  void close();

  void receive(const Gid & publisher, CdrDataPtr data) noexcept override;
  void forget(const Gid & publisher) noexcept override;

  /// The oldest; without data when there is none.
  Item take();
  bool has_data() const { return size_.load(std::memory_order_acquire) != 0; }
  /// Overwritten, or never come.
  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }
  void count_lost(std::uint64_t count) { lost_.fetch_add(count, std::memory_order_relaxed); }

 private:
  void regulate();
  void note_gap_locked(const Gid & publisher, std::uint64_t sequence);

  const std::uint32_t depth_;
  std::atomic<std::size_t> size_{0};
  std::atomic<std::uint64_t> lost_{0};
  std::mutex mutex_;
  std::deque<Item> items_;  ///< guarded by mutex_
  std::atomic<std::size_t> bytes_{0};
  bool is_closed_ = false;             ///< guarded by mutex_
  std::map<Gid, std::uint64_t> next_;  ///< guarded by mutex_: what each publisher sends next
  std::mutex ring_mutex_;
  std::function<void()> ring_;  ///< guarded by ring_mutex_
  std::mutex hold_mutex_;
  std::function<bool(bool)> hold_;  ///< guarded by hold_mutex_
  std::atomic<bool> holds_{false};  ///< written with hold_mutex_
};

}  // namespace rmw_cyclonedds
