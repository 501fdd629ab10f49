// Events of publishers and subscriptions.
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "entities/endpoints.hpp"
#include "rmw/events_statuses/events_statuses.h"

namespace tandem_py {
namespace {

/// For events that time brings about, which somebody has to look for.
class TimedEvent : public rclcpp::Waitable, public HasSlot {
 public:
  TimedEvent(std::shared_ptr<rclcpp::EventHandlerBase> handler, std::shared_ptr<Slot> slot)
      : HasSlot(std::move(slot)), handler_(std::move(handler)) {}

  void add_to_wait_set(rcl_wait_set_t & wait_set) override { handler_->add_to_wait_set(wait_set); }
  bool is_ready(const rcl_wait_set_t & wait_set) override { return handler_->is_ready(wait_set); }
  std::shared_ptr<void> take_data() override { return slot(); }

 private:
  const std::shared_ptr<rclcpp::EventHandlerBase> handler_;
};

/// The status of an event, as a Python object; zeros where nothing has happened.
using ToPython = py::object (*)(const std::shared_ptr<void> &);

template <class Status>
py::object to_python(const std::shared_ptr<void> & data) {
  return py::cast(data ? *static_cast<const Status *>(data.get()) : Status{});
}

template <>
py::object to_python<rmw_qos_incompatible_event_status_t>(const std::shared_ptr<void> & data) {
  rmw_qos_incompatible_event_status_t status{};
  status.last_policy_kind = RMW_QOS_POLICY_INVALID;
  if (data) status = *static_cast<const rmw_qos_incompatible_event_status_t *>(data.get());
  return py::cast(status);
}

ToPython conversion_of(rcl_publisher_event_type_t kind) {
  switch (kind) {
    case RCL_PUBLISHER_OFFERED_DEADLINE_MISSED: return to_python<rmw_offered_deadline_missed_status_t>;
    case RCL_PUBLISHER_LIVELINESS_LOST: return to_python<rmw_liveliness_lost_status_t>;
    case RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS: return to_python<rmw_qos_incompatible_event_status_t>;
    case RCL_PUBLISHER_INCOMPATIBLE_TYPE: return to_python<rmw_incompatible_type_status_t>;
    case RCL_PUBLISHER_MATCHED: break;
  }
  return to_python<rmw_matched_status_t>;
}

ToPython conversion_of(rcl_subscription_event_type_t kind) {
  switch (kind) {
    case RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED: return to_python<rmw_requested_deadline_missed_status_t>;
    case RCL_SUBSCRIPTION_LIVELINESS_CHANGED: return to_python<rmw_liveliness_changed_status_t>;
    case RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS: return to_python<rmw_qos_incompatible_event_status_t>;
    case RCL_SUBSCRIPTION_MESSAGE_LOST: return to_python<rmw_message_lost_status_t>;
    case RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE: return to_python<rmw_incompatible_type_status_t>;
    case RCL_SUBSCRIPTION_MATCHED: break;
  }
  return to_python<rmw_matched_status_t>;
}

bool is_timed(rcl_publisher_event_type_t kind) {
  return kind == RCL_PUBLISHER_OFFERED_DEADLINE_MISSED || kind == RCL_PUBLISHER_LIVELINESS_LOST;
}
bool is_timed(rcl_subscription_event_type_t kind) {
  return kind == RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED || kind == RCL_SUBSCRIPTION_LIVELINESS_CHANGED;
}

class EventHandle : public ServedHandle {
 public:
  template <class Parent, class Kind>
  EventHandle(std::shared_ptr<Parent> parent, Kind kind)
      : parent_(parent), to_python_(conversion_of(kind)), is_timed_(is_timed(kind)) {
    const auto & events = parent->events();
    const auto found = events.find(kind);
    if (found == events.end()) throw_error("UnsupportedEventTypeError", "this middleware has no such event");
    handler_ = found->second;
  }
  ~EventHandle() override { stop_serving(); }

  void serve(NodeHandle & node, const std::shared_ptr<rclcpp::CallbackGroup> & group) override {
    required(handler_);
    if (!is_timed_) {
      // Nothing is asked while nothing happens.
      handler_->set_on_ready_callback(
          [queue = std::weak_ptr<ReadyQueue>(node.queue()), slot = slot()](std::size_t, int) {
            if (const auto ready = queue.lock()) ready->push(slot);
          });
      return;
    }
    timed_ = std::make_shared<TimedEvent>(handler_, slot());
    group_ = group;
    group->add_waitable(timed_);
  }

