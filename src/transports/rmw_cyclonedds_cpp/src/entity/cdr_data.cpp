#include "entity/cdr_data.hpp"

#include <dds/dds.h>
#include <dds/ddsi/q_protocol.h>
#include <dds/ddsi/q_radmin.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace rmw_cyclonedds {
namespace {

constexpr std::size_t kPadding = 4;  ///< Cyclone sends, and so reads, up to the next multiple of 4

CdrData * data_of(ddsi_serdata * data) { return static_cast<CdrData *>(data); }
const CdrData * data_of(const ddsi_serdata * data) { return static_cast<const CdrData *>(data); }

// What Cyclone asks of a message. All topics of ROS are keyless: one instance for everything. Messages themselves, as
// dds_write() and dds_read() have them, are never asked for.

bool is_same_key(const ddsi_serdata * /*a*/, const ddsi_serdata * /*b*/) { return true; }

std::uint32_t size_of(const ddsi_serdata * data) { return data_of(data)->size; }

/// The sequence number stands in the packet only. It is in host order: Cyclone has checked and swapped the headers.
std::uint64_t sequence_in(const nn_rdata & first) {
  Data_DataFrag_common_t header;
  std::memcpy(&header, NN_RMSG_PAYLOADOFF(first.rmsg, NN_RDATA_SUBMSG_OFF(&first)), sizeof header);
  const std::uint64_t number =
      (static_cast<std::uint64_t>(static_cast<std::uint32_t>(header.writerSN.high)) << 32) | header.writerSN.low;
  return number - 1;
}

CdrData * make_data(const ddsi_sertype & type, ddsi_serdata_kind kind, std::size_t size) {
  CdrData * const data = rmw_cyclonedds::make_data(type, size);
  if (data != nullptr) {
    data->kind = kind;
  }
  return data;
}

ddsi_serdata * from_packets(const ddsi_sertype * type, ddsi_serdata_kind kind, const nn_rdata * packets,
                            std::size_t size) {
  CdrDataPtr data(make_data(*type, kind, size));
  if (!data) {
    return nullptr;
  }
  data->sequence = sequence_in(*packets);
  std::uint32_t filled = 0;
  for (const nn_rdata * part = packets; part != nullptr; part = part->nextfrag) {
    const std::uint32_t end = std::min(part->maxp1, data->size);
    if (part->min <= filled && end > filled) {  // parts may overlap
      const unsigned char * payload = NN_RMSG_PAYLOADOFF(part->rmsg, NN_RDATA_PAYLOAD_OFF(part));
      std::memcpy(data->bytes() + filled, payload + (filled - part->min), end - filled);
      filled = end;
    }
  }
  return filled == size ? data.release() : nullptr;
}

/// From a type of this process that has the same name and is not ours.
ddsi_serdata * from_parts(const ddsi_sertype * type, ddsi_serdata_kind kind, ddsrt_msg_iovlen_t count,
                          const ddsrt_iovec_t * parts, std::size_t size) {
  CdrData * const data = make_data(*type, kind, size);
  std::size_t filled = 0;
  for (ddsrt_msg_iovlen_t i = 0; data != nullptr && i < count && filled < size; ++i) {
    const std::size_t length = std::min<std::size_t>(parts[i].iov_len, size - filled);
    std::memcpy(data->bytes() + filled, parts[i].iov_base, length);
    filled += length;
  }
  return data;
}

ddsi_serdata * from_keyhash(const ddsi_sertype * type, const ddsi_keyhash * /*hash*/) {
  return make_data(*type, SDK_KEY, 0);
}

void get_keyhash(const ddsi_serdata * /*data*/, ddsi_keyhash * hash, bool /*force_md5*/) { *hash = {}; }

void to_bytes(const ddsi_serdata * data, std::size_t offset, std::size_t size, void * buffer) {
  std::memcpy(buffer, data_of(data)->bytes() + offset, size);
}

ddsi_serdata * to_bytes_ref(const ddsi_serdata * data, std::size_t offset, std::size_t size, ddsrt_iovec_t * part) {
  part->iov_base = const_cast<std::uint8_t *>(data_of(data)->bytes()) + offset;
  part->iov_len = size;
  return ddsi_serdata_ref(data);
}

void to_bytes_unref(ddsi_serdata * data, const ddsrt_iovec_t * /*part*/) { ddsi_serdata_unref(data); }

ddsi_serdata * to_untyped(const ddsi_serdata * data) {
  CdrData * const key = make_data(*data->type, SDK_KEY, 0);
  if (key != nullptr) {
    key->type = nullptr;
  }
  return key;
}

void free_data(ddsi_serdata * data) { std::free(data_of(data)); }

std::size_t print(const ddsi_sertype * /*type*/, const ddsi_serdata * data, char * buffer, std::size_t size) {
  return static_cast<std::size_t>(std::snprintf(buffer, size, "%u bytes", data_of(data)->size));
}

const ddsi_serdata_ops kDataOps = [] {
  ddsi_serdata_ops ops{};
  ops.eqkey = is_same_key;
  ops.get_size = size_of;
  ops.from_ser = from_packets;
  ops.from_ser_iov = from_parts;
  ops.from_keyhash = from_keyhash;
  ops.to_ser = to_bytes;
  ops.to_ser_ref = to_bytes_ref;
  ops.to_ser_unref = to_bytes_unref;
  ops.to_untyped = to_untyped;
  ops.free = free_data;
  ops.print = print;
  ops.get_keyhash = get_keyhash;
  return ops;
}();

// What Cyclone asks of a type.

void free_type(ddsi_sertype * type) {
  ddsi_sertype_fini(type);
  delete type;
}
bool is_equal(const ddsi_sertype * /*a*/, const ddsi_sertype * /*b*/) { return true; }  // the names are
std::uint32_t hash_of(const ddsi_sertype * /*type*/) { return 0; }

const ddsi_sertype_ops kTypeOps = [] {
  ddsi_sertype_ops ops{};  // what stays null: no type information is offered to anybody
  ops.version = ddsi_sertype_v0;
  ops.free = free_type;
  ops.equal = is_equal;
  ops.hash = hash_of;
  return ops;
}();

}  // namespace

ddsi_sertype * make_type(const std::string & name) {
  auto * const type = new ddsi_sertype{};
  ddsi_sertype_init_flags(type, name.c_str(), &kTypeOps, &kDataOps, DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY);
  type->allowed_data_representation = 1u << DDS_DATA_REPRESENTATION_XCDR1;
  return type;
}

CdrData * make_data(const ddsi_sertype & type, std::size_t size) noexcept {
  void * const memory = size <= UINT32_MAX - kPadding ? std::malloc(sizeof(CdrData) + size + kPadding) : nullptr;
  if (memory == nullptr) {
    return nullptr;
  }
  auto * const data = new (memory) CdrData{};
  ddsi_serdata_init(data, &type, SDK_DATA);
  data->hash = type.serdata_basehash;
  data->size = static_cast<std::uint32_t>(size);
  std::memset(data->bytes() + size, 0, kPadding);
  return data;
}

}  // namespace rmw_cyclonedds
