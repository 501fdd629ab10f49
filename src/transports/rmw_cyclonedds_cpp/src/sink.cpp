#include "sink.hpp"

#include <arpa/inet.h>
#include <dds/ddsc/dds_rhc.h>

#include <cstring>
#include <utility>

namespace rmw_cyclonedds {
namespace {

struct Cache : dds_rhc {
  std::shared_ptr<Sink> sink;
};

Sink & sink_of(ddsi_rhc * cache) {
  return *static_cast<Cache *>(reinterpret_cast<dds_rhc *>(cache))->sink;  // dds_rhc begins with its ddsi_rhc
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
void free_cache(ddsi_rhc * cache) { delete static_cast<Cache *>(reinterpret_cast<dds_rhc *>(cache)); }

// Reading is ours: what dds_read() and the like would call finds nothing.
// NOLINTBEGIN(readability-function-size): the parameters are Cyclone's
std::int32_t read(dds_rhc * /*cache*/, bool /*lock*/, void ** /*values*/, dds_sample_info_t * /*infos*/,
                  std::uint32_t /*count*/, std::uint32_t /*mask*/, dds_instance_handle_t /*handle*/,
                  dds_readcond * /*condition*/) {
  return 0;
}
std::int32_t read_cdr(dds_rhc * /*cache*/, bool /*lock*/, ddsi_serdata ** /*values*/, dds_sample_info_t * /*infos*/,
                      std::uint32_t /*count*/, std::uint32_t /*samples*/, std::uint32_t /*views*/,
                      std::uint32_t /*instances*/, dds_instance_handle_t /*handle*/) {
  return 0;
}
// NOLINTEND(readability-function-size)
bool add_condition(dds_rhc * /*cache*/, dds_readcond * /*condition*/) { return false; }
void remove_condition(dds_rhc * /*cache*/, dds_readcond * /*condition*/) {}
std::uint32_t count_samples(dds_rhc * /*cache*/) { return 0; }
dds_return_t associate(dds_rhc * /*cache*/, dds_reader * /*reader*/, const ddsi_sertype * /*type*/,
                       ddsi_tkmap * /*instances*/) {
  return DDS_RETCODE_OK;
}

const dds_rhc_ops kCacheOps = {
    {store, unregister, relinquish, set_qos, free_cache},
    read,
    read,
    read_cdr,
    read_cdr,
    add_condition,
    remove_condition,
    count_samples,
    associate,
};

}  // namespace

Gid to_gid(const ddsi_guid_t & guid) {
  std::uint32_t words[4] = {guid.prefix.u[0], guid.prefix.u[1], guid.prefix.u[2], guid.entityid.u};
  for (std::uint32_t & word : words) {
    word = htonl(word);
  }
  Gid gid;
  static_assert(sizeof words == sizeof gid);
  std::memcpy(gid.data(), words, sizeof words);
  return gid;
}

Gid to_gid(const dds_guid_t & guid) {
  Gid gid;
  static_assert(sizeof guid.v == sizeof gid);
  std::memcpy(gid.data(), guid.v, sizeof guid.v);
  return gid;
}

dds_entity_t create_reader(dds_entity_t participant, dds_entity_t topic, const dds_qos_t * qos,
                           std::shared_ptr<Sink> sink) {
  auto * const cache = new Cache{};
  cache->common.ops = &kCacheOps;
  cache->sink = std::move(sink);
  const dds_entity_t reader = dds_create_reader_rhc(participant, topic, qos, nullptr, cache);
  if (reader < 0) {
    delete cache;
  }
  return reader;
}

}  // namespace rmw_cyclonedds
