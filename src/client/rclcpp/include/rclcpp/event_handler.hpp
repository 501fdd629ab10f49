// Events of publishers and subscriptions: QoS that is not kept or does not fit, lost messages, matches.
//
// An event is a waitable. It is ready when the endpoint's status differs, in what the event is about, from what the callback
// was told last, so nothing is lost while nobody waits: several changes are told as one. Deadlines and leases are
// compared with the clock by who waits, whose wait ends when the next is due.
#ifndef RCLCPP__EVENT_HANDLER_HPP_
#define RCLCPP__EVENT_HANDLER_HPP_

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "rcl/event.h"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rclcpp/waitable.hpp"
#include "rmw/events_statuses/events_statuses.h"
#include "tandem/status.hpp"

namespace rclcpp {

using QOSDeadlineRequestedInfo = rmw_requested_deadline_missed_status_t;
using QOSDeadlineOfferedInfo = rmw_offered_deadline_missed_status_t;
using QOSLivelinessChangedInfo = rmw_liveliness_changed_status_t;
using QOSLivelinessLostInfo = rmw_liveliness_lost_status_t;
using QOSMessageLostInfo = rmw_message_lost_status_t;
using QOSOfferedIncompatibleQoSInfo = rmw_offered_qos_incompatible_event_status_t;
using QOSRequestedIncompatibleQoSInfo = rmw_requested_qos_incompatible_event_status_t;
using IncompatibleTypeInfo = rmw_incompatible_type_status_t;
using MatchedInfo = rmw_matched_status_t;

using QOSDeadlineRequestedCallbackType = std::function<void(QOSDeadlineRequestedInfo &)>;
using QOSDeadlineOfferedCallbackType = std::function<void(QOSDeadlineOfferedInfo &)>;
using QOSLivelinessChangedCallbackType = std::function<void(QOSLivelinessChangedInfo &)>;
using QOSLivelinessLostCallbackType = std::function<void(QOSLivelinessLostInfo &)>;
using QOSMessageLostCallbackType = std::function<void(QOSMessageLostInfo &)>;
using QOSOfferedIncompatibleQoSCallbackType = std::function<void(QOSOfferedIncompatibleQoSInfo &)>;
using QOSRequestedIncompatibleQoSCallbackType = std::function<void(QOSRequestedIncompatibleQoSInfo &)>;
using IncompatibleTypeCallbackType = std::function<void(IncompatibleTypeInfo &)>;
using PublisherMatchedCallbackType = std::function<void(MatchedInfo &)>;
using SubscriptionMatchedCallbackType = std::function<void(MatchedInfo &)>;

struct PublisherEventCallbacks {
  QOSDeadlineOfferedCallbackType deadline_callback;
  QOSLivelinessLostCallbackType liveliness_callback;
  QOSOfferedIncompatibleQoSCallbackType incompatible_qos_callback;
  IncompatibleTypeCallbackType incompatible_type_callback;
  PublisherMatchedCallbackType matched_callback;
};

struct SubscriptionEventCallbacks {
  QOSDeadlineRequestedCallbackType deadline_callback;
  QOSLivelinessChangedCallbackType liveliness_callback;
  QOSRequestedIncompatibleQoSCallbackType incompatible_qos_callback;
  QOSMessageLostCallbackType message_lost_callback;
  IncompatibleTypeCallbackType incompatible_type_callback;
  SubscriptionMatchedCallbackType matched_callback;
};

namespace detail {

// What has happened since `before`. \return whether anything has, of what the event is about.
RCLCPP_PUBLIC bool describe(const tandem::Status & before, const tandem::Status & now, QOSDeadlineRequestedInfo & info);
RCLCPP_PUBLIC bool describe(const tandem::Status & before, const tandem::Status & now, QOSDeadlineOfferedInfo & info);
RCLCPP_PUBLIC bool describe(const tandem::Status & before, const tandem::Status & now, QOSLivelinessLostInfo & info);
RCLCPP_PUBLIC bool describe(const tandem::Status & before, const tandem::Status & now, QOSLivelinessChangedInfo & info);
RCLCPP_PUBLIC bool describe(const tandem::Status & before, const tandem::Status & now, QOSMessageLostInfo & info);
RCLCPP_PUBLIC bool describe(const tandem::Status & before, const tandem::Status & now,
                            rmw_qos_incompatible_event_status_t & info);
RCLCPP_PUBLIC bool describe(const tandem::Status & before, const tandem::Status & now, IncompatibleTypeInfo & info);
RCLCPP_PUBLIC bool describe(const tandem::Status & before, const tandem::Status & now, MatchedInfo & info);

/// Whether the transport of this process tells of such events. Thread-safe.
RCLCPP_PUBLIC bool is_supported(rcl_publisher_event_type_t kind);
RCLCPP_PUBLIC bool is_supported(rcl_subscription_event_type_t kind);

}  // namespace detail

/// One event of one endpoint. Thread-safe.
class RCLCPP_PUBLIC EventHandlerBase : public Waitable {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(EventHandlerBase)
  enum class EntityType : std::size_t { Event };
  using Look = std::function<tandem::Status()>;

