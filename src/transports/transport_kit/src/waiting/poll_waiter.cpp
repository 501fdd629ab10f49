#include "waiting/poll_waiter.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "tandem/kit/fork_generation.hpp"

namespace tandem::transport {
namespace {

/// Waiters that nobody uses now; never destroyed, see L1 in bell.hpp.
struct WaiterStock {
  std::mutex mutex;
  std::uint32_t generation = fork_generation();
  std::vector<PollWaiter *> waiters;
};

WaiterStock & waiter_stock() {
  static auto * const instance = new WaiterStock;
  return *instance;
}

}  // namespace

void PollWaiter::ring() noexcept {
  count_.fetch_add(1, std::memory_order_seq_cst);      // P2
  if (is_sleeping_.load(std::memory_order_seq_cst)) {  // P2
    poller_.ring();
  }
}

void PollWaiter::sleep(std::uint32_t seen, std::chrono::nanoseconds timeout) noexcept {
  {
    const std::lock_guard<std::mutex> lock(serving_);
    is_sleeping_.store(true, std::memory_order_seq_cst);  // P2
    bus_->enable(poller_.fd(), false);                    // P1
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(timeout).count();
  const bool is_rung = count_.load(std::memory_order_seq_cst) != seen;  // P2
  poller_.serve(is_rung                                 ? 0
                : timeout < std::chrono::nanoseconds(0) ? -1
                                                        : static_cast<int>(std::min<std::int64_t>(left, 1'000'000)),
                &is_sleeping_);
  bus_->enable(poller_.fd(), true);
}

void PollWaiter::begin(Poller & bus) {
  bus_ = &bus;
  bus_->watch(poller_.fd(), EPOLLIN, [this] {
    const std::lock_guard<std::mutex> lock(serving_);
    if (!is_sleeping_.load(std::memory_order_relaxed)) {
      poller_.serve(0);
    }
  });
}

void PollWaiter::end() { bus_->forget(poller_.fd()); }

WaiterLease lease_poll_waiter(const char * transport, Poller & bus) {
  PollWaiter * waiter = nullptr;
  {
    const std::lock_guard<std::mutex> lock(waiter_stock().mutex);
    if (waiter_stock().generation != fork_generation()) {  // the others are the parent's
      waiter_stock().generation = fork_generation();
      waiter_stock().waiters.clear();
    }
    if (!waiter_stock().waiters.empty()) {
      waiter = waiter_stock().waiters.back();
      waiter_stock().waiters.pop_back();
    }
  }
  if (waiter == nullptr) {
    waiter = new PollWaiter(transport);
  }
  waiter->begin(bus);
  return WaiterLease(waiter, [generation = fork_generation()](Waiter * used) {
    if (generation != fork_generation()) {
      return;
    }
    static_cast<PollWaiter *>(used)->end();
    const std::lock_guard<std::mutex> lock(waiter_stock().mutex);
    waiter_stock().waiters.push_back(static_cast<PollWaiter *>(used));
  });
}

}  // namespace tandem::transport
