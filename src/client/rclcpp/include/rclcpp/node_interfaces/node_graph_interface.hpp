// What a node sees of the other nodes of its domain, and of itself.
#ifndef RCLCPP__NODE_INTERFACES__NODE_GRAPH_INTERFACE_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_GRAPH_INTERFACE_HPP_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rclcpp/event.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/topic_endpoint_info.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace node_interfaces {

/// Thread-safe. Each call looks at the graph as the middleware knows it at that moment. The channels of services
/// ("rq/…", "rr/…") are no topics and left out.
class RCLCPP_PUBLIC NodeGraphInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeGraphInterface)
  RCLCPP_DISABLE_COPY(NodeGraphInterface)

  /// The types that are used on each name.
  using NamesAndTypes = std::map<std::string, std::vector<std::string>>;

  explicit NodeGraphInterface(NodeBaseInterface::SharedPtr base);

  /// \param no_demangle lists the channels of services, too.
  NamesAndTypes get_topic_names_and_types(bool no_demangle = false) const;
  // \throws exceptions::RCLError (RCL_RET_NODE_NAME_NON_EXISTENT) when there is no such node.
  NamesAndTypes get_publisher_names_and_types_by_node(const std::string & node_name, const std::string & namespace_,
                                                      bool no_demangle = false) const;
  NamesAndTypes get_subscriber_names_and_types_by_node(const std::string & node_name, const std::string & namespace_,
                                                       bool no_demangle = false) const;

  /// Services that have a server or a client.
  NamesAndTypes get_service_names_and_types() const;
  // Those that the node serves or calls. \throws as get_publisher_names_and_types_by_node().
  NamesAndTypes get_service_names_and_types_by_node(const std::string & node_name,
                                                    const std::string & namespace_) const;
  NamesAndTypes get_client_names_and_types_by_node(const std::string & node_name, const std::string & namespace_) const;

  /// Fully qualified, of all nodes of the domain; a name that two nodes have stands there twice.
  std::vector<std::string> get_node_names() const;
  /// Name, namespace and enclave, which is always "/".
  std::vector<std::tuple<std::string, std::string, std::string>> get_node_names_with_enclaves() const;
  std::vector<std::pair<std::string, std::string>> get_node_names_and_namespaces() const;

  // The name is expanded and remapped; `no_mangle` takes it as it is.
  size_t count_publishers(const std::string & topic_name) const;
  size_t count_subscribers(const std::string & topic_name) const;
  size_t count_clients(const std::string & service_name) const;
  size_t count_services(const std::string & service_name) const;
  std::vector<TopicEndpointInfo> get_publishers_info_by_topic(const std::string & topic_name,
                                                              bool no_mangle = false) const;
  std::vector<TopicEndpointInfo> get_subscriptions_info_by_topic(const std::string & topic_name,
                                                                 bool no_mangle = false) const;

  /// An event that is set when the graph has changed since this call. That is noticed while somebody waits for it, or
  /// when notify_graph_change() is called.
  Event::SharedPtr get_graph_event();
  /// Until the event is set, the time is over (negative: never) or the context is shut down. Looks at the graph ten
  /// times a second.
  /// \throws exceptions::InvalidEventError for null, EventNotRegisteredError for one that is not of get_graph_event().
  void wait_for_graph_change(Event::SharedPtr event, std::chrono::nanoseconds timeout);
  /// Sets all events and ends the waits.
  void notify_graph_change();
  void notify_shutdown() { notify_graph_change(); }
  /// Events that somebody keeps.
  size_t count_graph_users() const;

 private:
  std::vector<TopicEndpointInfo> endpoints(const std::string & topic_name, tandem::transport::EndpointKind kind,
                                           bool no_mangle) const;
  NamesAndTypes names_of(const std::string & node_name, const std::string & namespace_,
                         tandem::transport::EndpointKind kind, bool no_demangle) const;
  std::uint64_t fingerprint() const;

  const NodeBaseInterface::SharedPtr base_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Event::WeakPtr> events_;
  std::uint64_t last_fingerprint_ = 0;  // of the graph when the events were last brought up to date
};
using NodeGraph = NodeGraphInterface;

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeGraphInterface, graph)

#endif  // RCLCPP__NODE_INTERFACES__NODE_GRAPH_INTERFACE_HPP_
