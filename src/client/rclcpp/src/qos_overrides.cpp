// Declaring and applying QoS overrides.
#include "qos_overrides.hpp"

#include <stdexcept>

#include "rmw/qos_string_conversions.h"

namespace rclcpp::detail {
namespace {

class Overrides {
 public:
  Overrides(std::string topic, node_interfaces::NodeParametersInterface & parameters)
      : prefix_("qos_overrides." + std::move(topic) + ".subscription."), parameters_(parameters) {}

  template <class T>
  T get(const std::string & policy, const T & value) {
    const std::string name = prefix_ + policy;
    if (!parameters_.has_parameter(name)) {
      rcl_interfaces::msg::ParameterDescriptor descriptor;
      descriptor.description = "QoS policy of a subscription: " + policy;
      descriptor.read_only = true;
      parameters_.declare_parameter(name, ParameterValue(value), descriptor);
    }
    return parameters_.get_parameter(name).get_value<T>();
  }

  /// A policy that is written as text. \param to_text,from_text of rmw/qos_string_conversions.h.
  template <class Policy>
  Policy get(const std::string & policy, Policy value, const char * (*to_text)(Policy),
             Policy (*from_text)(const char *), Policy unknown) {
    const char * const text = to_text(value);
    const auto given = get<std::string>(policy, text == nullptr ? "unknown" : text);
    const Policy result = from_text(given.c_str());
    if (result == unknown) {
      throw std::invalid_argument("parameter '" + prefix_ + policy + "' is '" + given + "', which is no such policy");
    }
    return result;
  }

 private:
  const std::string prefix_;
  node_interfaces::NodeParametersInterface & parameters_;
};

}  // namespace

QoS with_overrides(const QoS & qos, const std::string & topic, node_interfaces::NodeParametersInterface & parameters) {
  Overrides overrides(topic, parameters);
  QoS result = qos;
  auto & profile = result.get_rmw_qos_profile();
  profile.history = overrides.get("history", profile.history, rmw_qos_history_policy_to_str,
                                  rmw_qos_history_policy_from_str, RMW_QOS_POLICY_HISTORY_UNKNOWN);
  const auto depth = overrides.get<std::int64_t>("depth", static_cast<std::int64_t>(profile.depth));
  if (depth < 0) throw std::invalid_argument("a QoS override of '" + topic + "' asks for a negative depth");
  profile.depth = static_cast<std::size_t>(depth);
  profile.reliability = overrides.get("reliability", profile.reliability, rmw_qos_reliability_policy_to_str,
                                      rmw_qos_reliability_policy_from_str, RMW_QOS_POLICY_RELIABILITY_UNKNOWN);
  profile.durability = overrides.get("durability", profile.durability, rmw_qos_durability_policy_to_str,
                                     rmw_qos_durability_policy_from_str, RMW_QOS_POLICY_DURABILITY_UNKNOWN);
  return result;
}

}  // namespace rclcpp::detail
