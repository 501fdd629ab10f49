#include "graph/parameter_node.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/graph.hpp"
#include "graph/service_question.hpp"
#include "rcl_interfaces/srv/describe_parameters.hpp"
#include "rcl_interfaces/srv/get_parameters.hpp"
#include "rcl_interfaces/srv/list_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/parameter_map.hpp"
#include "terminal/errors.hpp"

namespace ros2cli {
namespace {

using namespace rcl_interfaces::srv;  // NOLINT: of parameters
using std::chrono::steady_clock;

template <class From, class To>
void assign(const From & from, To & to) {
  to.assign(from.begin(), from.end());
}

template <class Sequence>
auto elements(const Sequence & sequence) {
  return std::vector<typename Sequence::value_type>(sequence.begin(), sequence.end());
}

}  // namespace

ServiceQuestion ParameterNode::question(const char * service) const {
  return {self_, name_, service, "Wait for service timed out waiting for parameter services for node " + name_,
          deadline_};
}

std::vector<std::string> ParameterNode::list(const std::vector<std::string> & prefixes) const {
  ListParameters::Request request;
  assign(prefixes, request.prefixes);
  const auto response = ask<ListParameters>(session_, question("list_parameters"), request);
  std::vector<std::string> names(response.result.names.begin(), response.result.names.end());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<ParameterNode::Value> ParameterNode::get(const std::vector<std::string> & names) const {
  GetParameters::Request request;
  assign(names, request.names);
  return elements(ask<GetParameters>(session_, question("get_parameters"), request).values);
}

std::vector<ParameterNode::Descriptor> ParameterNode::describe(const std::vector<std::string> & names) const {
  DescribeParameters::Request request;
  assign(names, request.names);
  return elements(ask<DescribeParameters>(session_, question("describe_parameters"), request).descriptors);
}

std::vector<ParameterNode::Result> ParameterNode::set(const std::vector<Parameter> & parameters) const {
  SetParameters::Request request;
  assign(parameters, request.parameters);
  auto results = elements(ask<SetParameters>(session_, question("set_parameters"), request).results);
  if (results.size() != parameters.size()) {
    throw CommandError(
        fmt::format("node {} gave {} results for {} parameters", name_, results.size(), parameters.size()));
  }
  return results;
}

ParameterNode::Value parameter_value(const std::string & text) {
  try {
    return rclcpp::parameter_value_from_yaml(text).to_value_msg();
  } catch (const rclcpp::exceptions::InvalidParametersException &) {
    return rclcpp::ParameterValue(text).to_value_msg();
  }
}

std::vector<std::string> parameter_names(const std::vector<std::string> & before) {
  Session session;
  const transport::NodeName self = session.announce();
  return ParameterNode(session, self, node_name(before.at(0)), steady_clock::now() + std::chrono::seconds(1)).list();
}

}  // namespace ros2cli
