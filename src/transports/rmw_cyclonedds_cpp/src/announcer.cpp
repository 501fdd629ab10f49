#include "announcer.hpp"

#include <cstring>

#include "participant.hpp"
#include "qos.hpp"
#include "tandem/kit/endpoint.hpp"
#include "told_readers.h"

namespace rmw_cyclonedds {
namespace {

using tandem::dds::Audience;
using tandem::dds::GidWidth;

/// Of the writer that serves these readers.
const char * partition_of(std::optional<GidWidth> form) {
  return !form ? "gids-of-unknown-width" : form == GidWidth::k16 ? "gids-of-16-bytes" : "gids-of-24-bytes";
}

}  // namespace

Announcer::Announcer(dds_entity_t participant, dds_entity_t topic, const CdrType & type,
                     const tandem::dds::Graph & graph)
    : participant_(participant),
      topic_(topic),
      type_(type),
      graph_(graph),
      audience_(std::make_shared<Audience>([this] { follow(); })) {}

void Announcer::open() {
  is_open_ = true;
  const std::lock_guard lock(announcing_);
  writers_.emplace(chosen_.value_or(GidWidth::k16), make_writer(chosen_ ? std::nullopt : std::optional(GidWidth::k16)));
}

dds_entity_t Announcer::make_writer(std::optional<GidWidth> partition) {
  transport::Qos qos;
  qos.durability = transport::Durability::kTransientLocal;
  qos.depth = 1;
  const QosPtr writer = writer_qos(qos, tandem::dds::kDiscoveryUserData);
  if (partition) {
    const char * names[] = {"", partition_of(partition)};  // the first is that of all others
    dds_qset_partition(writer.get(), 2, names);
  }
  return checked(dds_create_writer(participant_, topic_, writer.get(), nullptr), "a writer of the graph");
}

void Announcer::write_locked(GidWidth width, const tandem::dds::ParticipantEntities & entities) {
  const std::vector<std::uint8_t> cdr = tandem::dds::encode(entities, width);
  CdrData * const data = make_data(type_, static_cast<std::uint32_t>(cdr.size()));
  if (data != nullptr) {
    std::memcpy(data->bytes(), cdr.data(), cdr.size());
    dds_writecdr(writers_.at(width), data);
  }
}

void Announcer::announce() {
  const std::lock_guard lock(announcing_);
  const auto [version, entities] = graph_.announcement();
  if (version <= announced_) {
    return;  // somebody was faster, with more recent news
  }
  announced_ = version;
  for (const auto & [width, writer] : writers_) {
    write_locked(width, entities);
  }
}

void Announcer::found(transport::EndpointKind kind, const dds_builtintopic_endpoint_t & endpoint) {
  if (chosen_) {
    return;
  }
  const Gid gid = to_gid(endpoint.key);
  audience_->found(kind, gid, endpoint.topic_name, user_data(endpoint.qos));
  if (kind == transport::EndpointKind::kSubscription &&
      std::strcmp(endpoint.topic_name, tandem::dds::kDiscoveryTopic) == 0) {
    rmw_cyclonedds_place_found_reader(&type_, &endpoint.key, partition_of(audience_->form_of(gid)), is_open_);
  }
}

/// Serves readers of whom it was not known at first how they read.
void Announcer::follow() {
  const tandem::dds::Demand demand = audience_->demand();
  if (demand.is_mixed() && !std::exchange(is_mixture_said_, true)) {
    transport::warn(kName, "",
                    "nodes of ROS 2 through Humble and from Iron on are on this network: "
                    "each is told of our nodes in its own form");
  }
  {
    const std::lock_guard lock(announcing_);
    if (demand.wide && writers_.count(GidWidth::k24) == 0) {
      try {
        writers_.emplace(GidWidth::k24, make_writer(GidWidth::k24));
      } catch (const transport::Error & error) {
        transport::warn(kName, "", std::string(error.what()) + "; nodes through Humble do not see ours");
        return;
      }
      write_locked(GidWidth::k24, graph_.announcement().second);
    }
  }
  for (const auto & [reader, form] : audience_->readers()) {
    if (form) {
      dds_guid_t guid;
      static_assert(sizeof guid.v == sizeof reader);
      std::memcpy(guid.v, reader.data(), sizeof guid.v);
      rmw_cyclonedds_move_reader(&type_, &guid, partition_of(form));
    }
  }
}

}  // namespace rmw_cyclonedds
