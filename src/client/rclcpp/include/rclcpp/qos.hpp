// Quality of service: what a publisher and a subscription ask of each other.
#ifndef RCLCPP__QOS_HPP_
#define RCLCPP__QOS_HPP_

#include <cstddef>
#include <string>

#include "rcl/logging_rosout.h"
#include "rclcpp/duration.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rmw/qos_policy_kind.h"
#include "rmw/qos_profiles.h"
#include "rmw/types.h"

namespace rclcpp {

enum class HistoryPolicy {
  KeepLast = RMW_QOS_POLICY_HISTORY_KEEP_LAST,
  KeepAll = RMW_QOS_POLICY_HISTORY_KEEP_ALL,
  SystemDefault = RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT,
  Unknown = RMW_QOS_POLICY_HISTORY_UNKNOWN,
};

enum class ReliabilityPolicy {
  BestEffort = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT,
  Reliable = RMW_QOS_POLICY_RELIABILITY_RELIABLE,
  SystemDefault = RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT,
  BestAvailable = RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE,
  Unknown = RMW_QOS_POLICY_RELIABILITY_UNKNOWN,
};

enum class DurabilityPolicy {
  Volatile = RMW_QOS_POLICY_DURABILITY_VOLATILE,
  TransientLocal = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL,
  SystemDefault = RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT,
  BestAvailable = RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE,
  Unknown = RMW_QOS_POLICY_DURABILITY_UNKNOWN,
};

enum class LivelinessPolicy {
  Automatic = RMW_QOS_POLICY_LIVELINESS_AUTOMATIC,
  ManualByTopic = RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC,
  SystemDefault = RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT,
  BestAvailable = RMW_QOS_POLICY_LIVELINESS_BEST_AVAILABLE,
  Unknown = RMW_QOS_POLICY_LIVELINESS_UNKNOWN,
};

enum class QoSCompatibility {
  Ok = RMW_QOS_COMPATIBILITY_OK,
  Warning = RMW_QOS_COMPATIBILITY_WARNING,
  Error = RMW_QOS_COMPATIBILITY_ERROR,
};

/// How a QoS begins: history and depth. Depth 0 means the system's default; to keep the last 0 is warned of, once.
struct RCLCPP_PUBLIC QoSInitialization {
  rmw_qos_history_policy_t history_policy;
  size_t depth;

  QoSInitialization(rmw_qos_history_policy_t history_policy_arg, size_t depth_arg, bool print_depth_warning = true);
  /// To keep the last ones, unless it keeps all.
  static QoSInitialization from_rmw(const rmw_qos_profile_t & rmw_qos);
};

struct KeepAll : QoSInitialization {
  KeepAll() : QoSInitialization(RMW_QOS_POLICY_HISTORY_KEEP_ALL, 0) {}
};

struct KeepLast : QoSInitialization {
  explicit KeepLast(size_t messages, bool print_depth_warning = true)
      : QoSInitialization(RMW_QOS_POLICY_HISTORY_KEEP_LAST, messages, print_depth_warning) {}
};

/// Setters return *this. A time of 0 means that there is no limit.
class RCLCPP_PUBLIC QoS {
 public:
  explicit QoS(const QoSInitialization & qos_initialization,
               const rmw_qos_profile_t & initial_profile = rmw_qos_profile_default);
  QoS(size_t history_depth) : QoS(KeepLast(history_depth)) {}  // NOLINT: implicit, as in rclcpp

  rmw_qos_profile_t & get_rmw_qos_profile() { return profile_; }
  const rmw_qos_profile_t & get_rmw_qos_profile() const { return profile_; }

