// Waiting for subscriptions and timers by hand, without an executor.
#ifndef RCLCPP__WAIT_SET_HPP_
#define RCLCPP__WAIT_SET_HPP_

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/visibility_control.hpp"

/// What is ready, in the order in which it was added; null: not ready.
struct rcl_wait_set_t {
  std::vector<const void *> subscriptions;
  std::vector<const void *> timers;
};

namespace rclcpp {

class ClientBase;
class GuardCondition;
class ServiceBase;
class Waitable;

enum class WaitResultKind { Ready, Timeout, Empty };

/// Of WaitSet::wait(); refers to the wait-set.
template <class WaitSetT>
class WaitResult {
 public:
  WaitResult(WaitResultKind kind, WaitSetT & wait_set) : kind_(kind), wait_set_(&wait_set) {}
  WaitResultKind kind() const { return kind_; }
  WaitSetT & get_wait_set() { return *wait_set_; }
  const WaitSetT & get_wait_set() const { return *wait_set_; }

 private:
  WaitResultKind kind_;
  WaitSetT * wait_set_;
};

struct SubscriptionWaitSetMask {
  bool include_subscription = true;
};

/// A subscription is in one wait-set at a time: put its callback group into no executor. Shares ownership of what it
/// holds. Not thread-safe.
class RCLCPP_PUBLIC WaitSet {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(WaitSet)
  struct SubscriptionEntry {
    SubscriptionEntry(SubscriptionBase::SharedPtr subscription_in = nullptr,  // NOLINT: implicit, as in rclcpp
                      const SubscriptionWaitSetMask & mask_in = {})
        : subscription(std::move(subscription_in)), mask(mask_in) {}
    SubscriptionBase::SharedPtr subscription;
    SubscriptionWaitSetMask mask;
  };

  struct WaitableEntry {
    std::shared_ptr<Waitable> waitable;
    std::shared_ptr<void> associated_entity;
  };

  /// Of guard conditions, clients, services and waitables there are none yet: these lists are empty.
  explicit WaitSet(const std::vector<SubscriptionEntry> & subscriptions = {},
                   const std::vector<std::shared_ptr<GuardCondition>> & guard_conditions = {},
                   const std::vector<TimerBase::SharedPtr> & timers = {},
                   const std::vector<std::shared_ptr<ClientBase>> & clients = {},
                   const std::vector<std::shared_ptr<ServiceBase>> & services = {},
                   const std::vector<WaitableEntry> & waitables = {},
                   Context::SharedPtr context = contexts::get_global_default_context());
  ~WaitSet();

  // \throws std::runtime_error when it is there already, or is not there.
  void add_subscription(const SubscriptionBase::SharedPtr & subscription, SubscriptionWaitSetMask mask = {});
  void remove_subscription(const SubscriptionBase::SharedPtr & subscription, SubscriptionWaitSetMask mask = {});
  void add_timer(const TimerBase::SharedPtr & timer);
  void remove_timer(const TimerBase::SharedPtr & timer);

  /// Until something is ready, the time is over (negative: never) or the context is shut down, which counts as the
  /// end of the time.
  template <class Rep = std::int64_t, class Period = std::milli>
  WaitResult<WaitSet> wait(std::chrono::duration<Rep, Period> time_to_wait = std::chrono::duration<Rep, Period>(-1)) {
    return {wait_for(std::chrono::duration_cast<std::chrono::nanoseconds>(time_to_wait)), *this};
  }
  const rcl_wait_set_t & get_rcl_wait_set() const { return ready_; }

 private:
  WaitResultKind wait_for(std::chrono::nanoseconds timeout);
  bool look();
  std::vector<JumpHandler::SharedPtr> follow_jumps();
  tandem::transport::WaitSet & transport();

  const Context::SharedPtr context_;
  OnShutdownCallbackHandle shutdown_handle_;
  std::shared_ptr<tandem::transport::WaitSet> transport_;  // made at the first need
  std::vector<SubscriptionBase::SharedPtr> subscriptions_;
  std::vector<TimerBase::SharedPtr> timers_;
  rcl_wait_set_t ready_;
};

/// A wait-set whose content does not change. Of the counts only those of subscriptions and timers may be positive.
template <std::size_t kSubscriptions, std::size_t kGuardConditions, std::size_t kTimers, std::size_t kClients,
          std::size_t kServices, std::size_t kWaitables>
class StaticWaitSet : public WaitSet {
  static_assert(kGuardConditions + kClients + kServices + kWaitables == 0,
                "a wait-set holds subscriptions and timers only");

 public:
  using SubscriptionEntry = WaitSet::SubscriptionEntry;
  explicit StaticWaitSet(const std::array<SubscriptionEntry, kSubscriptions> & subscriptions = {},
                         const std::array<std::shared_ptr<GuardCondition>, kGuardConditions> & = {},
                         const std::array<TimerBase::SharedPtr, kTimers> & timers = {})
      : WaitSet({subscriptions.begin(), subscriptions.end()}, {}, {timers.begin(), timers.end()}) {}
};

}  // namespace rclcpp

#endif  // RCLCPP__WAIT_SET_HPP_
