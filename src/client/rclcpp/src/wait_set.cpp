// Waiting by hand.
#include "rclcpp/wait_set.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "rclcpp/context.hpp"

namespace rclcpp {
namespace {

template <class T>
void add(std::vector<std::shared_ptr<T>> & all, const std::shared_ptr<T> & member) {
  if (!member) throw std::invalid_argument("a null pointer was given to a wait-set");
  if (std::find(all.begin(), all.end(), member) != all.end()) {
    throw std::runtime_error("the wait-set has this subscription or timer already");
  }
  all.push_back(member);
}

template <class T>
void remove(std::vector<std::shared_ptr<T>> & all, const std::shared_ptr<T> & member) {
  const auto found = std::find(all.begin(), all.end(), member);
  if (found == all.end()) throw std::runtime_error("the wait-set does not have this subscription or timer");
  all.erase(found);
}

}  // namespace

WaitSet::WaitSet(const std::vector<SubscriptionEntry> & subscriptions,  // NOLINT: the parameters of rclcpp
                 const std::vector<std::shared_ptr<GuardCondition>> &, const std::vector<TimerBase::SharedPtr> & timers,
                 const std::vector<std::shared_ptr<ClientBase>> &, const std::vector<std::shared_ptr<ServiceBase>> &,
                 const std::vector<WaitableEntry> &, Context::SharedPtr context)
    : context_(std::move(context)) {
  if (!context_) throw std::invalid_argument("the context of a wait-set is null");
  for (const auto & entry : subscriptions) add_subscription(entry.subscription, entry.mask);
  for (const auto & timer : timers) add_timer(timer);
}

WaitSet::~WaitSet() {
  if (!transport_) return;
  context_->remove_on_shutdown_callback(shutdown_handle_);
  for (const auto & subscription : subscriptions_) transport_->detach(subscription->transport());
}

tandem::transport::WaitSet & WaitSet::transport() {
  if (!transport_) {
    transport_ = context_->transport()->create_wait_set();
    shutdown_handle_ =
        context_->add_on_shutdown_callback([weak = std::weak_ptr<tandem::transport::WaitSet>(transport_)] {
          if (const auto wait_set = weak.lock()) wait_set->wake();
        });
  }
  return *transport_;
}

void WaitSet::add_subscription(const SubscriptionBase::SharedPtr & subscription, SubscriptionWaitSetMask mask) {
  if (!mask.include_subscription) return;
  add(subscriptions_, subscription);
  transport().attach(subscription->transport());
}

void WaitSet::remove_subscription(const SubscriptionBase::SharedPtr & subscription, SubscriptionWaitSetMask mask) {
  if (!mask.include_subscription) return;
  remove(subscriptions_, subscription);
  transport().detach(subscription->transport());
}

void WaitSet::add_timer(const TimerBase::SharedPtr & timer) { add(timers_, timer); }
void WaitSet::remove_timer(const TimerBase::SharedPtr & timer) { remove(timers_, timer); }

bool WaitSet::look() {
  bool any = false;
  ready_.subscriptions.clear();
  ready_.timers.clear();
  for (const auto & subscription : subscriptions_) {
    ready_.subscriptions.push_back(subscription->transport()->has_data() ? subscription.get() : nullptr);
    any = any || ready_.subscriptions.back();
  }
  for (const auto & timer : timers_) {
    ready_.timers.push_back(timer->is_ready() ? timer.get() : nullptr);
    any = any || ready_.timers.back();
  }
  return any;
}

/// Ends waits when simulated time has made a timer due, or is switched on or off, for as long as the result is kept.
std::vector<JumpHandler::SharedPtr> WaitSet::follow_jumps() {
  std::vector<JumpHandler::SharedPtr> handlers;
  for (const auto & timer : timers_) {
    if (timer->get_clock()->get_clock_type() != RCL_ROS_TIME) continue;
    const auto after_jump = [&wait_set = transport(), timer](const rcl_time_jump_t & jump) {
      if (jump.clock_change != RCL_ROS_TIME_NO_CHANGE || timer->is_ready()) wait_set.wake();
    };
    handlers.push_back(timer->get_clock()->create_jump_callback(nullptr, after_jump, {true, {1}, {-1}}));
  }
  return handlers;
}

WaitResultKind WaitSet::wait_for(std::chrono::nanoseconds timeout) {
  using std::chrono::nanoseconds;
  if (subscriptions_.empty() && timers_.empty()) return WaitResultKind::Empty;
  // Longer than a year is "for ever", and would overflow the clock.
  constexpr nanoseconds kForEver = std::chrono::hours(24 * 365);
  const auto begin = std::chrono::steady_clock::now();
  const auto end = begin + (timeout < nanoseconds::zero() ? kForEver : std::min(timeout, kForEver));
  std::vector<JumpHandler::SharedPtr> jumps;
  bool follows_jumps = false;
  while (!look()) {
    const nanoseconds rest = end - std::chrono::steady_clock::now();
    if (rest <= nanoseconds::zero() || !context_->is_valid()) return WaitResultKind::Timeout;
    if (!std::exchange(follows_jumps, true)) {
      jumps = follow_jumps();
      continue;  // it may have jumped just before
    }
    nanoseconds longest = rest;
    for (const auto & timer : timers_) longest = std::min(longest, timer->time_to_wait());
    transport().wait(std::max(longest, nanoseconds::zero()));
  }
  return WaitResultKind::Ready;
}

}  // namespace rclcpp
