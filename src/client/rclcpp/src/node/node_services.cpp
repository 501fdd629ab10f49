// A node's services and clients.
#include "rclcpp/node_interfaces/node_services_interface.hpp"

#include "node/used_types.hpp"
#include "qos/qos_conversion.hpp"
#include "transport/transport_error.hpp"

namespace rclcpp::node_interfaces {

template <class End>
std::unique_ptr<End> NodeServicesInterface::open(const tandem::ServiceType & type, const std::string & service,
                                                 const QoS & qos) const {
  const auto transport_qos = detail::to_transport(qos, service, tandem::transport::EndpointKind::kPublisher);
  auto end = detail::transport_call([&] {
    return std::make_unique<End>(*base_->transport(), type,
                                 tandem::transport::ServiceOptions{base_->transport_name(), service, transport_qos});
  });
  base_->used_types()->add(type);
  return end;
}

detail::ClientSetup NodeServicesInterface::open_client(const tandem::ServiceType & type, const std::string & service,
                                                       const QoS & qos, const CallbackGroup::SharedPtr & group) {
  detail::ClientSetup setup;
  setup.context = base_->get_context();
  setup.group = base_->group_or_default(group, "client");
  setup.introspection = {base_->transport(), base_->transport_name(), &type, resolve_service_name(service)};
  setup.qos = qos;
  setup.transport = open<tandem::transport::ServiceClient>(type, setup.introspection.service, qos);
  return setup;
}

detail::ServiceSetup NodeServicesInterface::open_service(const tandem::ServiceType & type, const std::string & service,
                                                         const QoS & qos, const CallbackGroup::SharedPtr & group) {
  detail::ServiceSetup setup;
  setup.context = base_->get_context();
  setup.group = base_->group_or_default(group, "service");
  setup.introspection = {base_->transport(), base_->transport_name(), &type, resolve_service_name(service)};
  setup.qos = qos;
  setup.transport = open<tandem::transport::ServiceServer>(type, setup.introspection.service, qos);
  return setup;
}

void NodeServicesInterface::add_client(ClientBase::SharedPtr client, CallbackGroup::SharedPtr group) {
  base_->group_or_default(std::move(group), "client")->add_receiver(client);
  base_->trigger_notify_guard_condition();
}

void NodeServicesInterface::add_service(ServiceBase::SharedPtr service, CallbackGroup::SharedPtr group) {
  base_->group_or_default(std::move(group), "service")->add_receiver(service);
  base_->trigger_notify_guard_condition();
}

}  // namespace rclcpp::node_interfaces
