#include "participant/announcer.hpp"

#include <cstring>

#include "entity/qos.hpp"
#include "internals/told_readers.h"

namespace rmw_cyclonedds {
namespace {

using tandem::dds::kDiscoveryUserData;

transport::Qos info_qos(transport::History history) {
  transport::Qos qos;
  qos.durability = transport::Durability::kTransientLocal;
  qos.history = history;
  qos.depth = 1;
  return qos;
}

}  // namespace

Announcer::Announcer(dds_entity_t participant, tandem::dds::Graph & graph, bool is_secured)
    : tandem::dds::Announcer(graph, is_secured),
      participant_(participant),
      topic_(participant, tandem::dds::kDiscoveryTopic, tandem::dds::kDiscoveryType),
      reader_(dds_create_reader_rhc(participant, topic_.id(),
                                    reader_qos(info_qos(transport::History::kKeepAll), kDiscoveryUserData, true).get(),
                                    nullptr, this),
              "a reader of the graph") {}

void Announcer::open() {
  is_open_ = true;
  tandem::dds::Announcer::open();
}

void Announcer::make_writer(GidWidth form, const char * partition) {
  const QosPtr qos = writer_qos(info_qos(transport::History::kKeepLast), kDiscoveryUserData);
  if (partition != nullptr) {
    const char * names[] = {"", partition};
    dds_qset_partition(qos.get(), 2, names);
  }
  writers_.try_emplace(form, dds_create_writer(participant_, topic_.id(), qos.get(), nullptr), "a writer of the graph");
}

void Announcer::write(GidWidth form, const std::vector<std::uint8_t> & cdr) {
  if (CdrData * const data = make_data(topic_.type(), cdr.size())) {
    std::memcpy(data->bytes(), cdr.data(), cdr.size());
    dds_writecdr(writers_.at(form).id(), data);
  }
}

void Announcer::receive(const Gid & publisher, CdrDataPtr data) noexcept {
  heard(publisher, data->bytes(), data->size);
}

void Announcer::found(transport::EndpointKind kind, const dds_builtintopic_endpoint_t & endpoint) {
  const Gid gid = to_gid(endpoint.key);
  if (tandem::dds::Announcer::found(kind, gid, endpoint.topic_name, user_data(endpoint.qos))) {
    rmw_cyclonedds_place_reader(&topic_.type(), &endpoint.key, partition_of(form_of(gid)),
                                is_open_ ? RMW_CYCLONEDDS_CALLED_BACK : RMW_CYCLONEDDS_FOUND);
  }
}

void Announcer::place_readers() {
  for (const auto & [reader, form] : readers()) {
    if (form) {
      dds_guid_t guid;
      static_assert(sizeof guid.v == sizeof reader);
      std::memcpy(guid.v, reader.data(), sizeof guid.v);
      rmw_cyclonedds_place_reader(&topic_.type(), &guid, partition_of(form), RMW_CYCLONEDDS_LATER);
    }
  }
}

}  // namespace rmw_cyclonedds
