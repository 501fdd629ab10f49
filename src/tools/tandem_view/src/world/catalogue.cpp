#include "world/catalogue.hpp"

#include <algorithm>

#include "tandem/definition.hpp"
#include "tandem/service.hpp"
#include "tandem/tools/error.hpp"
#include "tandem/tools/message_types.hpp"
#include "tandem/type_library.hpp"

namespace tandem::view {
namespace {

/// The end whose type is asked for, a publisher if there is one.
const transport::EndpointInfo * end_of(const tools::Topic & topic, const std::string & type) {
  for (const auto * ends : {&topic.publishers, &topic.subscriptions}) {
    for (const transport::EndpointInfo & each : *ends) {
      if (each.type_name == type) {
        return &each;
      }
    }
  }
  return nullptr;
}

std::size_t count(const std::vector<transport::EndpointInfo> & ends, const std::string & type) {
  return static_cast<std::size_t>(
      std::count_if(ends.begin(), ends.end(), [&](const auto & each) { return each.type_name == type; }));
}

bool is_latched(const tools::Topic & topic) {
  return !topic.publishers.empty() &&
         std::all_of(topic.publishers.begin(), topic.publishers.end(), [](const auto & each) {
           return each.qos.durability == transport::Durability::kTransientLocal &&
                  each.qos.reliability == transport::Reliability::kReliable;
         });
}

void find_type(const tools::Topic & topic, Channel & channel) {
  try {
    channel.type = &tools::installed_type(*end_of(topic, channel.type_name));
  } catch (const tools::Error & error) {
    channel.objection = error.what();
  }
}

/// Drops what is not there any more.
template <class Ids, class Entries>
void sweep(Ids & ids, Entries & entries, const std::map<std::uint32_t, bool> & present) {
  std::erase_if(ids, [&](const auto & each) { return present.count(each.second) == 0; });
  std::erase_if(entries, [&](const auto & each) { return present.count(each.first) == 0; });
}

}  // namespace

void Catalogue::update(transport::GraphSnapshot graph) {
  std::erase_if(graph.nodes, [&](const auto & each) { return each == self_; });
  std::erase_if(graph.endpoints, [&](const transport::EndpointInfo & each) {
    const bool is_published = each.kind == transport::EndpointKind::kPublisher &&
                              transport::channel_of(each.topic) == transport::Channel::kTopic;
    return each.node == self_ && !is_published;
  });
  topics_ = tools::topics_of(graph, true);
  servers_ = tools::services_of(graph, true);
  nodes_ = tools::nodes_of(graph, false);
  update_channels();
  update_services();
}

void Catalogue::update_channels() {
  std::map<std::uint32_t, bool> present;
  for (const auto & [name, topic] : topics_) {
    for (const std::string & type : topic.types) {
      const auto [known, is_new] = channel_ids_.try_emplace({name, type}, next_id_);
      Channel & channel = channels_[known->second];
      if (is_new) {
        channel.id = next_id_++;
        channel.topic = name;
        channel.type_name = type;
        find_type(topic, channel);
      }
      channel.publishers = count(topic.publishers, type);
      channel.subscriptions = count(topic.subscriptions, type);
      channel.is_latched = is_latched(topic);
      present[channel.id] = true;
    }
  }
  sweep(channel_ids_, channels_, present);
}

void Catalogue::update_services() {
  std::map<std::uint32_t, bool> present;
  for (const auto & [name, service] : servers_) {
    if (service.servers.empty()) {
      continue;
    }
    const std::string type = service.servers.front().type();
    const auto [known, is_new] = service_ids_.try_emplace({name, type}, next_id_);
    OfferedService & offered = services_[known->second];
    if (is_new) {
      const auto found = find_service_type(type);
      offered = {next_id_++, name, type, found ? *found : nullptr};
    }
    present[offered.id] = true;
  }
  sweep(service_ids_, services_, present);
}

const Channel * Catalogue::channel(std::uint32_t id) const {
  const auto found = channels_.find(id);
  return found != channels_.end() ? &found->second : nullptr;
}

const Channel * Catalogue::channel(const std::string & topic) const {
  const auto found = channel_ids_.lower_bound({topic, ""});
  return found != channel_ids_.end() && found->first.first == topic ? channel(found->second) : nullptr;
}

const std::string & schema_of(const MessageType & type) {
  static std::map<const MessageType *, std::string> schemas;  // of the data thread
  const auto [known, is_new] = schemas.try_emplace(&type);
  if (is_new) {
    known->second = definition_of(type);
  }
  return known->second;
}

}  // namespace tandem::view
