#include "events.hpp"

#include <rmw/events_statuses/events_statuses.h>
#include <rmw/qos_policy_kind.h>
#include <rmw/rmw.h>

#include <algorithm>
#include <string>

#include "errors.hpp"
#include "listener.hpp"

namespace tandem_rmw {
namespace {

using tandem::Status;

rmw_qos_policy_kind_t kind_of(tandem::QosPolicy policy) {
  switch (policy) {
    case tandem::QosPolicy::kReliability: return RMW_QOS_POLICY_RELIABILITY;
    case tandem::QosPolicy::kDurability: return RMW_QOS_POLICY_DURABILITY;
    case tandem::QosPolicy::kDeadline: return RMW_QOS_POLICY_DEADLINE;
    case tandem::QosPolicy::kLiveliness: return RMW_QOS_POLICY_LIVELINESS;
    case tandem::QosPolicy::kNone: break;
  }
  return RMW_QOS_POLICY_INVALID;
}

/// What of a status an event of the type tells. Two numbers, as some have a total and a present value.
std::array<std::uint64_t, 2> counts(const Status & status, rmw_event_type_t type) {
  switch (type) {
    case RMW_EVENT_LIVELINESS_CHANGED: return {status.alive, status.not_alive};
    case RMW_EVENT_REQUESTED_DEADLINE_MISSED:
    case RMW_EVENT_OFFERED_DEADLINE_MISSED: return {status.deadlines_missed, 0};
    case RMW_EVENT_REQUESTED_QOS_INCOMPATIBLE:
    case RMW_EVENT_OFFERED_QOS_INCOMPATIBLE: return {status.incompatible_qos, 0};
    case RMW_EVENT_MESSAGE_LOST: return {status.lost, 0};
    case RMW_EVENT_LIVELINESS_LOST: return {status.liveliness_lost, 0};
#ifdef TANDEM_RMW_HAS_MATCHED_EVENTS
    case RMW_EVENT_SUBSCRIPTION_INCOMPATIBLE_TYPE:
    case RMW_EVENT_PUBLISHER_INCOMPATIBLE_TYPE: return {status.incompatible_type, 0};
    case RMW_EVENT_SUBSCRIPTION_MATCHED:
    case RMW_EVENT_PUBLICATION_MATCHED: return {status.total_matched, status.matched};
#endif
    default: return {0, 0};
  }
}

bool is_of_publishers(rmw_event_type_t type) { return type >= RMW_EVENT_LIVELINESS_LOST; }

template <class To>
void set(To & to, std::uint64_t value) {
  to = static_cast<To>(value);
}

/// For the statuses that are a total and its change.
template <class StatusT>
void fill_total(void * info, std::uint64_t now, std::uint64_t before) {
  auto & told = *static_cast<StatusT *>(info);
  set(told.total_count, now);
  set(told.total_count_change, now - before);
}

}  // namespace

bool Event::has_changed() const {
  const std::lock_guard<std::mutex> lock(source_->mutex_);
  const Status now = source_->status_();
  return counts(now, type_) != counts(taken_, type_);
}

std::size_t Event::news() {
  const std::lock_guard<std::mutex> lock(source_->mutex_);
  const Status now = source_->status_();
  const auto after = counts(now, type_);
  const auto before = counts(told_, type_);
  told_ = now;
  if (after == before) return 0;
  return after[0] > before[0] ? static_cast<std::size_t>(after[0] - before[0]) : 1;
}

void Event::take(void * info) {
  const std::lock_guard<std::mutex> lock(source_->mutex_);
  const Status now = source_->status_();
  const auto after = counts(now, type_);
  const auto before = counts(taken_, type_);
  taken_ = now;
  switch (type_) {
    case RMW_EVENT_LIVELINESS_CHANGED: {
      auto & told = *static_cast<rmw_liveliness_changed_status_t *>(info);
      set(told.alive_count, after[0]);
      set(told.not_alive_count, after[1]);
      set(told.alive_count_change, after[0] - before[0]);
      set(told.not_alive_count_change, after[1] - before[1]);
      break;
    }
    case RMW_EVENT_REQUESTED_QOS_INCOMPATIBLE:
    case RMW_EVENT_OFFERED_QOS_INCOMPATIBLE:
      fill_total<rmw_qos_incompatible_event_status_t>(info, after[0], before[0]);
      static_cast<rmw_qos_incompatible_event_status_t *>(info)->last_policy_kind = kind_of(now.last_policy);
      break;
    case RMW_EVENT_REQUESTED_DEADLINE_MISSED:
      fill_total<rmw_requested_deadline_missed_status_t>(info, after[0], before[0]);
      break;
    case RMW_EVENT_OFFERED_DEADLINE_MISSED:
      fill_total<rmw_offered_deadline_missed_status_t>(info, after[0], before[0]);
      break;
    case RMW_EVENT_MESSAGE_LOST: fill_total<rmw_message_lost_status_t>(info, after[0], before[0]); break;
    case RMW_EVENT_LIVELINESS_LOST: fill_total<rmw_liveliness_lost_status_t>(info, after[0], before[0]); break;
#ifdef TANDEM_RMW_HAS_MATCHED_EVENTS
    case RMW_EVENT_SUBSCRIPTION_INCOMPATIBLE_TYPE:
    case RMW_EVENT_PUBLISHER_INCOMPATIBLE_TYPE:
      fill_total<rmw_incompatible_type_status_t>(info, after[0], before[0]);
      break;
    case RMW_EVENT_SUBSCRIPTION_MATCHED:
    case RMW_EVENT_PUBLICATION_MATCHED: {
      auto & told = *static_cast<rmw_matched_status_t *>(info);
      fill_total<rmw_matched_status_t>(info, after[0], before[0]);
      set(told.current_count, after[1]);
      set(told.current_count_change, after[1] - before[1]);
      break;
    }
#endif
    default: break;
  }
}

std::chrono::steady_clock::time_point Event::next_look() const { return source_->next_look(); }

bool Event::is_timed() const { return source_->is_timed_; }

Sleepers & Event::sleepers() { return source_->sleepers_; }

EventSource::EventSource(Listener & listener, std::function<Status()> status, bool is_timed)
    : listener_(listener), status_(std::move(status)), is_timed_(is_timed) {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    events_[i].source_ = this;
    events_[i].type_ = static_cast<rmw_event_type_t>(i);
  }
}

