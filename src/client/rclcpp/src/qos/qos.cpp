// QoS setters and conversion.
#include "rclcpp/qos.hpp"

#include <limits>

#include "qos/qos_conversion.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "transport/transport_limits.hpp"

namespace rclcpp {

namespace {
void warn_about_no_depth() {
  RCLCPP_WARN_ONCE(get_logger("rclcpp"),
                   "A QoS that keeps the last 0 messages could store none. Its depth is the system's default instead.");
}
}  // namespace

QoSInitialization::QoSInitialization(rmw_qos_history_policy_t history_policy_arg, size_t depth_arg,
                                     bool print_depth_warning)
    : history_policy(history_policy_arg), depth(depth_arg) {
  if (print_depth_warning && depth == 0 && history_policy == RMW_QOS_POLICY_HISTORY_KEEP_LAST) warn_about_no_depth();
}

QoSInitialization QoSInitialization::from_rmw(const rmw_qos_profile_t & rmw_qos) {
  if (rmw_qos.history == RMW_QOS_POLICY_HISTORY_KEEP_ALL) return KeepAll();
  return KeepLast(rmw_qos.depth, rmw_qos.history != RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT);
}

std::string qos_policy_name_from_kind(rmw_qos_policy_kind_t policy_kind) {
  switch (policy_kind) {
    case RMW_QOS_POLICY_DURABILITY: return "DURABILITY_QOS_POLICY";
    case RMW_QOS_POLICY_DEADLINE: return "DEADLINE_QOS_POLICY";
    case RMW_QOS_POLICY_LIVELINESS: return "LIVELINESS_QOS_POLICY";
    case RMW_QOS_POLICY_RELIABILITY: return "RELIABILITY_QOS_POLICY";
    case RMW_QOS_POLICY_HISTORY: return "HISTORY_QOS_POLICY";
    case RMW_QOS_POLICY_LIFESPAN: return "LIFESPAN_QOS_POLICY";
    default: return "INVALID_QOS_POLICY";
  }
}

QoS::QoS(const QoSInitialization & qos_initialization, const rmw_qos_profile_t & initial_profile)
    : profile_(initial_profile) {
  profile_.history = qos_initialization.history_policy;
  profile_.depth = qos_initialization.depth;
}

QoS & QoS::history(rmw_qos_history_policy_t policy) {
  profile_.history = policy;
  return *this;
}

QoS & QoS::keep_last(size_t depth) {
  if (depth == 0) warn_about_no_depth();
  profile_.history = RMW_QOS_POLICY_HISTORY_KEEP_LAST;
  profile_.depth = depth;
  return *this;
}

QoS & QoS::keep_all() {
  profile_.history = RMW_QOS_POLICY_HISTORY_KEEP_ALL;
  profile_.depth = 0;
  return *this;
}

QoS & QoS::reliability(rmw_qos_reliability_policy_t policy) {
  profile_.reliability = policy;
  return *this;
}

QoS & QoS::durability(rmw_qos_durability_policy_t policy) {
  profile_.durability = policy;
  return *this;
}

QoS & QoS::deadline(rmw_time_t deadline) {
  profile_.deadline = deadline;
  return *this;
}

QoS & QoS::lifespan(rmw_time_t lifespan) {
  profile_.lifespan = lifespan;
  return *this;
}

QoS & QoS::liveliness(rmw_qos_liveliness_policy_t policy) {
  profile_.liveliness = policy;
  return *this;
}

QoS & QoS::liveliness_lease_duration(rmw_time_t duration) {
  profile_.liveliness_lease_duration = duration;
  return *this;
}

QoS & QoS::avoid_ros_namespace_conventions(bool avoid) {
  profile_.avoid_ros_namespace_conventions = avoid;
  return *this;
}

namespace {
bool equal(const rmw_time_t & a, const rmw_time_t & b) { return a.sec == b.sec && a.nsec == b.nsec; }
}  // namespace

bool operator==(const QoS & left, const QoS & right) {
  const auto & a = left.get_rmw_qos_profile();
  const auto & b = right.get_rmw_qos_profile();
  return a.history == b.history && a.depth == b.depth && a.reliability == b.reliability &&
         a.durability == b.durability && equal(a.deadline, b.deadline) && equal(a.lifespan, b.lifespan) &&
         a.liveliness == b.liveliness && equal(a.liveliness_lease_duration, b.liveliness_lease_duration) &&
         a.avoid_ros_namespace_conventions == b.avoid_ros_namespace_conventions;
}

bool operator!=(const QoS & left, const QoS & right) { return !(left == right); }

namespace detail {
namespace {

using tandem::transport::EndpointKind;

[[noreturn]] void refuse(const std::string & topic, const std::string & what) {
  throw exceptions::RCLInvalidArgument("topic '" + topic + "': " + what);
}

/// Times that mean "for ever": unset, RMW_DURATION_INFINITE, DDS's, and "best available", which asks for nothing.
std::chrono::nanoseconds to_transport(const rmw_time_t & time) {
  constexpr rmw_time_t kBestAvailable = RMW_QOS_DEADLINE_BEST_AVAILABLE;  // of leases, too
  const bool is_endless = Duration::from_rmw_time(time) >= Duration::max();
  if (is_endless || equal(time, rmw_time_t RMW_DURATION_UNSPECIFIED) || equal(time, kBestAvailable)) {
    return tandem::transport::kInfinite;
  }
  return std::chrono::nanoseconds(Duration::from_rmw_time(time).nanoseconds());
}

void require_known(const rmw_qos_profile_t & profile, const std::string & topic) {
  if (profile.history == RMW_QOS_POLICY_HISTORY_UNKNOWN || profile.reliability == RMW_QOS_POLICY_RELIABILITY_UNKNOWN ||
      profile.durability == RMW_QOS_POLICY_DURABILITY_UNKNOWN ||
      profile.liveliness == RMW_QOS_POLICY_LIVELINESS_UNKNOWN) {
    refuse(topic, "a QoS policy is 'unknown'; set history, reliability, durability and liveliness");
  }
  if (profile.depth > std::numeric_limits<std::uint32_t>::max()) {
    refuse(topic, "the QoS history depth " + std::to_string(profile.depth) + " is too large");
  }
}

void require_supported(const tandem::transport::Qos & qos, const std::string & topic) {
  using tandem::transport::Feature;
  const auto require = [&topic](bool is_asked, Feature feature, const std::string & policy) {
    const auto lack = is_asked ? why_lacking(feature) : std::nullopt;
    if (lack) refuse(topic, "the QoS policy " + policy + " is not supported by " + *lack);
  };
  require(qos.deadline != tandem::transport::kInfinite, Feature::kDeadline, "deadline");
  require(qos.lifespan != tandem::transport::kInfinite, Feature::kLifespan, "lifespan");
  require(qos.liveliness == tandem::transport::Liveliness::kManualByTopic, Feature::kLiveliness,
          "liveliness 'manual by topic'");
}

}  // namespace

tandem::transport::Qos to_transport(const QoS & qos, const std::string & topic, EndpointKind kind) {
  const auto & profile = qos.get_rmw_qos_profile();
  require_known(profile, topic);
  tandem::transport::Qos result;
  using namespace tandem::transport;  // NOLINT: its policy names
  if (profile.history == RMW_QOS_POLICY_HISTORY_KEEP_ALL) {
    result.history = History::kKeepAll;
  } else if (profile.depth != 0) {
    result.depth = static_cast<std::uint32_t>(profile.depth);
  }
  // "Best available" matches whatever the other side has.
  const bool best_effort =
      profile.reliability == RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT ||
      (profile.reliability == RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE && kind == EndpointKind::kSubscription);
  result.reliability = best_effort ? Reliability::kBestEffort : Reliability::kReliable;
  const bool transient = profile.durability == RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  result.durability = transient ? Durability::kTransientLocal : Durability::kVolatile;
  result.deadline = to_transport(profile.deadline);
  result.lifespan = to_transport(profile.lifespan);
  const bool manual = profile.liveliness == RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC;
  result.liveliness = manual ? Liveliness::kManualByTopic : Liveliness::kAutomatic;
  result.lease = to_transport(profile.liveliness_lease_duration);
  require_supported(result, topic);
  return result;
}

QoS from_transport(const tandem::transport::Qos & qos) {
  using namespace tandem::transport;  // NOLINT: its policy names
  QoS result(KeepLast(qos.depth));
  if (qos.history == History::kKeepAll) result.keep_all();
  if (qos.reliability == Reliability::kBestEffort) result.best_effort();
  if (qos.durability == Durability::kTransientLocal) result.transient_local();
  const auto time = [](std::chrono::nanoseconds t) {
    return t == kInfinite ? rmw_time_t RMW_DURATION_INFINITE : Duration(t).to_rmw_time();
  };
  result.deadline(time(qos.deadline));
  result.lifespan(time(qos.lifespan));
  const bool manual = qos.liveliness == Liveliness::kManualByTopic;
  result.liveliness(manual ? RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC : RMW_QOS_POLICY_LIVELINESS_AUTOMATIC);
  result.liveliness_lease_duration(time(qos.lease));
  return result;
}

}  // namespace detail
}  // namespace rclcpp
