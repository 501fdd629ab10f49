#include "parameter_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "errors.hpp"
#include "graph.hpp"
#include "rcl_interfaces/srv/describe_parameters.hpp"
#include "rcl_interfaces/srv/get_parameters.hpp"
#include "rcl_interfaces/srv/list_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters.hpp"

namespace ros2cli {
namespace {

using namespace rcl_interfaces::srv;  // NOLINT: of parameters
using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{5};

template <class From, class To>
void assign(const From & from, To & to) {
  to.assign(from.begin(), from.end());
}

template <class Sequence>
auto elements(const Sequence & sequence) {
  return std::vector<typename Sequence::value_type>(sequence.begin(), sequence.end());
}

}  // namespace

transport::Sample ParameterNode::reply_of(transport::ServiceClient & client, const void * request) const {
  while (!client.is_ready()) {
    if (steady_clock::now() > deadline_) {
      throw CommandError("Wait for service timed out waiting for parameter services for node " + name_);
    }
    std::this_thread::sleep_for(kLook);
  }
  const auto wait_set = session_.context().create_wait_set();
  wait_set->attach(client.replies());
  std::int64_t sequence = 0;
  if (const auto result = client.send(request, sequence); result != transport::PublishResult::kOk) {
    throw CommandError(fmt::format("cannot ask node {}: {}", name_, transport::to_string(result)));
  }
  for (;;) {
    transport::Sample reply = client.replies()->take();
    if (reply && reply.info.request.sequence == sequence) {
      return reply;
    }
    if (!reply && !client.is_ready()) {
      throw CommandError("node " + name_ + " went away before it replied");
    }
    if (!reply) {
      wait_set->wait(std::chrono::seconds(1));
    }
  }
}

template <class Service>
typename Service::Response ParameterNode::ask(const char * service, const typename Service::Request & request) const {
  transport::ServiceOptions options;
  options.node = self_;
  options.service = name_ + '/' + service;
  transport::ServiceClient client(session_.context(), tandem::service_type<Service>(), options);
  const transport::Sample reply = reply_of(client, &request);
  return *static_cast<const typename Service::Response *>(reply.message);
}

std::vector<std::string> ParameterNode::list(const std::vector<std::string> & prefixes) const {
  ListParameters::Request request;
  assign(prefixes, request.prefixes);
  const auto response = ask<ListParameters>("list_parameters", request);
  std::vector<std::string> names(response.result.names.begin(), response.result.names.end());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<ParameterNode::Value> ParameterNode::get(const std::vector<std::string> & names) const {
  GetParameters::Request request;
  assign(names, request.names);
  return elements(ask<GetParameters>("get_parameters", request).values);
}

std::vector<ParameterNode::Descriptor> ParameterNode::describe(const std::vector<std::string> & names) const {
  DescribeParameters::Request request;
  assign(names, request.names);
  return elements(ask<DescribeParameters>("describe_parameters", request).descriptors);
}

std::vector<ParameterNode::Result> ParameterNode::set(const std::vector<Parameter> & parameters) const {
  SetParameters::Request request;
  assign(parameters, request.parameters);
  auto results = elements(ask<SetParameters>("set_parameters", request).results);
  if (results.size() != parameters.size()) {
    throw CommandError(
        fmt::format("node {} gave {} results for {} parameters", name_, results.size(), parameters.size()));
  }
  return results;
}

std::vector<std::string> parameter_names(const std::vector<std::string> & before) {
  Session session;
  const transport::NodeName self = session.announce();
  return ParameterNode(session, self, node_name(before.at(0)), steady_clock::now() + std::chrono::seconds(1)).list();
}

}  // namespace ros2cli