std::chrono::steady_clock::time_point EventSource::next_look() const {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(status_().due));
}

std::chrono::steady_clock::time_point EventSource::next_call() {
  const std::lock_guard<std::recursive_mutex> lock(calling_);
  const bool is_any =
      std::any_of(events_.begin(), events_.end(), [](const Event & e) { return e.callback_ != nullptr; });
  return is_any ? next_look() : std::chrono::steady_clock::time_point::max();
}

void EventSource::notify() {
  {
    const std::lock_guard<std::recursive_mutex> lock(calling_);
    for (Event & event : events_) {
      if (event.callback_ == nullptr) continue;
      if (const std::size_t count = event.news()) event.callback_(event.user_data_, count);
    }
  }
  sleepers_.wake(kEventNews);
}

void EventSource::set_callback(Event & event, rmw_event_callback_t callback, const void * user_data) {
  const auto own = shared_from_this();  // the callback may end the endpoint
  if (callback != nullptr) listener_.watch(own);
  {
    const std::lock_guard<std::recursive_mutex> lock(calling_);
    event.callback_ = callback;
    event.user_data_ = user_data;
    if (callback == nullptr) return;
    if (const std::size_t count = event.news()) callback(user_data, count);
  }
  listener_.wake();  // to learn when to look again
}

void EventSource::remove_callbacks() {
  const std::lock_guard<std::recursive_mutex> lock(calling_);
  for (Event & event : events_) event.callback_ = nullptr;
}

Event * EventSource::event(rmw_event_type_t type) { return type < events_.size() ? &events_[type] : nullptr; }

rmw_ret_t init_event(rmw_event_t & event, EventSource & source, rmw_event_type_t type, bool is_publisher) {
  if (event.implementation_identifier != nullptr) {
    return fail(RMW_RET_INVALID_ARGUMENT, "the event was initialized before");
  }
  if (!is_event_type(type) || is_of_publishers(type) != is_publisher) {
    return fail(RMW_RET_UNSUPPORTED, std::string(is_publisher ? "publishers" : "subscriptions") +
                                         " have no events of the type " + std::to_string(type));
  }
  event.implementation_identifier = kIdentifier;
  event.data = source.event(type);
  event.event_type = type;
  return RMW_RET_OK;
}

}  // namespace tandem_rmw

using namespace tandem_rmw;

extern "C" {

/// Since Kilted.
bool rmw_event_type_is_supported(rmw_event_type_t type) { return is_event_type(type); }

rmw_ret_t rmw_take_event(const rmw_event_t * event_handle, void * event_info, bool * taken) {
  TANDEM_RMW_RETURN_IF(require_ours(event_handle, "event_handle"));
  TANDEM_RMW_RETURN_IF(first_error(require(event_info, "event_info"), require(taken, "taken")));
  auto & event = *static_cast<Event *>(event_handle->data);
  event.take(event_info);
  *taken = true;
  return RMW_RET_OK;
}

rmw_ret_t rmw_event_set_callback(rmw_event_t * rmw_event, rmw_event_callback_t callback, const void * user_data) {
  TANDEM_RMW_RETURN_IF(require_ours(rmw_event, "rmw_event"));
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    auto & event = *static_cast<Event *>(rmw_event->data);
    event.source().set_callback(event, callback, user_data);
    return RMW_RET_OK;
  });
}

}  // extern "C"
