// What a node sees of services: both channels of each carry requests and replies between its clients and its servers.
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "tandem/service.hpp"

namespace rclcpp::node_interfaces {
namespace {

namespace transport = tandem::transport;
using NamesAndTypes = NodeGraphInterface::NamesAndTypes;
using tandem::transport::EndpointKind;

/// Of topics by name: the services whose requests pass there.
NamesAndTypes services_of(const NamesAndTypes & topics) {
  NamesAndTypes services;
  for (const auto & [topic, types] : topics) {
    const auto service = transport::service_of(topic);
    if (!service || transport::channel_of(topic) != transport::Channel::kRequest) continue;
    for (const std::string & type : types) {
      services[*service].push_back(transport::service_type_of(type).value_or(type));
    }
  }
  return services;
}

}  // namespace

NamesAndTypes NodeGraphInterface::get_service_names_and_types() const {
  return services_of(get_topic_names_and_types(true));
}

NamesAndTypes NodeGraphInterface::get_service_names_and_types_by_node(const std::string & node_name,
                                                                      const std::string & namespace_) const {
  return services_of(names_of(node_name, namespace_, EndpointKind::kSubscription, true));
}

NamesAndTypes NodeGraphInterface::get_client_names_and_types_by_node(const std::string & node_name,
                                                                     const std::string & namespace_) const {
  return services_of(names_of(node_name, namespace_, EndpointKind::kPublisher, true));
}

size_t NodeGraphInterface::count_clients(const std::string & service_name) const {
  const std::string service = base_->resolve_topic_or_service_name(service_name, true);
  return endpoints(transport::request_channel(service), EndpointKind::kPublisher, true).size();
}

size_t NodeGraphInterface::count_services(const std::string & service_name) const {
  const std::string service = base_->resolve_topic_or_service_name(service_name, true);
  return endpoints(transport::request_channel(service), EndpointKind::kSubscription, true).size();
}

}  // namespace rclcpp::node_interfaces
