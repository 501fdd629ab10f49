// Waiting for subscriptions, timers, clients, services, guard conditions and waitables by hand, without an executor.
#ifndef RCLCPP__WAIT_SET_HPP_
#define RCLCPP__WAIT_SET_HPP_

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rclcpp/client.hpp"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/subscription_wait_set_mask.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rclcpp/wait_result.hpp"
#include "rclcpp/wait_result_kind.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp {

/// A subscription, client, service, guard condition or waitable is in one wait-set at a time, and its callback group in no executor.
/// Shares ownership of what it holds while it waits and while there is a result of that; what is gone at other times leaves it.
/// One thread waits at a time; what is added or removed by others meanwhile counts at once.
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
    WaitableEntry(Waitable::SharedPtr waitable_in = nullptr,  // NOLINT: implicit, as in rclcpp
                  std::shared_ptr<void> associated_entity_in = nullptr)
        : waitable(std::move(waitable_in)), associated_entity(std::move(associated_entity_in)) {}
    Waitable::SharedPtr waitable;
    std::shared_ptr<void> associated_entity;  ///< kept for as long as the waitable is in the set
  };

  /// \throws std::invalid_argument for null, exceptions::RCLInvalidArgument for a context that is not initialised; as
  /// add_...().
  explicit WaitSet(const std::vector<SubscriptionEntry> & subscriptions = {},
                   const std::vector<GuardCondition::SharedPtr> & guard_conditions = {},
                   const std::vector<TimerBase::SharedPtr> & timers = {},
                   const std::vector<ClientBase::SharedPtr> & clients = {},
                   const std::vector<ServiceBase::SharedPtr> & services = {},
                   const std::vector<WaitableEntry> & waitables = {},
                   Context::SharedPtr context = contexts::get_global_default_context());
  virtual ~WaitSet();

  // \throws std::invalid_argument for null, std::runtime_error when it is in a wait-set already, or is not in this one.
  void add_subscription(const SubscriptionBase::SharedPtr & subscription, SubscriptionWaitSetMask mask = {});
  void remove_subscription(const SubscriptionBase::SharedPtr & subscription, SubscriptionWaitSetMask mask = {});
  void add_guard_condition(const GuardCondition::SharedPtr & guard_condition);
  void remove_guard_condition(const GuardCondition::SharedPtr & guard_condition);
  void add_timer(const TimerBase::SharedPtr & timer);
  void remove_timer(const TimerBase::SharedPtr & timer);
  void add_client(const ClientBase::SharedPtr & client);
  void remove_client(const ClientBase::SharedPtr & client);
  void add_service(const ServiceBase::SharedPtr & service);
  void remove_service(const ServiceBase::SharedPtr & service);
  void add_waitable(const Waitable::SharedPtr & waitable, const std::shared_ptr<void> & associated_entity = nullptr);
  void remove_waitable(const Waitable::SharedPtr & waitable);
  /// Nothing to do: wait() forgets those that are gone.
  void prune_deleted_entities() {}

  /// Until something is ready, the time is over (negative: never) or the context is shut down, which counts as the
  /// end of the time. At once if nothing in it can become ready: Empty.
  template <class Rep = std::int64_t, class Period = std::milli>
  WaitResult<WaitSet> wait(std::chrono::duration<Rep, Period> time_to_wait = std::chrono::duration<Rep, Period>(-1)) {
    return {wait_for(std::chrono::duration_cast<std::chrono::nanoseconds>(time_to_wait)), *this};
  }
  /// What is ready, in the order in which it was added; null: not ready. The guard conditions of waitables follow the
  /// others.
  const rcl_wait_set_t & get_rcl_wait_set() const { return ready_; }

 private:
  template <class WaitSetT>
  friend class WaitResult;
  struct Members;
  struct Held;

  template <class T>
  void add_receiver(std::vector<std::weak_ptr<T>> & all, const std::shared_ptr<T> & receiver);
  template <class T>
  void remove_receiver(std::vector<std::weak_ptr<T>> & all, const std::shared_ptr<T> & receiver);

  SubscriptionBase::SharedPtr next_subscription();
  ClientBase::SharedPtr next_client();
  ServiceBase::SharedPtr next_service();
  Waitable::SharedPtr next_waitable();
  std::pair<TimerBase::SharedPtr, size_t> peek_timer(size_t start_index) const;
  void clear_timer(size_t index);
  WaitResultKind wait_for(std::chrono::nanoseconds timeout);
  /// Whether wait() returns Empty when nothing can become ready.
  virtual bool ends_when_empty() const { return true; }
  bool is_empty() const;
  void take_hold();
  void let_go();
  bool look();
  std::vector<JumpHandler::SharedPtr> follow_jumps();
  tandem::transport::WaitSet & transport();
  void changed();

  const Context::SharedPtr context_;
  OnShutdownCallbackHandle shutdown_handle_;
  const std::shared_ptr<detail::Wakeup> wakeup_;
  std::mutex mutex_;                                       // guards the next two
  std::shared_ptr<tandem::transport::WaitSet> transport_;  // made at the first need
  const std::unique_ptr<Members> entities_;

  // Of the thread that waits.
  const std::unique_ptr<Held>
      waited_;  // those of entities_ that there were at the last look; none while nobody waits or
                // has a result
  rcl_wait_set_t ready_;
  std::vector<bool> ready_waitables_;
};

/// A wait-set to which others may add while it waits: wait() waits also when nothing is in it yet.
class RCLCPP_PUBLIC ThreadSafeWaitSet : public WaitSet {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(ThreadSafeWaitSet)
  using WaitSet::WaitSet;

 private:
  bool ends_when_empty() const override { return false; }
};

/// A wait-set whose content does not change. It shares ownership of what it holds, always.
template <std::size_t kSubscriptions, std::size_t kGuardConditions, std::size_t kTimers, std::size_t kClients,
          std::size_t kServices, std::size_t kWaitables>
class StaticWaitSet : public WaitSet {
 public:
  using SubscriptionEntry = WaitSet::SubscriptionEntry;
  using WaitableEntry = WaitSet::WaitableEntry;
  explicit StaticWaitSet(const std::array<SubscriptionEntry, kSubscriptions> & subscriptions = {},
                         const std::array<GuardCondition::SharedPtr, kGuardConditions> & guard_conditions = {},
                         const std::array<TimerBase::SharedPtr, kTimers> & timers = {},
                         const std::array<ClientBase::SharedPtr, kClients> & clients = {},
                         const std::array<ServiceBase::SharedPtr, kServices> & services = {},
                         const std::array<WaitableEntry, kWaitables> & waitables = {},
                         Context::SharedPtr context = contexts::get_global_default_context())
      : WaitSet({subscriptions.begin(), subscriptions.end()}, {guard_conditions.begin(), guard_conditions.end()},
                {timers.begin(), timers.end()}, {clients.begin(), clients.end()}, {services.begin(), services.end()},
                {waitables.begin(), waitables.end()}, std::move(context)) {
    for (const auto & entry : subscriptions) kept_.push_back(entry.subscription);
    for (const auto & entry : waitables) {
      kept_.push_back(entry.waitable);
      kept_.push_back(entry.associated_entity);
    }
    const auto keep = [this](const auto & all) { kept_.insert(kept_.end(), all.begin(), all.end()); };
    keep(guard_conditions);
    keep(timers);
    keep(clients);
    keep(services);
  }

 private:
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace rclcpp

#endif  // RCLCPP__WAIT_SET_HPP_
