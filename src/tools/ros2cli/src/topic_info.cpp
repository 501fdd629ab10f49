// `ros2 topic info`: who publishes and who subscribes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ament_index.hpp"
#include "errors.hpp"
#include "graph.hpp"
#include "json.hpp"
#include "verbs.hpp"

namespace ros2cli {
namespace {

struct InfoOptions {
  SessionOptions session;
  std::string topic;
  bool verbose = false;
  bool json = false;
};

const char * name_of(transport::Reliability value) {
  return value == transport::Reliability::kReliable ? "RELIABLE" : "BEST_EFFORT";
}
const char * name_of(transport::Durability value) {
  return value == transport::Durability::kTransientLocal ? "TRANSIENT_LOCAL" : "VOLATILE";
}
const char * name_of(transport::EndpointKind value) {
  return value == transport::EndpointKind::kPublisher ? "PUBLISHER" : "SUBSCRIPTION";
}
bool keeps_all(const transport::Qos & qos) { return qos.history == transport::History::kKeepAll; }

/// As ROS 2 prints an endpoint; Tandem has no deadlines, lifespans and leases, which is what infinite says.
std::string describe(const transport::EndpointInfo & endpoint) {
  const transport::Qos & qos = endpoint.qos;
  const std::string history = keeps_all(qos) ? "KEEP_ALL" : fmt::format("KEEP_LAST ({})", qos.depth);
  return fmt::format(
      "Node name: {}\nNode namespace: {}\nTopic type: {}\nTopic type hash: {}\nEndpoint type: {}\nGID: {:02x}\n"
      "QoS profile:\n  Reliability: {}\n  History (Depth): {}\n  Durability: {}\n  Lifespan: Infinite\n"
      "  Deadline: Infinite\n  Liveliness: AUTOMATIC\n  Liveliness lease duration: Infinite\n",
      endpoint.node.name, endpoint.node.name_space, endpoint.type_name, endpoint.type_hash, name_of(endpoint.kind),
      fmt::join(endpoint.gid, "."), name_of(qos.reliability), history, name_of(qos.durability));
}

Json to_json(const std::vector<transport::EndpointInfo> & endpoints) {
  Json all = Json::array();
  for (const transport::EndpointInfo & endpoint : endpoints) {
    const transport::Qos & qos = endpoint.qos;
    Json described{{"node", full_name(endpoint.node)},
                   {"type", endpoint.type_name},
                   {"type_hash", endpoint.type_hash},
                   {"gid", fmt::format("{:02x}", fmt::join(endpoint.gid, "."))},
                   {"reliability", name_of(qos.reliability)},
                   {"durability", name_of(qos.durability)},
                   {"history", keeps_all(qos) ? "KEEP_ALL" : "KEEP_LAST"}};
    described["depth"] = keeps_all(qos) ? Json() : Json(qos.depth);
    all.push_back(std::move(described));
  }
  return all;
}

std::string describe(const std::string & heading, const std::vector<transport::EndpointInfo> & endpoints,
                     bool verbose) {
  std::string text = fmt::format("{} count: {}\n", heading, endpoints.size());
  if (verbose) {
    text += '\n';
    for (const transport::EndpointInfo & endpoint : endpoints) {
      text += describe(endpoint) + '\n';
    }
  }
  return text;
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
                {"publishers", to_json(topic.publishers)},
                {"subscriptions", to_json(topic.subscriptions)}});
    return 0;
  }
  const std::string types =
      topic.types.size() == 1 ? *topic.types.begin() : fmt::format("['{}']", fmt::join(topic.types, "', '"));
  print(fmt::format("Type: {}\n{}", types, options.verbose ? "\n" : "") +
        describe("Publisher", topic.publishers, options.verbose) +
        describe("Subscription", topic.subscriptions, options.verbose));
  return 0;
}

}  // namespace

void add_topic_info(Commands & commands, CLI::App & topic) {
  commands.verb<InfoOptions>(topic, "info", "Show who publishes a topic and who subscribes to it", declare, info);
}

}  // namespace ros2cli
