#include "endpoints/endpoints.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "tandem/dds/names.hpp"
#include "tandem/service.hpp"

namespace rmw_cyclonedds {

Topic topic_of(const Participant & participant, const transport::EndpointInfo & info) {
  return {participant.id(), tandem::dds::to_dds_topic(info.topic), tandem::dds::to_dds_type(info.type_name)};
}

/// As stock nodes over Cyclone have it, which tell by it whether both ends of a client or of a service are there. A node's
/// several clients of one service have the same.
std::string user_data_of(const Participant & participant, const transport::EndpointInfo & info) {
  const auto service = transport::service_of(info.topic);
  const bool is_client = (transport::channel_of(info.topic) == transport::Channel::kRequest) ==
                         (info.kind == transport::EndpointKind::kPublisher);
  const std::string hash = tandem::dds::endpoint_user_data(info.type_hash, info.origin);
  if (!service) {
    return hash;
  }
  Gid id = participant.gid();
  const std::size_t name = std::hash<std::string>()(info.node.name_space + "/" + info.node.name + " " + *service);
  std::copy_n(reinterpret_cast<const std::uint8_t *>(&name), 4, id.end() - 4);
  std::string text = is_client ? "clientid=" : "serviceid=";
  for (std::size_t i = 0; i < id.size(); ++i) {
    char byte[4];
    std::snprintf(byte, sizeof byte, i == 0 ? "%x" : ".%x", id[i]);
    text += byte;
  }
  return text + ";" + hash;
}

}  // namespace rmw_cyclonedds
