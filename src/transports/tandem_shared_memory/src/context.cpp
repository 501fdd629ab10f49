// The plug-in itself: joins domains, makes endpoints, reads the graph.
#include <time.h>

#include <cstdio>

#include "endpoints.hpp"
#include "message_functions.hpp"
#include "network.hpp"
#include "tandem/heap.hpp"
#include "tandem/log.hpp"
#include "tandem/plugin.hpp"

namespace rmw_tandem {
namespace {

using transport::Error;

tandem::TypeIdentity identity(const tandem::MessageType & type, const transport::TopicOptions & options) {
  return {type.name, options.service != nullptr ? options.service->hash : type.hash, type.abi};
}

/// The value, or the failure's sentence as an exception.
template <class T, class Code>
T value_or_throw(tandem::Result<T, Code> result) {
  if (!result) {
    throw Error(result.error().message);
  }
  return std::move(*result);
}

void check(const tandem::MessageType & type, const transport::TopicOptions & options) {
  if (type.alignment > tandem::kHeapAlignment) {
    throw Error("topic '" + options.topic + "': " + type.name + " wants an alignment of " +
                std::to_string(type.alignment) + " bytes, at most " + std::to_string(tandem::kHeapAlignment) +
                " are possible");
  }
}

class Node final : public transport::Node {
 public:
  Node(tandem::Participant participant, const transport::NodeName & name)
      : participant_(std::move(participant)), number_(value_or_throw(participant_.add_node(name))) {}
  ~Node() override { participant_.remove_node(number_); }

 private:
  const tandem::Participant participant_;
  const std::uint64_t number_;
};

class Context final : public transport::Context {
 public:
  Context(tandem::Participant participant, std::uint32_t domain)
      : participant_(std::move(participant)), network_(domain) {}

  std::unique_ptr<transport::Node> create_node(const transport::NodeName & name) override {
    auto node = std::make_unique<Node>(participant_, name);
    network_.want();
    return node;
  }

  std::shared_ptr<transport::Publisher> create_publisher(const tandem::MessageType & type,
                                                         const transport::TopicOptions & options) override {
    check(type, options);
    tandem::PublisherOptions core;
    core.node = options.node;
    core.topic = options.topic;
    core.type = identity(type, options);
    core.qos = options.qos;
    core.user_data = options.user_data;
    core.functions = functions_of(type);
    core.addressing = addressing_of(options);
    if (options.origin) {
      core.origin = options.origin->publisher;
      core.source_timestamp = options.origin->source_timestamp;
    }
    auto publisher =
        std::make_shared<Publisher>(type, core.addressing, value_or_throw(participant_.create_publisher(core)));
    network_.want();
    return publisher;
  }

  std::shared_ptr<transport::Subscription> create_subscription(const tandem::MessageType & type,
                                                               const transport::TopicOptions & options) override {
    check(type, options);
    tandem::SubscriptionOptions core;
    core.node = options.node;
    core.topic = options.topic;
    core.type = identity(type, options);
    core.qos = options.qos;
    core.user_data = options.user_data;
    core.min_size = type.size;
    core.alignment = type.alignment;
    core.functions = functions_of(type);
    core.held_quota = options.held_quota;
    core.addressing = addressing_of(options);
    core.ignore_own_process = options.ignore_local_publications;
    auto subscription =
        std::make_shared<Subscription>(type, core.addressing, value_or_throw(participant_.create_subscription(core)));
    network_.want();
    return subscription;
  }

  std::shared_ptr<transport::WaitSet> create_wait_set() override {
    return std::make_shared<WaitSet>(value_or_throw(participant_.create_wait_set()));
  }

  transport::GraphSnapshot graph() const override {
    transport::GraphSnapshot snapshot;
    for (const tandem::ProcessInfo & process : participant_.graph().processes) {
      for (const tandem::NodeName & node : process.nodes) {
        snapshot.nodes.push_back(node);
      }
      for (const tandem::EndpointInfo & endpoint : process.endpoints) {
        snapshot.endpoints.push_back({endpoint.kind, endpoint.topic, endpoint.type.name,
                                      tandem::to_string(endpoint.type.hash), endpoint.type.abi, endpoint.node,
                                      endpoint.qos, to_gid(endpoint.id), transport::Gid{}, endpoint.user_data});
      }
    }
    return snapshot;
  }

 private:
  const tandem::Participant participant_;
  Network network_;
};

/// One line as rclcpp's logger writes it.
void log_line(tandem::LogLevel level, const std::string & message) {
  if (level < tandem::LogLevel::kWarning) {
    return;
  }
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  std::fprintf(stderr, "[%s] [%lld.%09ld] [rmw_tandem_cpp]: %s\n",
               level == tandem::LogLevel::kWarning ? "WARN" : "ERROR", static_cast<long long>(now.tv_sec), now.tv_nsec,
               message.c_str());
}

class Transport final : public transport::Transport {
 public:
  Transport() { tandem::set_log_sink(log_line); }
  const char * name() const override { return "rmw_tandem_cpp"; }
  std::vector<transport::Limit> limits() const override {
    return {{transport::Feature::kOtherHosts, "the gateway carries topics to the network"},
            {transport::Feature::kRosWire, "the gateway carries topics to the network"}};
  }
  std::shared_ptr<transport::Context> create_context(std::uint32_t domain) override {
    return std::make_shared<Context>(value_or_throw(tandem::Participant::join(domain)), domain);
  }
};

}  // namespace
}  // namespace rmw_tandem

TANDEM_EXPORT_TRANSPORT(rmw_tandem::Transport)