  /// \param look the status of the endpoint, which it keeps alive.
  EventHandlerBase(const std::shared_ptr<Context> & context, Look look);

  size_t get_number_of_ready_events() override { return 1; }
  size_t get_number_of_ready_guard_conditions() override { return 1; }
  void add_to_wait_set(rcl_wait_set_t & wait_set) override;
  bool is_ready(const rcl_wait_set_t & wait_set) override;
  std::shared_ptr<void> take_data() override;
  std::shared_ptr<void> take_data_by_entity_id(size_t) override { return take_data(); }
  /// Is called with what others do: matches, incompatible QoS or types, publishers that come and go. A deadline or a lease
  /// that is over is noticed only where somebody waits, as an EventsExecutor does.
  void set_on_ready_callback(std::function<void(size_t, int)> callback) override;
  void clear_on_ready_callback() override { condition_.set_on_trigger_callback(nullptr); }

  /// For the library's own use: the endpoint's status may have changed. \return Status::due.
  std::int64_t status_changed();

 protected:
  virtual bool differs(const tandem::Status & before, const tandem::Status & now) const = 0;
  virtual std::shared_ptr<void> difference(const tandem::Status & before, const tandem::Status & now) const = 0;

 private:
  const Look look_;
  GuardCondition condition_;
  std::mutex mutex_;
  tandem::Status told_;     ///< as the callback knows it; guarded by mutex_
  tandem::Status noticed_;  ///< as of the last trigger; guarded by mutex_
};

template <class EventCallbackT, class ParentHandleT = void>
class EventHandler;

template <class InfoT, class ParentHandleT>
class EventHandler<std::function<void(InfoT &)>, ParentHandleT> : public EventHandlerBase {
 public:
  using Callback = std::function<void(InfoT &)>;
  EventHandler(const std::shared_ptr<Context> & context, Callback callback, Look look)
      : EventHandlerBase(context, std::move(look)), callback_(std::move(callback)) {}

  void execute(const std::shared_ptr<void> & data) override {
    if (data) callback_(*std::static_pointer_cast<InfoT>(data));
  }

 protected:
  bool differs(const tandem::Status & before, const tandem::Status & now) const override {
    InfoT info{};
    return detail::describe(before, now, info);
  }
  std::shared_ptr<void> difference(const tandem::Status & before, const tandem::Status & now) const override {
    auto info = std::make_shared<InfoT>();
    return detail::describe(before, now, *info) ? info : nullptr;
  }

 private:
  const Callback callback_;
};

using QOSEventHandlerBase = EventHandlerBase;
template <class EventCallbackT, class ParentHandleT = void>
using QOSEventHandler = EventHandler<EventCallbackT, ParentHandleT>;

}  // namespace rclcpp

#endif  // RCLCPP__EVENT_HANDLER_HPP_
