// Waiting by hand.
#include "rclcpp/wait_set.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "rclcpp/context.hpp"
#include "rclcpp/exceptions.hpp"
#include "waiting/waitables.hpp"
#include "waiting/wakeup.hpp"

namespace rclcpp {
namespace {

template <class T>
void require(const std::shared_ptr<T> & member) {
  if (!member) throw std::invalid_argument("a null pointer was given to a wait-set");
}

template <class T>
auto find(std::vector<std::weak_ptr<T>> & all, const std::shared_ptr<T> & member) {
  return std::find_if(all.begin(), all.end(), [&](const auto & weak) { return weak.lock() == member; });
}

/// \return its place before.
template <class T>
std::size_t remove(std::vector<std::weak_ptr<T>> & all, const std::shared_ptr<T> & member) {
  const auto found = find(all, member);
  if (found == all.end()) throw std::runtime_error("the wait-set does not have this entity");
  return static_cast<std::size_t>(all.erase(found) - all.begin());
}

/// Shares ownership of those that there are, and forgets the others.
template <class T>
void take_hold_of(std::vector<std::weak_ptr<T>> & all, std::vector<std::shared_ptr<T>> & held) {
  held.clear();
  for (const auto & weak : all) {
    if (auto member = weak.lock()) held.push_back(std::move(member));
  }
  if (held.size() != all.size()) all.assign(held.begin(), held.end());
}

void require_free(bool in_use) {
  if (in_use) throw std::runtime_error("this entity is in a wait-set already");
}

}  // namespace

namespace {

template <template <class> class Pointer>
struct Entities {
  std::vector<Pointer<SubscriptionBase>> subscriptions;
  std::vector<Pointer<GuardCondition>> guard_conditions;
  std::vector<Pointer<TimerBase>> timers;
  std::vector<Pointer<ClientBase>> clients;
  std::vector<Pointer<ServiceBase>> services;
  std::vector<Pointer<Waitable>> waitables;
  std::vector<Pointer<void>> associated;  ///< of each waitable
};

}  // namespace

struct WaitSet::Members : Entities<std::weak_ptr> {};
struct WaitSet::Held : Entities<std::shared_ptr> {};

WaitSet::WaitSet(const std::vector<SubscriptionEntry> & subscriptions,  // NOLINT: the parameters of rclcpp
                 const std::vector<GuardCondition::SharedPtr> & guard_conditions,
                 const std::vector<TimerBase::SharedPtr> & timers, const std::vector<ClientBase::SharedPtr> & clients,
                 const std::vector<ServiceBase::SharedPtr> & services, const std::vector<WaitableEntry> & waitables,
                 Context::SharedPtr context)
    : context_(std::move(context)),
      wakeup_(std::make_shared<detail::Wakeup>()),
      entities_(std::make_unique<Members>()),
      waited_(std::make_unique<Held>()) {
  if (!context_) throw std::invalid_argument("the context of a wait-set is null");
  if (!context_->is_valid()) {
    throw exceptions::RCLInvalidArgument("the context of a wait-set is not valid; call rclcpp::init() before");
  }
  for (const auto & entry : subscriptions) add_subscription(entry.subscription, entry.mask);
  for (const auto & guard_condition : guard_conditions) add_guard_condition(guard_condition);
  for (const auto & timer : timers) add_timer(timer);
  for (const auto & client : clients) add_client(client);
  for (const auto & service : services) add_service(service);
  for (const auto & entry : waitables) add_waitable(entry.waitable, entry.associated_entity);
}

WaitSet::~WaitSet() {
  take_hold();
  for (const auto & guard_condition : waited_->guard_conditions) {
    guard_condition->exchange_in_use_by_wait_set_state(false);
  }
  for (const auto & waitable : waited_->waitables) waitable->exchange_in_use_by_wait_set_state(false);
  const auto release = [this](const auto & receivers) {
    for (const auto & receiver : receivers) {
      receiver->exchange_in_use_by_wait_set_state(false);
      receiver->set_waiter(nullptr);
      if (!receiver->is_listened()) transport_->detach(receiver->transport());
    }
  };
  release(waited_->subscriptions);
  release(waited_->clients);
  release(waited_->services);
  if (transport_) context_->remove_on_shutdown_callback(shutdown_handle_);
}

/// Under mutex_.
tandem::transport::WaitSet & WaitSet::transport() {
  if (!transport_) {
    transport_ = context_->transport()->create_wait_set();
    wakeup_->set_wait_set(transport_);
    shutdown_handle_ = context_->add_on_shutdown_callback([weak = std::weak_ptr<detail::Wakeup>(wakeup_)] {
      if (const auto wakeup = weak.lock()) wakeup->wake();
    });
  }
  return *transport_;
}

/// Under mutex_.
void WaitSet::changed() { wakeup_->wake(); }

template <class T>
void WaitSet::add_receiver(std::vector<std::weak_ptr<T>> & all, const std::shared_ptr<T> & receiver) {
  require(receiver);
  const std::lock_guard<std::mutex> lock(mutex_);
  auto & its_transport = transport();
  require_free(receiver->exchange_in_use_by_wait_set_state(true));
  all.push_back(receiver);
  receiver->set_waiter(wakeup_);
  if (!receiver->is_listened()) its_transport.attach(receiver->transport());
  if (receiver->is_listened()) receiver->listen_again();
  changed();
}

template <class T>
void WaitSet::remove_receiver(std::vector<std::weak_ptr<T>> & all, const std::shared_ptr<T> & receiver) {
  require(receiver);
  const std::lock_guard<std::mutex> lock(mutex_);
  remove(all, receiver);
  receiver->exchange_in_use_by_wait_set_state(false);
  receiver->set_waiter(nullptr);
  transport().detach(receiver->transport());
  changed();
}

void WaitSet::add_client(const ClientBase::SharedPtr & client) { add_receiver(entities_->clients, client); }
void WaitSet::remove_client(const ClientBase::SharedPtr & client) { remove_receiver(entities_->clients, client); }
void WaitSet::add_service(const ServiceBase::SharedPtr & service) { add_receiver(entities_->services, service); }
void WaitSet::remove_service(const ServiceBase::SharedPtr & service) { remove_receiver(entities_->services, service); }

void WaitSet::add_subscription(const SubscriptionBase::SharedPtr & subscription, SubscriptionWaitSetMask mask) {
  require(subscription);
  if (mask.include_subscription) add_receiver(entities_->subscriptions, subscription);
  if (!mask.include_events) return;
  for (const auto & [kind, handler] : subscription->get_event_handlers()) add_waitable(handler, subscription);
}

void WaitSet::remove_subscription(const SubscriptionBase::SharedPtr & subscription, SubscriptionWaitSetMask mask) {
  require(subscription);
  if (mask.include_subscription) remove_receiver(entities_->subscriptions, subscription);
  if (!mask.include_events) return;
  for (const auto & [kind, handler] : subscription->get_event_handlers()) remove_waitable(handler);
}

void WaitSet::add_guard_condition(const GuardCondition::SharedPtr & guard_condition) {
  require(guard_condition);
  const std::lock_guard<std::mutex> lock(mutex_);
  require_free(guard_condition->exchange_in_use_by_wait_set_state(true));
  entities_->guard_conditions.push_back(guard_condition);
  changed();
}

void WaitSet::remove_guard_condition(const GuardCondition::SharedPtr & guard_condition) {
  require(guard_condition);
  const std::lock_guard<std::mutex> lock(mutex_);
  remove(entities_->guard_conditions, guard_condition);
  guard_condition->exchange_in_use_by_wait_set_state(false);
  changed();
}

void WaitSet::add_timer(const TimerBase::SharedPtr & timer) {
  require(timer);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (find(entities_->timers, timer) != entities_->timers.end()) {
    throw std::runtime_error("the wait-set has this timer already");
  }
  entities_->timers.push_back(timer);
  changed();
}

void WaitSet::remove_timer(const TimerBase::SharedPtr & timer) {
  require(timer);
  const std::lock_guard<std::mutex> lock(mutex_);
  remove(entities_->timers, timer);
  changed();
}

void WaitSet::add_waitable(const Waitable::SharedPtr & waitable, const std::shared_ptr<void> & associated_entity) {
  require(waitable);
  const std::lock_guard<std::mutex> lock(mutex_);
  require_free(waitable->exchange_in_use_by_wait_set_state(true));
  entities_->waitables.push_back(waitable);
  entities_->associated.push_back(associated_entity ? associated_entity : waitable);
  changed();
}

void WaitSet::remove_waitable(const Waitable::SharedPtr & waitable) {
  require(waitable);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto place = remove(entities_->waitables, waitable);
  entities_->associated.erase(entities_->associated.begin() + static_cast<std::ptrdiff_t>(place));
  waitable->exchange_in_use_by_wait_set_state(false);
  changed();
}

void WaitSet::take_hold() {
  let_go();  // without the lock: with the last owner goes what it owns
  const std::lock_guard<std::mutex> lock(mutex_);
  take_hold_of(entities_->subscriptions, waited_->subscriptions);
  take_hold_of(entities_->guard_conditions, waited_->guard_conditions);
  take_hold_of(entities_->timers, waited_->timers);
  take_hold_of(entities_->clients, waited_->clients);
  take_hold_of(entities_->services, waited_->services);
  // A waitable without the entity that it belongs to is as good as gone.
  for (std::size_t i = 0; i < entities_->waitables.size(); ++i) {
    auto waitable = entities_->waitables[i].lock();
    auto associated = entities_->associated[i].lock();
    if (!waitable || !associated) continue;
    waited_->waitables.push_back(std::move(waitable));
    waited_->associated.push_back(std::move(associated));
  }
  entities_->waitables.assign(waited_->waitables.begin(), waited_->waitables.end());
  entities_->associated.assign(waited_->associated.begin(), waited_->associated.end());
}

void WaitSet::let_go() {
  waited_->subscriptions.clear();
  waited_->guard_conditions.clear();
  waited_->timers.clear();
  waited_->clients.clear();
  waited_->services.clear();
  waited_->waitables.clear();
  waited_->associated.clear();
}

bool WaitSet::is_empty() const {
  return ready_.subscriptions.empty() && ready_.timers.empty() && ready_.clients.empty() && ready_.services.empty() &&
         ready_.guard_conditions.empty() && ready_.until == std::numeric_limits<std::int64_t>::max();
}

bool WaitSet::look() {
  if (context_->is_valid()) {
    const std::lock_guard<std::mutex> lock(mutex_);
    transport();  // before looking: what is triggered from now on wakes it
  }
  take_hold();
  ready_.timers.clear();
  ready_.guard_conditions.clear();
  ready_.wakeup = wakeup_;
  ready_.until = std::numeric_limits<std::int64_t>::max();
  const auto look_at = [](const auto & receivers, std::vector<const void *> & ready) {
    ready.clear();
    for (const auto & receiver : receivers) {
      ready.push_back(receiver->has_data() ? receiver.get() : nullptr);
    }
    return ready.size();
  };
  ready_.size_of_subscriptions = look_at(waited_->subscriptions, ready_.subscriptions);
  ready_.size_of_clients = look_at(waited_->clients, ready_.clients);
  ready_.size_of_services = look_at(waited_->services, ready_.services);
  for (const auto & timer : waited_->timers) ready_.timers.push_back(timer->is_ready() ? timer.get() : nullptr);
  ready_.size_of_timers = ready_.timers.size();
  ready_.size_of_guard_conditions = 0;
  for (const auto & guard_condition : waited_->guard_conditions) guard_condition->add_to_wait_set(ready_);
  ready_waitables_ = detail::ask(waited_->waitables, ready_);

  const auto any_of = [](const auto & all) { return std::any_of(all.begin(), all.end(), [](auto * p) { return p; }); };
  const auto own = static_cast<std::ptrdiff_t>(waited_->guard_conditions.size());
  const auto begin = ready_.guard_conditions.begin();
  return any_of(ready_.subscriptions) || any_of(ready_.timers) || any_of(ready_.clients) || any_of(ready_.services) ||
         std::any_of(begin, begin + own, [](auto * condition) { return condition; }) ||
         std::find(ready_waitables_.begin(), ready_waitables_.end(), true) != ready_waitables_.end();
}

/// Ends waits when simulated time has made a timer due, or is switched on or off, for as long as the result is kept.
std::vector<JumpHandler::SharedPtr> WaitSet::follow_jumps() {
  std::vector<JumpHandler::SharedPtr> handlers;
  for (const auto & timer : waited_->timers) {
    if (timer->get_clock()->get_clock_type() != RCL_ROS_TIME) continue;
    const auto after_jump = [&wakeup = *wakeup_, timer](const rcl_time_jump_t & jump) {
      if (jump.clock_change != RCL_ROS_TIME_NO_CHANGE || timer->is_ready()) wakeup.wake();
    };
    handlers.push_back(timer->get_clock()->create_jump_callback(nullptr, after_jump, {true, {1}, {-1}}));
  }
  return handlers;
}

WaitResultKind WaitSet::wait_for(std::chrono::nanoseconds timeout) {
  using std::chrono::nanoseconds;
  // Longer than a year is "for ever", and would overflow the clock.
  constexpr nanoseconds kForEver = std::chrono::hours(24 * 365);
  const auto begin = std::chrono::steady_clock::now();
  const auto end = begin + (timeout < nanoseconds::zero() ? kForEver : std::min(timeout, kForEver));
  std::vector<JumpHandler::SharedPtr> jumps;
  bool follows_jumps = false;
  while (!look()) {
    if (is_empty() && ends_when_empty()) return WaitResultKind::Empty;
    const nanoseconds rest = end - std::chrono::steady_clock::now();
    if (rest <= nanoseconds::zero() || !context_->is_valid() || !transport_) return WaitResultKind::Timeout;
    if (!std::exchange(follows_jumps, true)) {
      jumps = follow_jumps();
      continue;  // it may have jumped just before
    }
    nanoseconds longest = rest;
    for (const auto & timer : waited_->timers) longest = std::min(longest, timer->time_to_wait());
    const nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
    longest = std::min(longest, nanoseconds(ready_.until) - now);
    transport_->wait(std::max(longest, nanoseconds::zero()));
  }
  return WaitResultKind::Ready;
}

// ---- what is ready -------------------------------------------------------------------------------------------------

namespace {

/// The first that is ready, which then counts as not ready.
template <class T>
std::shared_ptr<T> next_of(std::vector<const void *> & ready, const std::vector<std::shared_ptr<T>> & all) {
  for (std::size_t i = 0; i < ready.size(); ++i) {
    if (std::exchange(ready[i], nullptr)) return all[i];
  }
  return nullptr;
}

}  // namespace

SubscriptionBase::SharedPtr WaitSet::next_subscription() {
  return next_of(ready_.subscriptions, waited_->subscriptions);
}
ClientBase::SharedPtr WaitSet::next_client() { return next_of(ready_.clients, waited_->clients); }
ServiceBase::SharedPtr WaitSet::next_service() { return next_of(ready_.services, waited_->services); }

Waitable::SharedPtr WaitSet::next_waitable() {
  const auto found = std::find(ready_waitables_.begin(), ready_waitables_.end(), true);
  if (found == ready_waitables_.end()) return nullptr;
  *found = false;
  return waited_->waitables[static_cast<std::size_t>(found - ready_waitables_.begin())];
}

std::pair<TimerBase::SharedPtr, size_t> WaitSet::peek_timer(size_t start_index) const {
  for (std::size_t i = start_index; i < ready_.timers.size(); ++i) {
    if (ready_.timers[i]) return {waited_->timers[i], i};
  }
  return {nullptr, std::max(start_index, ready_.timers.size())};
}

void WaitSet::clear_timer(size_t index) {
  if (index >= ready_.timers.size()) throw std::out_of_range("there is no timer of this index in the wait-set");
  ready_.timers[index] = nullptr;
}

}  // namespace rclcpp