  void stop_serving() override {
    if (handler_ && !is_timed_) handler_->clear_on_ready_callback();
    if (group_ && timed_) group_->remove_waitable(timed_);
    group_ = nullptr;
    timed_ = nullptr;
  }

  py::object take(const std::shared_ptr<void> &) override {
    const auto data = required(handler_).take_data();
    return data ? to_python_(data) : py::object();
  }
  py::object take_event() { return to_python_(required(handler_).take_data()); }

  void watch(const std::function<void()> & wake) override {
    required(handler_).set_on_ready_callback([wake](std::size_t, int) { wake(); });
  }
  bool is_ready() override { return required(handler_).is_ready({}); }

 private:
  void destroy() override {
    stop_serving();
    handler_ = nullptr;
    parent_ = nullptr;
  }

  std::shared_ptr<Destroyable> parent_;
  const ToPython to_python_;
  const bool is_timed_;
  std::shared_ptr<rclcpp::EventHandlerBase> handler_;
  std::shared_ptr<TimedEvent> timed_;
  std::shared_ptr<rclcpp::CallbackGroup> group_;
};

std::shared_ptr<EventHandle> make_event(const py::object & parent, int kind) {
  if (py::isinstance<PublisherHandle>(parent)) {
    return std::make_shared<EventHandle>(parent.cast<std::shared_ptr<PublisherHandle>>(),
                                         static_cast<rcl_publisher_event_type_t>(kind));
  }
  return std::make_shared<EventHandle>(parent.cast<std::shared_ptr<SubscriptionHandle>>(),
                                       static_cast<rcl_subscription_event_type_t>(kind));
}

template <class Status>
py::class_<Status> counted(py::module_ & module, const char * name) {
  return py::class_<Status>(module, name)
      .def(py::init<>())
      .def_readonly("total_count", &Status::total_count)
      .def_readonly("total_count_change", &Status::total_count_change);
}

}  // namespace

void add_events(py::module_ & module) {
  py::class_<EventHandle, ServedHandle, std::shared_ptr<EventHandle>>(module, "EventHandle")
      .def(py::init(&make_event))
      .def("take_event", &EventHandle::take_event);

  counted<rmw_requested_deadline_missed_status_t>(module, "rmw_requested_deadline_missed_status_t");
  counted<rmw_offered_deadline_missed_status_t>(module, "rmw_offered_deadline_missed_status_t");
  counted<rmw_liveliness_lost_status_t>(module, "rmw_liveliness_lost_status_t");
  counted<rmw_message_lost_status_t>(module, "rmw_message_lost_status_t");
  py::class_<rmw_incompatible_type_status_t>(module, "rmw_incompatible_type_status_t")
      .def(py::init<>())
      .def_readonly("total_count", &rmw_incompatible_type_status_t::total_count)
      .def_readonly("total_count_change", &rmw_incompatible_type_status_t::total_count_change);
  counted<rmw_matched_status_t>(module, "rmw_matched_status_t")
      .def_readonly("current_count", &rmw_matched_status_t::current_count)
      .def_readonly("current_count_change", &rmw_matched_status_t::current_count_change);
  counted<rmw_qos_incompatible_event_status_t>(module, "rmw_requested_qos_incompatible_event_status_t")
      .def_property_readonly("last_policy_kind", [](const rmw_qos_incompatible_event_status_t & self) {
        return static_cast<int>(self.last_policy_kind);
      });
  py::class_<rmw_liveliness_changed_status_t>(module, "rmw_liveliness_changed_status_t")
      .def(py::init<>())
      .def_readonly("alive_count", &rmw_liveliness_changed_status_t::alive_count)
      .def_readonly("not_alive_count", &rmw_liveliness_changed_status_t::not_alive_count)
      .def_readonly("alive_count_change", &rmw_liveliness_changed_status_t::alive_count_change)
      .def_readonly("not_alive_count_change", &rmw_liveliness_changed_status_t::not_alive_count_change);
}

}  // namespace tandem_py
