#include "announcer.hpp"

#include <cstring>
#include <new>
#include <utility>

#include "qos.hpp"
#include "tandem/kit/endpoint.hpp"
#include "told_readers.h"

namespace rmw_cyclonedds {
namespace {

using tandem::dds::GidWidth;
using tandem::dds::kDiscoveryUserData;

/// Of the writer that serves these readers.
const char * partition_of(std::optional<GidWidth> form) {
  return !form ? "gids-of-unknown-width" : form == GidWidth::k16 ? "gids-of-16-bytes" : "gids-of-24-bytes";
}

transport::Qos info_qos(transport::History history) {
  transport::Qos qos;
  qos.durability = transport::Durability::kTransientLocal;
  qos.history = history;
  qos.depth = 1;
  return qos;
}

}  // namespace

Announcer::Announcer(dds_entity_t participant, tandem::dds::Graph & graph)
    : participant_(participant),
      topic_(participant, tandem::dds::kDiscoveryTopic, tandem::dds::kDiscoveryType),
      graph_(graph),
      audience_([this] { follow(); }),
      reader_(dds_create_reader_rhc(participant, topic_.id(),
                                    reader_qos(info_qos(transport::History::kKeepAll), kDiscoveryUserData, true).get(),
                                    nullptr, this),
              "a reader of the graph") {}

void Announcer::open() {
  is_open_ = true;
  const std::lock_guard lock(announcing_);
  make_writer_locked(chosen_.value_or(GidWidth::k16));
}

void Announcer::make_writer_locked(GidWidth width) {
  const QosPtr qos = writer_qos(info_qos(transport::History::kKeepLast), kDiscoveryUserData);
  if (!chosen_) {
    const char * names[] = {"", partition_of(width)};  // the first is that of all others
    dds_qset_partition(qos.get(), 2, names);
  }
  writers_.try_emplace(width, dds_create_writer(participant_, topic_.id(), qos.get(), nullptr),
                       "a writer of the graph");
}

void Announcer::write_locked(GidWidth width, const tandem::dds::ParticipantEntities & entities) {
  const std::vector<std::uint8_t> cdr = tandem::dds::encode(entities, width);
  if (CdrData * const data = make_data(topic_.type(), cdr.size())) {
    std::memcpy(data->bytes(), cdr.data(), cdr.size());
    dds_writecdr(writers_.at(width).id(), data);
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

/// Nodes of another participant.
void Announcer::receive(const Gid & publisher, CdrDataPtr data) noexcept {
  try {
    if (const auto width = graph_.entities(data->bytes(), data->size)) {
      audience_.heard(publisher, *width);
    }
  } catch (const std::bad_alloc &) {  // they stay unlisted
  }
}

void Announcer::found(transport::EndpointKind kind, const dds_builtintopic_endpoint_t & endpoint) {
  if (chosen_) {
    return;
  }
  const Gid gid = to_gid(endpoint.key);
  audience_.found(kind, gid, endpoint.topic_name, user_data(endpoint.qos));
  if (kind == transport::EndpointKind::kSubscription &&
      std::strcmp(endpoint.topic_name, tandem::dds::kDiscoveryTopic) == 0) {
    rmw_cyclonedds_place_reader(&topic_.type(), &endpoint.key, partition_of(audience_.form_of(gid)),
                                is_open_ ? RMW_CYCLONEDDS_CALLED_BACK : RMW_CYCLONEDDS_FOUND);
  }
}

/// Serves readers of whom it was not known at first how they read.
void Announcer::follow() {
  const tandem::dds::Demand demand = audience_.demand();
  if (demand.is_mixed() && !std::exchange(is_mixture_said_, true)) {
    transport::warn(kName, "",
                    "nodes of ROS 2 through Humble and from Iron on are on this network: "
                    "each is told of our nodes in its own form");
  }
  {
    const std::lock_guard lock(announcing_);
    if (demand.wide && writers_.count(GidWidth::k24) == 0) {
      try {
        make_writer_locked(GidWidth::k24);
      } catch (const transport::Error & error) {
        transport::warn(kName, "", std::string(error.what()) + "; nodes through Humble do not see ours");
        return;
      }
      write_locked(GidWidth::k24, graph_.announcement().second);
    }
  }
  for (const auto & [reader, form] : audience_.readers()) {
    if (form) {
      dds_guid_t guid;
      static_assert(sizeof guid.v == sizeof reader);
      std::memcpy(guid.v, reader.data(), sizeof guid.v);
      rmw_cyclonedds_place_reader(&topic_.type(), &guid, partition_of(form), RMW_CYCLONEDDS_LATER);
    }
  }
}

}  // namespace rmw_cyclonedds
