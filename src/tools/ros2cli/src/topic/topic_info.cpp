// `ros2 topic info`: who publishes and who subscribes.
#include <fmt/format.h>

#include "command/verbs.hpp"
#include "graph/endpoint_text.hpp"
#include "graph/graph.hpp"
#include "installed/ament_index.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

struct InfoOptions {
  SessionOptions session;
  std::string topic;
  bool verbose = false;
  bool json = false;
};

using Endpoints = std::vector<transport::EndpointInfo>;

const char * name_of(transport::EndpointKind value) {
  return value == transport::EndpointKind::kPublisher ? "PUBLISHER" : "SUBSCRIPTION";
}

/// As ROS 2 prints an endpoint.
std::string describe(const transport::EndpointInfo & endpoint) {
  return fmt::format(
      "Node name: {}\nNode namespace: {}\nTopic type: {}\nTopic type hash: {}\nEndpoint type: {}\nGID: {}\n"
      "QoS profile:\n{}",
      endpoint.node.name, endpoint.node.name_space, endpoint.type_name, endpoint.type_hash, name_of(endpoint.kind),
      gid_text(endpoint.gid), qos_text(endpoint.qos, "  "));
}

std::string describe(const std::string & heading, const Endpoints & endpoints, bool verbose) {
  std::string text = fmt::format("{} count: {}\n", heading, endpoints.size());
  if (verbose) {
    text += '\n';
    for (const transport::EndpointInfo & endpoint : endpoints) {
      text += describe(endpoint) + '\n';
    }
  }
  return text;
}

Json endpoints_to_json(const Endpoints & endpoints) {
  Json all = Json::array();
  for (const transport::EndpointInfo & endpoint : endpoints) {
    all.push_back(endpoint_json(endpoint));
  }
  return all;
}

void declare(Commands & commands, CLI::App & app, InfoOptions & options) {
  declare_session(app, options.session);
  commands.complete(app.add_option("topic_name", options.topic, "Name of the topic, such as /chatter")->required(),
                    topic_names);
  app.add_flag("-v,--verbose", options.verbose, "Show each publisher and subscription: node, type, hash, GID and QoS");
  app.add_flag("--json", options.json, "Print JSON: the topic with all its publishers and subscriptions");
}

int info(InfoOptions & options) {
  const auto topics = topics_of(Session(options.session).graph(), true);
  const auto found = topics.find(topic_name(options.topic));
  if (found == topics.end()) {
    throw unknown("topic", options.topic, names_of(topics));
  }
  const Topic & topic = found->second;
  if (options.json) {
    print_json({{"name", found->first},
                {"types", topic.types},
                {"publishers", endpoints_to_json(topic.publishers)},
                {"subscriptions", endpoints_to_json(topic.subscriptions)}});
    return 0;
  }
  print(fmt::format("Type: {}\n{}", type_text(topic.types), options.verbose ? "\n" : "") +
        describe("Publisher", topic.publishers, options.verbose) +
        describe("Subscription", topic.subscriptions, options.verbose));
  return 0;
}

}  // namespace

void add_topic_info(Commands & commands, CLI::App & topic) {
  commands.verb<InfoOptions>(topic, "info", "Show who publishes a topic and who subscribes to it", declare, info);
}

}  // namespace ros2cli
