#include "foxglove/advertiser.hpp"

#include <utility>

namespace tandem::view {
namespace {

constexpr std::size_t kMostAtOnce = 200;
constexpr std::size_t kMostWaiting = std::size_t{4} << 20;  // bytes that the client has not read yet

Json channel_json(const Channel & channel) {
  return {{"id", channel.id},
          {"topic", channel.topic},
          {"encoding", "cdr"},
          {"schemaName", channel.type_name},
          {"schema", schema_of(*channel.type)},
          {"schemaEncoding", "ros2msg"}};
}

Json half_json(const MessageType & type) {
  return {{"encoding", "cdr"}, {"schemaName", type.name}, {"schemaEncoding", "ros2msg"}, {"schema", schema_of(type)}};
}

Json service_json(const OfferedService & service) {
  return {{"id", service.id},
          {"name", service.name},
          {"type", service.type_name},
          {"request", half_json(*service.type->request)},
          {"response", half_json(*service.type->response)}};
}

/// Numbers that are known and not there any more; they are forgotten.
template <class Present>
Json gone(std::set<std::uint32_t> & known, const Present & present) {
  Json ids = Json::array();
  std::erase_if(known, [&](std::uint32_t id) {
    const bool is_gone = present.count(id) == 0;
    if (is_gone) {
      ids.push_back(id);
    }
    return is_gone;
  });
  return ids;
}

}  // namespace

bool Advertiser::has_room() const { return sender_.connection().outbox().control_bytes() < kMostWaiting; }

void Advertiser::advance() {
  is_complete_ = true;
  advertise_channels();
  advertise_services();
  is_first_ = false;
}

void Advertiser::advertise_channels() {
  if (Json ids = gone(channels_, world_.catalogue.channels()); !ids.empty()) {
    sender_.json({{"op", "unadvertise"}, {"channelIds", std::move(ids)}});
  }
  Json channels = Json::array();
  const auto & all = world_.catalogue.channels();
  for (auto each = all.upper_bound(last_channel_); each != all.end(); ++each) {
    const Channel & channel = each->second;
    if (channels.size() == kMostAtOnce || !has_room()) {
      is_complete_ = false;
      break;
    }
    last_channel_ = channel.id;
    if (channel.type != nullptr && !tools::is_hidden(channel.topic)) {
      channels_.insert(channel.id);
      channels.push_back(channel_json(channel));
    }
  }
  if (is_first_ || !channels.empty()) {  // the protocol wants one in any case
    sender_.json({{"op", "advertise"}, {"channels", std::move(channels)}});
  }
}

void Advertiser::advertise_services() {
  if (Json ids = gone(services_, world_.catalogue.services()); !ids.empty()) {
    sender_.json({{"op", "unadvertiseServices"}, {"serviceIds", std::move(ids)}});
  }
  Json services = Json::array();
  const auto & all = world_.catalogue.services();
  for (auto each = all.upper_bound(last_service_); each != all.end(); ++each) {
    const OfferedService & service = each->second;
    if (services.size() == kMostAtOnce || !has_room()) {
      is_complete_ = false;
      break;
    }
    last_service_ = service.id;
    if (service.type != nullptr && !tools::is_hidden(service.name)) {
      services_.insert(service.id);
      services.push_back(service_json(service));
    }
  }
  if (!services.empty()) {
    sender_.json({{"op", "advertiseServices"}, {"services", std::move(services)}});
  }
}

}  // namespace tandem::view
