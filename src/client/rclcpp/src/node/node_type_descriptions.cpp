// The service by which others ask a node about the types that it uses.
#include "rclcpp/node_interfaces/node_type_descriptions_interface.hpp"

#include <string>

#include "node/used_types.hpp"
#include "rclcpp/create_service.hpp"
#include "tandem/type_hash.hpp"
#include "type_description_interfaces/srv/get_type_description.hpp"
#include "types/type_description.hpp"

namespace rclcpp::node_interfaces {
namespace {

using type_description_interfaces::srv::GetTypeDescription;

constexpr const char * kParameter = "start_type_description_service";

/// Like rcl's, it goes by the hash alone.
void answer(const detail::UsedTypes & types, const GetTypeDescription::Request & request,
            GetTypeDescription::Response & response) {
  const auto hash = tandem::parse_type_hash({request.type_hash.data(), request.type_hash.size()});
  if (!hash) {
    response.failure_reason = "Failed to parse type hash";
    return;
  }
  if (const auto * message = types.find_message(*hash)) {
    response.type_description = detail::describe(*message);
  } else if (const auto * service = types.find_service(*hash)) {
    response.type_description = detail::describe(*service);
  } else {
    response.failure_reason = "Type not currently in use by this node";
    return;
  }
  response.successful = true;
  if (request.include_type_sources) {
    for (auto & source : detail::sources_of(response.type_description))
      response.type_sources.push_back(std::move(source));
  }
}

bool is_wanted(NodeParametersInterface & parameters) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = "Start the ~/get_type_description service for this node.";
  descriptor.read_only = true;
  return parameters.declare_parameter(kParameter, ParameterValue(true), descriptor).get<bool>();
}

}  // namespace

NodeTypeDescriptionsInterface::NodeTypeDescriptionsInterface(NodeBaseInterface::SharedPtr node_base,
                                                             NodeLoggingInterface::SharedPtr,
                                                             NodeParametersInterface::SharedPtr node_parameters,
                                                             NodeServicesInterface::SharedPtr node_services) {
  if (!is_wanted(*node_parameters)) return;
  service_ = create_service<GetTypeDescription>(
      node_services, "~/get_type_description",
      [types = node_base->used_types()](const std::shared_ptr<GetTypeDescription::Request> & request,
                                        const std::shared_ptr<GetTypeDescription::Response> & response) {
        answer(*types, *request, *response);
      });
}

}  // namespace rclcpp::node_interfaces
