// What programs call of rmw.
#include "rmw/rmw.h"

#include <algorithm>
#include <cstring>

#include "rclcpp/duration.hpp"
#include "rcutils/allocator.h"
#include "rmw/allocators.h"
#include "rmw/qos_string_conversions.h"
#include "rmw/time.h"
#include "tandem/plugin.hpp"

namespace {

template <class Value>
struct Name {
  Value value;
  const char * text;
};

constexpr Name<rmw_qos_policy_kind_t> kKinds[] = {
    {RMW_QOS_POLICY_DURABILITY, "durability"},
    {RMW_QOS_POLICY_DEADLINE, "deadline"},
    {RMW_QOS_POLICY_LIVELINESS, "liveliness"},
    {RMW_QOS_POLICY_RELIABILITY, "reliability"},
    {RMW_QOS_POLICY_HISTORY, "history"},
    {RMW_QOS_POLICY_LIFESPAN, "lifespan"},
    {RMW_QOS_POLICY_DEPTH, "depth"},
    {RMW_QOS_POLICY_LIVELINESS_LEASE_DURATION, "liveliness_lease_duration"},
    {RMW_QOS_POLICY_AVOID_ROS_NAMESPACE_CONVENTIONS, "avoid_ros_namespace_conventions"},
};
constexpr Name<rmw_qos_durability_policy_e> kDurabilities[] = {
    {RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT, "system_default"},
    {RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL, "transient_local"},
    {RMW_QOS_POLICY_DURABILITY_VOLATILE, "volatile"},
    {RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE, "best_available"},
};
constexpr Name<rmw_qos_history_policy_e> kHistories[] = {
    {RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT, "system_default"},
    {RMW_QOS_POLICY_HISTORY_KEEP_LAST, "keep_last"},
    {RMW_QOS_POLICY_HISTORY_KEEP_ALL, "keep_all"},
};
constexpr Name<rmw_qos_liveliness_policy_e> kLivelinesses[] = {
    {RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT, "system_default"},
    {RMW_QOS_POLICY_LIVELINESS_AUTOMATIC, "automatic"},
    {RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC, "manual_by_topic"},
    {RMW_QOS_POLICY_LIVELINESS_BEST_AVAILABLE, "best_available"},
};
constexpr Name<rmw_qos_reliability_policy_e> kReliabilities[] = {
    {RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT, "system_default"},
    {RMW_QOS_POLICY_RELIABILITY_RELIABLE, "reliable"},
    {RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT, "best_effort"},
    {RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE, "best_available"},
};

template <class Names, class Value>
const char * text_of(const Names & names, Value value) {
  const auto * found = std::find_if(std::begin(names), std::end(names), [=](auto & n) { return n.value == value; });
  return found == std::end(names) ? nullptr : found->text;
}

template <class Names, class Value>
Value value_of(const Names & names, const char * text, Value otherwise) {
  if (!text) return otherwise;
  const auto * found =
      std::find_if(std::begin(names), std::end(names), [=](auto & n) { return std::strcmp(n.text, text) == 0; });
  return found == std::end(names) ? otherwise : found->value;
}

}  // namespace

extern "C" {

const char * rmw_get_implementation_identifier() {
  try {
    return tandem::transport::load().name();
  } catch (const tandem::transport::Error &) {
    return "";
  }
}

const char * rmw_qos_policy_kind_to_str(rmw_qos_policy_kind_t kind) { return text_of(kKinds, kind); }
const char * rmw_qos_durability_policy_to_str(rmw_qos_durability_policy_e value) {
  return text_of(kDurabilities, value);
}
const char * rmw_qos_history_policy_to_str(rmw_qos_history_policy_e value) { return text_of(kHistories, value); }
const char * rmw_qos_liveliness_policy_to_str(rmw_qos_liveliness_policy_e value) {
  return text_of(kLivelinesses, value);
}
const char * rmw_qos_reliability_policy_to_str(rmw_qos_reliability_policy_e value) {
  return text_of(kReliabilities, value);
}

rmw_qos_policy_kind_t rmw_qos_policy_kind_from_str(const char * str) {
  return value_of(kKinds, str, RMW_QOS_POLICY_INVALID);
}
rmw_qos_durability_policy_e rmw_qos_durability_policy_from_str(const char * str) {
  return value_of(kDurabilities, str, RMW_QOS_POLICY_DURABILITY_UNKNOWN);
}
rmw_qos_history_policy_e rmw_qos_history_policy_from_str(const char * str) {
  return value_of(kHistories, str, RMW_QOS_POLICY_HISTORY_UNKNOWN);
}
rmw_qos_liveliness_policy_e rmw_qos_liveliness_policy_from_str(const char * str) {
  return value_of(kLivelinesses, str, RMW_QOS_POLICY_LIVELINESS_UNKNOWN);
}
rmw_qos_reliability_policy_e rmw_qos_reliability_policy_from_str(const char * str) {
  return value_of(kReliabilities, str, RMW_QOS_POLICY_RELIABILITY_UNKNOWN);
}

bool rmw_time_equal(const rmw_time_t left, const rmw_time_t right) {
  return rmw_time_total_nsec(left) == rmw_time_total_nsec(right);
}
rmw_duration_t rmw_time_total_nsec(const rmw_time_t time) {
  return rclcpp::Duration::from_rmw_time(time).nanoseconds();
}
rmw_time_t rmw_time_from_nsec(const rmw_duration_t nanoseconds) {
  if (nanoseconds < 0) return RMW_DURATION_INFINITE;
  return rclcpp::Duration::from_nanoseconds(nanoseconds).to_rmw_time();
}
rmw_time_t rmw_time_normalize(const rmw_time_t time) { return rclcpp::Duration::from_rmw_time(time).to_rmw_time(); }

void * rmw_allocate(size_t size) {
  const rcutils_allocator_t allocator = rcutils_get_default_allocator();
  return allocator.allocate(size, allocator.state);
}
void rmw_free(void * pointer) {
  const rcutils_allocator_t allocator = rcutils_get_default_allocator();
  allocator.deallocate(pointer, allocator.state);
}

}  // extern "C"
