// Numbers with names.
#include <initializer_list>
#include <utility>

#include "base/parts.hpp"
#include "rcl/event.h"
#include "rcl/service_introspection.h"
#include "rcl/time.h"
#include "rclcpp/qos.hpp"
#include "rmw/qos_policy_kind.h"
#include "rmw/types.h"

namespace tandem_py {
namespace {

using Members = std::initializer_list<std::pair<const char *, int>>;

/// An enum.IntEnum, or, if `is_strict`, one that is no number.
py::object make_enum(py::module_ & module, const char * name, Members members, bool is_strict = false) {
  py::list pairs;
  for (const auto & [member, value] : members) pairs.append(py::make_tuple(member, value));
  const py::object made = py::module_::import("enum").attr(is_strict ? "Enum" : "IntEnum")(
      name, pairs, py::arg("module") = "rclpy._rclpy_pybind11");
  module.attr(name) = made;
  return made;
}

void add_events_and_policies(py::module_ & module) {
  make_enum(module, "rcl_subscription_event_type_t",
            {{"RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED", RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED},
             {"RCL_SUBSCRIPTION_LIVELINESS_CHANGED", RCL_SUBSCRIPTION_LIVELINESS_CHANGED},
             {"RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS", RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS},
             {"RCL_SUBSCRIPTION_MESSAGE_LOST", RCL_SUBSCRIPTION_MESSAGE_LOST},
             {"RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE", RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE},
             {"RCL_SUBSCRIPTION_MATCHED", RCL_SUBSCRIPTION_MATCHED}});
  make_enum(module, "rcl_publisher_event_type_t",
            {{"RCL_PUBLISHER_OFFERED_DEADLINE_MISSED", RCL_PUBLISHER_OFFERED_DEADLINE_MISSED},
             {"RCL_PUBLISHER_LIVELINESS_LOST", RCL_PUBLISHER_LIVELINESS_LOST},
             {"RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS", RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS},
             {"RCL_PUBLISHER_INCOMPATIBLE_TYPE", RCL_PUBLISHER_INCOMPATIBLE_TYPE},
             {"RCL_PUBLISHER_MATCHED", RCL_PUBLISHER_MATCHED}});
  make_enum(module, "rmw_qos_policy_kind_t",
            {{"RMW_QOS_POLICY_INVALID", 1},
             {"RMW_QOS_POLICY_DURABILITY", RMW_QOS_POLICY_DURABILITY},
             {"RMW_QOS_POLICY_DEADLINE", RMW_QOS_POLICY_DEADLINE},
             {"RMW_QOS_POLICY_LIVELINESS", RMW_QOS_POLICY_LIVELINESS},
             {"RMW_QOS_POLICY_RELIABILITY", RMW_QOS_POLICY_RELIABILITY},
             {"RMW_QOS_POLICY_HISTORY", RMW_QOS_POLICY_HISTORY},
             {"RMW_QOS_POLICY_LIFESPAN", RMW_QOS_POLICY_LIFESPAN},
             {"RMW_QOS_POLICY_DEPTH", RMW_QOS_POLICY_DEPTH},
             {"RMW_QOS_POLICY_LIVELINESS_LEASE_DURATION", RMW_QOS_POLICY_LIVELINESS_LEASE_DURATION},
             {"RMW_QOS_POLICY_AVOID_ROS_NAMESPACE_CONVENTIONS", RMW_QOS_POLICY_AVOID_ROS_NAMESPACE_CONVENTIONS}});
}

/// How transitions of managed nodes end.
enum class TransitionResult { kSuccess = 97, kFailure = 98, kError = 99 };

}  // namespace

void add_enums(py::module_ & module) {
  make_enum(module, "ClockType",
            {{"UNINITIALIZED", RCL_CLOCK_UNINITIALIZED},
             {"ROS_TIME", RCL_ROS_TIME},
             {"SYSTEM_TIME", RCL_SYSTEM_TIME},
             {"STEADY_TIME", RCL_STEADY_TIME}});
  make_enum(module, "ClockChange",
            {{"ROS_TIME_NO_CHANGE", RCL_ROS_TIME_NO_CHANGE},
             {"ROS_TIME_ACTIVATED", RCL_ROS_TIME_ACTIVATED},
             {"ROS_TIME_DEACTIVATED", RCL_ROS_TIME_DEACTIVATED},
             {"SYSTEM_TIME_NO_CHANGE", RCL_SYSTEM_TIME_NO_CHANGE}});
  make_enum(module, "GoalEvent", {{"EXECUTE", 0}, {"CANCEL_GOAL", 1}, {"SUCCEED", 2}, {"ABORT", 3}, {"CANCELED", 4}});
  make_enum(module, "QoSCompatibility",
            {{"OK", static_cast<int>(rclcpp::QoSCompatibility::Ok)},
             {"WARNING", static_cast<int>(rclcpp::QoSCompatibility::Warning)},
             {"ERROR", static_cast<int>(rclcpp::QoSCompatibility::Error)}});
  add_events_and_policies(module);
  make_enum(module, "RCUTILS_LOG_SEVERITY",
            {{"RCUTILS_LOG_SEVERITY_UNSET", 0},
             {"RCUTILS_LOG_SEVERITY_DEBUG", 10},
             {"RCUTILS_LOG_SEVERITY_INFO", 20},
             {"RCUTILS_LOG_SEVERITY_WARN", 30},
             {"RCUTILS_LOG_SEVERITY_ERROR", 40},
             {"RCUTILS_LOG_SEVERITY_FATAL", 50}});
  make_enum(module, "SignalHandlerOptions", {{"NO", 0}, {"SIGINT", 1}, {"SIGTERM", 2}, {"ALL", 3}}, true);

  py::enum_<TransitionResult>(module, "TransitionCallbackReturnType")
      .value("SUCCESS", TransitionResult::kSuccess)
      .value("FAILURE", TransitionResult::kFailure)
      .value("ERROR", TransitionResult::kError)
      .def("to_label", [](TransitionResult self) {
        return self == TransitionResult::kSuccess   ? "transition_success"
               : self == TransitionResult::kFailure ? "transition_failure"
                                                    : "transition_error";
      });
  auto introspection = module.def_submodule("service_introspection");
  make_enum(introspection, "ServiceIntrospectionState",
            {{"OFF", RCL_SERVICE_INTROSPECTION_OFF},
             {"METADATA", RCL_SERVICE_INTROSPECTION_METADATA},
             {"CONTENTS", RCL_SERVICE_INTROSPECTION_CONTENTS}});
}

}  // namespace tandem_py
