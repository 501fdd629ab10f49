// QoS policies from parameters.
#include <algorithm>
#include <array>
#include <ostream>
#include <stdexcept>

#include "rclcpp/exceptions.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/qos_overriding_options.hpp"
#include "rmw/qos_string_conversions.h"

namespace rclcpp {
namespace {

/// In the order in which they are declared and applied.
constexpr std::array kPolicies{
    QosPolicyKind::AvoidRosNamespaceConventions,
    QosPolicyKind::Deadline,
    QosPolicyKind::Durability,
    QosPolicyKind::History,
    QosPolicyKind::Depth,
    QosPolicyKind::Lifespan,
    QosPolicyKind::Liveliness,
    QosPolicyKind::LivelinessLeaseDuration,
    QosPolicyKind::Reliability,
};

ParameterValue text_value(const char * text) {
  if (!text) throw std::invalid_argument("a QoS policy that parameters may replace has no known value to begin with");
  return ParameterValue(text);
}

ParameterValue policy_of(const QoS & qos, QosPolicyKind kind) {
  const auto & profile = qos.get_rmw_qos_profile();
  switch (kind) {
    case QosPolicyKind::AvoidRosNamespaceConventions: return ParameterValue(profile.avoid_ros_namespace_conventions);
    case QosPolicyKind::Deadline: return ParameterValue(qos.deadline().nanoseconds());
    case QosPolicyKind::Durability: return text_value(rmw_qos_durability_policy_to_str(profile.durability));
    case QosPolicyKind::History: return text_value(rmw_qos_history_policy_to_str(profile.history));
    case QosPolicyKind::Depth: return ParameterValue(static_cast<std::int64_t>(profile.depth));
    case QosPolicyKind::Lifespan: return ParameterValue(qos.lifespan().nanoseconds());
    case QosPolicyKind::Liveliness: return text_value(rmw_qos_liveliness_policy_to_str(profile.liveliness));
    case QosPolicyKind::LivelinessLeaseDuration: return ParameterValue(qos.liveliness_lease_duration().nanoseconds());
    case QosPolicyKind::Reliability: return text_value(rmw_qos_reliability_policy_to_str(profile.reliability));
    case QosPolicyKind::Invalid: break;
  }
  throw std::invalid_argument("this is no kind of QoS policy");
}

/// \throws std::invalid_argument for a text that names no policy.
template <class Policy>
Policy known(Policy policy, Policy unknown, const Parameter & parameter) {
  if (policy != unknown) return policy;
  throw std::invalid_argument("parameter '" + parameter.get_name() + "': '" + parameter.as_string() +
                              "' is no such QoS policy");
}

std::int64_t not_negative(const Parameter & parameter) {
  if (parameter.as_int() >= 0) return parameter.as_int();
  throw exceptions::InvalidQosOverridesException("parameter '" + parameter.get_name() + "' cannot be negative");
}

void set_policy(QoS & qos, QosPolicyKind kind, const Parameter & parameter) {
  const auto text = [&] { return parameter.as_string(); };
  const auto time = [&] { return Duration::from_nanoseconds(not_negative(parameter)); };
  switch (kind) {
    case QosPolicyKind::AvoidRosNamespaceConventions: qos.avoid_ros_namespace_conventions(parameter.as_bool()); break;
    case QosPolicyKind::Deadline: qos.deadline(time()); break;
    case QosPolicyKind::Durability:
      qos.durability(
          known(rmw_qos_durability_policy_from_str(text().c_str()), RMW_QOS_POLICY_DURABILITY_UNKNOWN, parameter));
      break;
    case QosPolicyKind::History:
      qos.history(known(rmw_qos_history_policy_from_str(text().c_str()), RMW_QOS_POLICY_HISTORY_UNKNOWN, parameter));
      break;
    case QosPolicyKind::Depth: qos.get_rmw_qos_profile().depth = static_cast<size_t>(not_negative(parameter)); break;
    case QosPolicyKind::Lifespan: qos.lifespan(time()); break;
    case QosPolicyKind::Liveliness:
      qos.liveliness(
          known(rmw_qos_liveliness_policy_from_str(text().c_str()), RMW_QOS_POLICY_LIVELINESS_UNKNOWN, parameter));
      break;
    case QosPolicyKind::LivelinessLeaseDuration: qos.liveliness_lease_duration(time()); break;
    case QosPolicyKind::Reliability:
      qos.reliability(
          known(rmw_qos_reliability_policy_from_str(text().c_str()), RMW_QOS_POLICY_RELIABILITY_UNKNOWN, parameter));
      break;
    case QosPolicyKind::Invalid: break;
  }
}

/// Another endpoint of the same topic may have declared it.
Parameter declared(node_interfaces::NodeParametersInterface & parameters, const std::string & name,
                   const ParameterValue & value, const std::string & description) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = description;
  descriptor.read_only = true;
  try {
    return Parameter(name, parameters.declare_parameter(name, value, descriptor));
  } catch (const exceptions::ParameterAlreadyDeclaredException &) {
    return parameters.get_parameter(name);
  }
}

}  // namespace

QosOverridingOptions::QosOverridingOptions(std::initializer_list<QosPolicyKind> policy_kinds,
                                           QosCallback validation_callback, std::string id)
    : id_(std::move(id)), policy_kinds_(policy_kinds), validation_callback_(std::move(validation_callback)) {}

QosOverridingOptions QosOverridingOptions::with_default_policies(QosCallback validation_callback, std::string id) {
  return QosOverridingOptions({QosPolicyKind::History, QosPolicyKind::Depth, QosPolicyKind::Reliability},
                              std::move(validation_callback), std::move(id));
}

const char * qos_policy_kind_to_cstr(const QosPolicyKind & kind) {
  const char * text = rmw_qos_policy_kind_to_str(static_cast<rmw_qos_policy_kind_t>(kind));
  if (!text) throw std::invalid_argument("this is no kind of QoS policy");
  return text;
}

std::ostream & operator<<(std::ostream & os, const QosPolicyKind & kind) { return os << qos_policy_kind_to_cstr(kind); }

QoS detail::overridden_qos(node_interfaces::NodeParametersInterface * parameters, const QosOverridingOptions & options,
                           const std::string & topic, const QoS & qos, const std::string & endpoint) {
  const auto & kinds = options.get_policy_kinds();
  if (kinds.empty()) return qos;
  if (!parameters) {
    throw std::runtime_error("topic '" + topic + "': parameters may replace QoS policies, but there is no interface " +
                             "of the node's parameters");
  }
  const std::string id = options.get_id().empty() ? "" : "_" + options.get_id();
  const std::string prefix = "qos_overrides." + topic + "." + endpoint + id + ".";
  QoS result = qos;
  for (const auto kind : kPolicies) {
    const bool is_allowed = kind != QosPolicyKind::Lifespan || endpoint == "publisher";
    if (!is_allowed || std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) continue;
    const std::string policy = qos_policy_kind_to_cstr(kind);
    const std::string description = "the QoS policy " + policy + " of the " + endpoint + " on " + topic;
    set_policy(result, kind, declared(*parameters, prefix + policy, policy_of(qos, kind), description));
  }
  if (options.get_validation_callback()) {
    const auto verdict = options.get_validation_callback()(result);
    if (!verdict.successful) {
      throw exceptions::InvalidQosOverridesException("topic '" + topic +
                                                     "': validation callback failed: " + std::string(verdict.reason));
    }
  }
  return result;
}

}  // namespace rclcpp
