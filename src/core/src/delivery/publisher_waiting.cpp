// Back-pressure: a reliable keep-all publisher that is too far ahead of a reader to which it owes everything, and one whose
// ring is full of messages that their subscriptions have not taken.
#include <algorithm>
#include <string>

#include "delivery/publisher_impl.hpp"
#include "process/process.hpp"
#include "system/fence.hpp"
#include "system/futex.hpp"
#include "tandem/heap.hpp"

namespace tandem {
namespace {

using std::chrono::steady_clock;

constexpr std::uint64_t kLeastAhead = 4;  ///< messages that a publisher may be ahead however little memory is left
constexpr std::chrono::nanoseconds kLongest = std::chrono::hours(24 * 365);  ///< so that the deadline can be computed

std::string milliseconds(std::chrono::nanoseconds time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) + " ms";
}

}  // namespace

/// Whether the next message has to wait for readers.
bool PublisherImpl::is_full() const {
  return memory_.head() - memory_.tail() >= limit_ ||
         (info_.qos.history == History::kKeepAll && !delivers() && takes_too_much());
}

/// Whether messages that are owed fill the memory of the process while its other publishers want some, too: it is three
/// quarters full, the next message would need more, and a reader is behind.
bool PublisherImpl::takes_too_much() const {
  if (memory_.has_ready()) [[likely]] {
    return false;
  }
  const HeapStatistics heap = process_.heap().statistics();
  const std::uint64_t head = memory_.head();
  return heap.in_use > heap.reserved / 4 * 3 && head - readers_.owed_floor(head) >= kLeastAhead;
}

/// How long a publish may still wait: until the deadline; where messages are delivered, until the oldest has waited for
/// max_blocking_time, so that one which takes nothing keeps others waiting once.
std::chrono::nanoseconds PublisherImpl::time_left(steady_clock::time_point deadline) const {
  if (!delivers()) {
    return deadline - steady_clock::now();
  }
  return memory_.head() == memory_.tail() ? kLongest : info_.qos.max_blocking_time - memory_.oldest_age();
}

/// False when max_blocking_time is over, or the publisher was closed.
bool PublisherImpl::wait_for_room() {
  memory_.reclaim();
  const auto begin = steady_clock::now();
  const auto deadline = begin + std::min(info_.qos.max_blocking_time, kLongest);
  auto & bell = process_.region().bells().bells[kSpaceBell].word;
  while (is_full()) {
    if (delivers() && time_left(deadline).count() <= 0) {
      drop_unread();
      continue;
    }
    if (!delivers() && memory_.head() - memory_.tail() >= limit_ && memory_.forget_oldest()) {
      continue;
    }
    const std::uint32_t rung = bell.load(std::memory_order_acquire);
    record_->waiting.store(++waiting_, fenced(std::memory_order_relaxed));
    full_fence();  // S0: the waiting flag before the cursors; pairs with S1 in Lane::take
    memory_.reclaim();
    const std::chrono::nanoseconds left = time_left(deadline);
    const bool wait = is_full() && left.count() > 0 && !is_closed();
    if (wait) {
      {
        const BiasedLock::ScopedUnlock unlock(mutex_);
        futex_wait(bell, rung, std::min<std::chrono::nanoseconds>(left, std::chrono::milliseconds(100)));
      }
      readers_.remove_dead(mutex_);
    }
    record_->waiting.store(--waiting_, std::memory_order_relaxed);
    memory_.trim(mutex_, PublisherMemory::Trim::kLeftovers);
    if (!wait && is_full() && (!delivers() || is_closed())) {
      give_up(steady_clock::now() - begin);
      return false;
    }
  }
  return true;
}

/// Says for whom it has waited.
void PublisherImpl::give_up(std::chrono::nanoseconds waited) {
  if (is_closed()) {
    return;
  }
  count(figures().timeouts);
  ReaderSet::SlowestReader slowest = readers_.slowest(memory_.head());
  std::shared_ptr<const std::string> text;
  {
    const BiasedLock::ScopedUnlock unlock(mutex_);
    const std::string who = slowest.peer == nullptr
                                ? "nobody is behind any more"
                                : "a reliable keep-all subscription of process " + std::to_string(slowest.peer->pid()) +
                                      " (" + slowest.peer->executable() + ") has not taken " +
                                      std::to_string(slowest.behind) + " messages";
    text = std::make_shared<const std::string>("topic '" + info_.topic + "': publish waited " + milliseconds(waited) +
                                               " for room, then gave up: " + who +
                                               ". Let it take faster, or end it; or use keep-last, or a longer "
                                               "max_blocking_time");
    if (timeout_limiter_.is_due()) {
      log_later(LogLevel::kError, *text);
    }
    slowest.peer.reset();
  }
  last_timeout_.swap(text);
  const BiasedLock::ScopedUnlock unlock(mutex_);
  text.reset();
}

/// At the cost of the subscription that has let the oldest message wait for so long: it loses all that waits for it.
void PublisherImpl::drop_unread() {
  count(figures().timeouts);
  const Address address = memory_.oldest_address();
  std::shared_ptr<Peer> peer = readers_.peer_of(address.subscription);
  const std::uint64_t dropped = memory_.forget_all_of(address.subscription);
  const BiasedLock::ScopedUnlock unlock(mutex_);
  if (timeout_limiter_.is_due()) {
    log_later(LogLevel::kWarning,
              "topic '" + info_.topic + "': " + std::to_string(dropped) + " messages for a subscription of " +
                  (peer == nullptr ? "a process that has left"
                                   : "process " + std::to_string(peer->pid()) + " (" + peer->executable() + ")") +
                  " were dropped to make room: it has not taken them for " + milliseconds(info_.qos.max_blocking_time) +
                  ". Let it take, or end it");
  }
  peer.reset();
}

std::string PublisherImpl::last_timeout() const {
  std::shared_ptr<const std::string> text;
  {
    const BiasedLock::UnbiasedLock lock(mutex_);
    text = last_timeout_;
  }
  return text == nullptr ? std::string{} : *text;
}

}  // namespace tandem
