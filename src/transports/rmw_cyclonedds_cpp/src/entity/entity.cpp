#include "entity/entity.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

namespace rmw_cyclonedds {
namespace {

Sink & sink_of(ddsi_rhc * cache) {
  return *static_cast<Sink *>(reinterpret_cast<dds_rhc *>(cache));  // dds_rhc begins with its ddsi_rhc
}

Gid to_gid(const ddsi_guid_t & guid) {
  const std::uint32_t words[] = {htonl(guid.prefix.u[0]), htonl(guid.prefix.u[1]), htonl(guid.prefix.u[2]),
                                 htonl(guid.entityid.u)};
  Gid gid;
  static_assert(sizeof words == sizeof gid);
  std::memcpy(gid.data(), words, sizeof words);
  return gid;
}

bool store(ddsi_rhc * cache, const ddsi_writer_info * writer, ddsi_serdata * data, ddsi_tkmap_instance * /*key*/) {
  if (data->kind == SDK_DATA && data->statusinfo == 0) {  // not of those that dispose of an instance
    sink_of(cache).receive(to_gid(writer->guid), CdrDataPtr(static_cast<CdrData *>(ddsi_serdata_ref(data))));
  }
  return true;
}

void unregister(ddsi_rhc * cache, const ddsi_writer_info * writer) { sink_of(cache).forget(to_gid(writer->guid)); }
void relinquish(ddsi_rhc * /*cache*/, std::uint64_t /*writer*/) {}
void set_qos(ddsi_rhc * /*cache*/, const dds_qos * /*qos*/) {}
void free_cache(ddsi_rhc * /*cache*/) {}
dds_return_t associate(dds_rhc * /*cache*/, dds_reader * /*reader*/, const ddsi_sertype * /*type*/,
                       ddsi_tkmap * /*instances*/) {
  return DDS_RETCODE_OK;
}

/// Nobody reads from it: what dds_read() and conditions ask for stays null.
const dds_rhc_ops kCacheOps = [] {
  dds_rhc_ops ops{};
  ops.rhc_ops = {store, unregister, relinquish, set_qos, free_cache};
  ops.associate = associate;
  return ops;
}();

/// The type becomes the one that Cyclone has interned.
dds_entity_t create_topic(dds_entity_t participant, const std::string & name, ddsi_sertype *& type) {
  const dds_entity_t topic = dds_create_topic_sertype(participant, name.c_str(), &type, nullptr, nullptr, nullptr);
  if (topic < 0) {
    ddsi_sertype_unref(type);
  }
  return topic;
}

}  // namespace

Gid to_gid(const dds_guid_t & guid) {
  Gid gid;
  static_assert(sizeof guid.v == sizeof gid);
  std::memcpy(gid.data(), guid.v, sizeof guid.v);
  return gid;
}

bool is_of(const Gid & entity, const Gid & participant) {
  constexpr std::size_t kPrefix = 12;
  return std::equal(entity.begin(), entity.begin() + kPrefix, participant.begin());
}

Entity::Entity(dds_entity_t id, const std::string & what) : id_(id) {
  if (id < 0) {
    throw transport::Error(
        std::string(kName) + ": " + what + " cannot be made: " + dds_strretcode(id) +
        (id == DDS_RETCODE_NOT_ALLOWED_BY_SECURITY ? "; does permissions.p7s of its enclave allow it?" : ""));
  }
}

Gid Entity::gid() const {
  dds_guid_t guid{};
  dds_get_guid(id_, &guid);
  return to_gid(guid);
}

Topic::Topic(dds_entity_t participant, const std::string & name, const std::string & type_name)
    : type_(make_type(type_name)), entity_(create_topic(participant, name, type_), "topic '" + name + "'") {}

Sink::Sink() : dds_rhc() { common.ops = &kCacheOps; }

}  // namespace rmw_cyclonedds
