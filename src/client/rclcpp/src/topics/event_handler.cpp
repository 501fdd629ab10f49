// What the events of an endpoint tell, and when they are ready.
#include "rclcpp/event_handler.hpp"

#include <algorithm>

namespace rclcpp {
namespace detail {
namespace {

using tandem::Status;

/// Of a counter that never falls.
template <class Info>
bool count(std::uint64_t before, std::uint64_t now, Info & info) {
  info.total_count = static_cast<decltype(info.total_count)>(now);
  info.total_count_change = static_cast<decltype(info.total_count_change)>(now - before);
  return now != before;
}

rmw_qos_policy_kind_t kind_of(tandem::QosPolicy policy) {
  switch (policy) {
    case tandem::QosPolicy::kNone: break;
    case tandem::QosPolicy::kReliability: return RMW_QOS_POLICY_RELIABILITY;
    case tandem::QosPolicy::kDurability: return RMW_QOS_POLICY_DURABILITY;
    case tandem::QosPolicy::kDeadline: return RMW_QOS_POLICY_DEADLINE;
    case tandem::QosPolicy::kLiveliness: return RMW_QOS_POLICY_LIVELINESS;
  }
  return RMW_QOS_POLICY_INVALID;
}

std::int32_t change(std::uint64_t before, std::uint64_t now) {
  return static_cast<std::int32_t>(static_cast<std::int64_t>(now) - static_cast<std::int64_t>(before));
}

}  // namespace

bool describe(const Status & before, const Status & now, QOSDeadlineRequestedInfo & info) {
  return count(before.deadlines_missed, now.deadlines_missed, info);
}
bool describe(const Status & before, const Status & now, QOSDeadlineOfferedInfo & info) {
  return count(before.deadlines_missed, now.deadlines_missed, info);
}
bool describe(const Status & before, const Status & now, QOSLivelinessLostInfo & info) {
  return count(before.liveliness_lost, now.liveliness_lost, info);
}
bool describe(const Status & before, const Status & now, QOSMessageLostInfo & info) {
  return count(before.lost, now.lost, info);
}
bool describe(const Status & before, const Status & now, IncompatibleTypeInfo & info) {
  return count(before.incompatible_type, now.incompatible_type, info);
}
bool describe(const Status & before, const Status & now, rmw_qos_incompatible_event_status_t & info) {
  info.last_policy_kind = kind_of(now.last_policy);
  return count(before.incompatible_qos, now.incompatible_qos, info);
}

bool describe(const Status & before, const Status & now, QOSLivelinessChangedInfo & info) {
  info.alive_count = static_cast<std::int32_t>(now.alive);
  info.not_alive_count = static_cast<std::int32_t>(now.not_alive);
  info.alive_count_change = change(before.alive, now.alive);
  info.not_alive_count_change = change(before.not_alive, now.not_alive);
  return info.alive_count_change != 0 || info.not_alive_count_change != 0;
}

bool describe(const Status & before, const Status & now, MatchedInfo & info) {
  info.current_count = now.matched;
  info.current_count_change = change(before.matched, now.matched);
  return count(before.total_matched, now.total_matched, info) || info.current_count_change != 0;
}

}  // namespace detail

EventHandlerBase::EventHandlerBase(const std::shared_ptr<Context> & context, Look look)
    : look_(std::move(look)), condition_(context) {}

void EventHandlerBase::add_to_wait_set(rcl_wait_set_t & wait_set) {
  condition_.add_to_wait_set(wait_set);
  wait_set.until = std::min(wait_set.until, look_().due);
}

/// Looks again: what has changed since add_to_wait_set() may have been triggered before the wait.
bool EventHandlerBase::is_ready(const rcl_wait_set_t &) {
  const tandem::Status now = look_();
  const std::lock_guard<std::mutex> lock(mutex_);
  return differs(told_, now);
}

std::shared_ptr<void> EventHandlerBase::take_data() {
  const tandem::Status now = look_();
  const std::lock_guard<std::mutex> lock(mutex_);
  auto data = difference(told_, now);
  told_ = now;
  return data;
}

void EventHandlerBase::set_on_ready_callback(std::function<void(size_t, int)> callback) {
  if (!callback) throw std::invalid_argument("the callback given to set_on_ready_callback() is empty");
  condition_.set_on_trigger_callback(
      [callback = std::move(callback)](size_t count) { callback(count, static_cast<int>(EntityType::Event)); });
  status_changed();  // what was so before the transport had somebody to tell, as a match while the endpoint was made
}

std::int64_t EventHandlerBase::status_changed() {
  const tandem::Status now = look_();
  std::unique_lock<std::mutex> lock(mutex_);
  const bool is_new = differs(noticed_, now);
  if (is_new) noticed_ = now;
  lock.unlock();
  if (is_new) condition_.trigger();
  return now.due;
}

}  // namespace rclcpp
