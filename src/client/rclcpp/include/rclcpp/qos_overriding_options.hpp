// Which QoS policies of an endpoint parameters may replace.
//
// The parameters are "qos_overrides./topic.publisher.reliability" and the like, or "…publisher_ID.…" for options with
// an id. The endpoint declares them, read-only, with the policies that the program gives as their defaults.
#ifndef RCLCPP__QOS_OVERRIDING_OPTIONS_HPP_
#define RCLCPP__QOS_OVERRIDING_OPTIONS_HPP_

#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "rcl_interfaces/msg/set_parameters_result.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rmw/qos_policy_kind.h"

namespace rclcpp {

enum class QosPolicyKind {
  AvoidRosNamespaceConventions = RMW_QOS_POLICY_AVOID_ROS_NAMESPACE_CONVENTIONS,
  Deadline = RMW_QOS_POLICY_DEADLINE,
  Depth = RMW_QOS_POLICY_DEPTH,
  Durability = RMW_QOS_POLICY_DURABILITY,
  History = RMW_QOS_POLICY_HISTORY,
  Lifespan = RMW_QOS_POLICY_LIFESPAN,
  Liveliness = RMW_QOS_POLICY_LIVELINESS,
  LivelinessLeaseDuration = RMW_QOS_POLICY_LIVELINESS_LEASE_DURATION,
  Reliability = RMW_QOS_POLICY_RELIABILITY,
  Invalid = RMW_QOS_POLICY_INVALID,
};

/// "reliability", "liveliness_lease_duration", ... \throws std::invalid_argument for what is no policy.
RCLCPP_PUBLIC const char * qos_policy_kind_to_cstr(const QosPolicyKind & kind);
RCLCPP_PUBLIC std::ostream & operator<<(std::ostream & os, const QosPolicyKind & kind);

using QosCallbackResult = rcl_interfaces::msg::SetParametersResult;
/// Looks at the QoS with all replacements, and may refuse it: then making the endpoint throws
/// exceptions::InvalidQosOverridesException.
using QosCallback = std::function<QosCallbackResult(const QoS &)>;

class RCLCPP_PUBLIC QosOverridingOptions {
 public:
  /// Nothing can be replaced.
  QosOverridingOptions() = default;
  /// \param id tells endpoints of one node and topic apart.
  QosOverridingOptions(std::initializer_list<QosPolicyKind> policy_kinds, QosCallback validation_callback = nullptr,
                       std::string id = {});
  /// History, depth and reliability.
  static QosOverridingOptions with_default_policies(QosCallback validation_callback = nullptr, std::string id = {});

  const std::string & get_id() const { return id_; }
  const std::vector<QosPolicyKind> & get_policy_kinds() const { return policy_kinds_; }
  const QosCallback & get_validation_callback() const { return validation_callback_; }

 private:
  std::string id_;
  std::vector<QosPolicyKind> policy_kinds_;
  QosCallback validation_callback_;
};

namespace node_interfaces {
class NodeParametersInterface;
}

namespace detail {

/// The QoS of an endpoint after its parameters, which are declared unless they are there.
/// \param parameters null: of a node without. \param endpoint "publisher" or "subscription"; what it is not allowed,
/// such as a lifespan of a subscription, is left out. \throws exceptions::InvalidQosOverridesException,
/// std::invalid_argument for a bad value, std::runtime_error when there are policies to replace but no parameters.
RCLCPP_PUBLIC QoS overridden_qos(node_interfaces::NodeParametersInterface * parameters,
                                 const QosOverridingOptions & options, const std::string & topic, const QoS & qos,
                                 const std::string & endpoint);

}  // namespace detail
}  // namespace rclcpp

#endif  // RCLCPP__QOS_OVERRIDING_OPTIONS_HPP_
