// Waiting for descriptors in the user's own thread: no thread lies between the middleware's data and the user.
//
//   P1  While somebody sleeps, the sleeper serves its descriptors; else the bus's thread does, so that queues that keep the
//       last messages do. The bus's poller watches the sleeper's, and does not while somebody sleeps.
//   P2  Who rings counts, then looks whether somebody sleeps; who sleeps says so, then compares the count. All four are
//       seq_cst: one of the two sees the other.
#pragma once

#include <mutex>

#include "tandem/kit/bell.hpp"
#include "tandem/kit/poller.hpp"

namespace tandem::transport {

class PollWaiter final : public Waiter {
 public:
  explicit PollWaiter(const char * transport) : poller_(transport) {}

  void ring() noexcept override;
  std::uint32_t count() const noexcept override { return count_.load(std::memory_order_acquire); }
  void sleep(std::uint32_t seen, std::chrono::nanoseconds timeout) noexcept override;

  Poller & poller() { return poller_; }
  /// Its descriptors are served there while nobody sleeps, until end().
  void begin(Poller & bus);
  void end();

 private:
  Poller poller_;
  Poller * bus_ = nullptr;
  std::atomic<std::uint32_t> count_{0};
  std::mutex serving_;  ///< P1: held by the bus's thread while it serves, and while a sleeper says that it will
  std::atomic<bool> is_sleeping_{false};
};

/// A poll waiter of the process's stock, whose descriptors `bus` serves while nobody sleeps. \throws Error.
WaiterLease lease_poll_waiter(const char * transport, Poller & bus);

}  // namespace tandem::transport
