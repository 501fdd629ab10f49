// The parameters of another node, asked for through the services that every node has.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "graph/service_question.hpp"
#include "rcl_interfaces/msg/parameter.hpp"
#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rcl_interfaces/msg/set_parameters_result.hpp"

namespace ros2cli {

/// Every call waits for the node's service until `deadline`, then for its reply as long as the node is there.
/// \throws CommandError of each, if the service does not come or goes.
class ParameterNode {
 public:
  using Parameter = rcl_interfaces::msg::Parameter;
  using Value = rcl_interfaces::msg::ParameterValue;
  using Descriptor = rcl_interfaces::msg::ParameterDescriptor;
  using Result = rcl_interfaces::msg::SetParametersResult;

  /// `self` is the node that asks; `name` the full name of the one that is asked.
  ParameterNode(const Session & session, transport::NodeName self, std::string name, Deadline deadline)
      : session_(session), self_(std::move(self)), name_(std::move(name)), deadline_(deadline) {}

  const std::string & name() const { return name_; }
  /// Sorted; those below the prefixes only, if there are any.
  std::vector<std::string> list(const std::vector<std::string> & prefixes = {}) const;
  /// Nothing if one of them is not declared.
  std::vector<Value> get(const std::vector<std::string> & names) const;
  /// Nothing if one of them is not declared.
  std::vector<Descriptor> describe(const std::vector<std::string> & names) const;
  /// Each by itself. One result for each.
  std::vector<Result> set(const std::vector<Parameter> & parameters) const;

 private:
  ServiceQuestion question(const char * service) const;

  const Session & session_;
  const transport::NodeName self_;
  const std::string name_;
  const Deadline deadline_;
};

/// As parameter files have it. What is no value there is a string.
ParameterNode::Value parameter_value(const std::string & text);

/// Completer: the parameters of the node that was typed before.
std::vector<std::string> parameter_names(const std::vector<std::string> & before);

}  // namespace ros2cli