  QoS & history(HistoryPolicy policy) { return history(static_cast<rmw_qos_history_policy_t>(policy)); }
  QoS & history(rmw_qos_history_policy_t policy);
  QoS & keep_last(size_t depth);
  QoS & keep_all();
  QoS & reliability(ReliabilityPolicy policy) { return reliability(static_cast<rmw_qos_reliability_policy_t>(policy)); }
  QoS & reliability(rmw_qos_reliability_policy_t policy);
  QoS & reliable() { return reliability(RMW_QOS_POLICY_RELIABILITY_RELIABLE); }
  QoS & best_effort() { return reliability(RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT); }
  QoS & reliability_best_available() { return reliability(RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE); }
  QoS & durability(DurabilityPolicy policy) { return durability(static_cast<rmw_qos_durability_policy_t>(policy)); }
  QoS & durability(rmw_qos_durability_policy_t policy);
  QoS & durability_volatile() { return durability(RMW_QOS_POLICY_DURABILITY_VOLATILE); }
  QoS & transient_local() { return durability(RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL); }
  QoS & durability_best_available() { return durability(RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE); }
  QoS & deadline(rmw_time_t deadline);
  QoS & deadline(const Duration & deadline) { return this->deadline(deadline.to_rmw_time()); }
  QoS & lifespan(rmw_time_t lifespan);
  QoS & lifespan(const Duration & lifespan) { return this->lifespan(lifespan.to_rmw_time()); }
  QoS & liveliness(LivelinessPolicy policy) { return liveliness(static_cast<rmw_qos_liveliness_policy_t>(policy)); }
  QoS & liveliness(rmw_qos_liveliness_policy_t policy);
  QoS & liveliness_lease_duration(rmw_time_t duration);
  QoS & liveliness_lease_duration(const Duration & duration) {
    return liveliness_lease_duration(duration.to_rmw_time());
  }
  QoS & avoid_ros_namespace_conventions(bool avoid);

  HistoryPolicy history() const { return static_cast<HistoryPolicy>(profile_.history); }
  size_t depth() const { return profile_.depth; }
  ReliabilityPolicy reliability() const { return static_cast<ReliabilityPolicy>(profile_.reliability); }
  DurabilityPolicy durability() const { return static_cast<DurabilityPolicy>(profile_.durability); }
  Duration deadline() const { return Duration::from_rmw_time(profile_.deadline); }
  Duration lifespan() const { return Duration::from_rmw_time(profile_.lifespan); }
  LivelinessPolicy liveliness() const { return static_cast<LivelinessPolicy>(profile_.liveliness); }
  Duration liveliness_lease_duration() const { return Duration::from_rmw_time(profile_.liveliness_lease_duration); }
  bool avoid_ros_namespace_conventions() const { return profile_.avoid_ros_namespace_conventions; }

 private:
  rmw_qos_profile_t profile_;
};

RCLCPP_PUBLIC bool operator==(const QoS & left, const QoS & right);
RCLCPP_PUBLIC bool operator!=(const QoS & left, const QoS & right);

#define RCLCPP_DETAIL_QOS_PRESET(NAME, PROFILE)                                                        \
  class NAME : public QoS {                                                                            \
   public:                                                                                             \
    explicit NAME(const QoSInitialization & qos_initialization = QoSInitialization::from_rmw(PROFILE)) \
        : QoS(qos_initialization, PROFILE) {}                                                          \
  }
RCLCPP_DETAIL_QOS_PRESET(BestAvailableQoS, rmw_qos_profile_best_available);
RCLCPP_DETAIL_QOS_PRESET(SensorDataQoS, rmw_qos_profile_sensor_data);
RCLCPP_DETAIL_QOS_PRESET(ParametersQoS, rmw_qos_profile_parameters);
RCLCPP_DETAIL_QOS_PRESET(ServicesQoS, rmw_qos_profile_services_default);
RCLCPP_DETAIL_QOS_PRESET(ParameterEventsQoS, rmw_qos_profile_parameter_events);
RCLCPP_DETAIL_QOS_PRESET(SystemDefaultsQoS, rmw_qos_profile_system_default);
#undef RCLCPP_DETAIL_QOS_PRESET

class ClockQoS : public QoS {
 public:
  explicit ClockQoS(const QoSInitialization & qos_initialization = KeepLast(1))
      : QoS(qos_initialization, rmw_qos_profile_sensor_data) {}
};

class RosoutQoS : public QoS {
 public:
  explicit RosoutQoS(const QoSInitialization & rosout_initialization = KeepLast(1000))
      : QoS(rosout_initialization, rcl_qos_profile_rosout_default) {}
};

/// "DURABILITY_QOS_POLICY" and its kin, as DDS names them; "INVALID_QOS_POLICY" for any other value.
RCLCPP_PUBLIC std::string qos_policy_name_from_kind(rmw_qos_policy_kind_t policy_kind);

struct QoSCheckCompatibleResult {
  QoSCompatibility compatibility;
  std::string reason;  ///< empty when compatible, else each problem with a semicolon behind it
};

/// Whether a publisher and a subscription can communicate; a warning when that depends on a "system default" or "unknown".
RCLCPP_PUBLIC QoSCheckCompatibleResult qos_check_compatible(const QoS & publisher_qos, const QoS & subscription_qos);

}  // namespace rclcpp

#endif  // RCLCPP__QOS_HPP_
