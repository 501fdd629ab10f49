#include "cdr_data.hpp"

#include <dds/dds.h>
#include <dds/ddsi/ddsi_shm_transport.h>
#include <dds/ddsi/q_protocol.h>
#include <dds/ddsi/q_radmin.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "shared_memory.hpp"
#include "tandem/cdr.hpp"

namespace rmw_cyclonedds {
namespace {

constexpr std::size_t kPadding = 4;  ///< Cyclone sends, and so reads, up to the next multiple of 4

/// Of the message that this thread writes.
thread_local std::uint64_t published_sequence = 0;

const CdrType & type_of(const ddsi_sertype * type) { return *static_cast<const CdrType *>(type); }
CdrData * data_of(ddsi_serdata * data) { return static_cast<CdrData *>(data); }
const CdrData * data_of(const ddsi_serdata * data) { return static_cast<const CdrData *>(data); }

// What Cyclone asks of a message. All topics of ROS are keyless: one instance for everything.

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

ddsi_serdata * from_packets(const ddsi_sertype * type, ddsi_serdata_kind kind, const nn_rdata * packets,
                            std::size_t size) {
  CdrData * const data = size <= UINT32_MAX - kPadding ? make_data(*type, static_cast<std::uint32_t>(size)) : nullptr;
  if (data == nullptr) {
    return nullptr;
  }
  data->kind = kind;
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
  if (filled != data->size) {
    ddsi_serdata_unref(data);
    return nullptr;
  }
  return data;
}

/// From one type object of this process to another of the same name.
ddsi_serdata * from_parts(const ddsi_sertype * type, ddsi_serdata_kind kind, ddsrt_msg_iovlen_t count,
                          const ddsrt_iovec_t * parts, std::size_t size) {
  CdrData * const data = size <= UINT32_MAX - kPadding ? make_data(*type, static_cast<std::uint32_t>(size)) : nullptr;
  if (data == nullptr) {
    return nullptr;
  }
  data->kind = kind;
  std::size_t filled = 0;
  for (ddsrt_msg_iovlen_t i = 0; i < count && filled < size; ++i) {
    const std::size_t length = std::min<std::size_t>(parts[i].iov_len, size - filled);
    std::memcpy(data->bytes() + filled, parts[i].iov_base, length);
    filled += length;
  }
  return data;
}

ddsi_serdata * from_keyhash(const ddsi_sertype * type, const ddsi_keyhash * /*hash*/) {
  CdrData * const data = make_data(*type, 0);
  if (data != nullptr) {
    data->kind = SDK_KEY;
  }
  return data;
}

ddsi_serdata * from_message(const ddsi_sertype * type, ddsi_serdata_kind kind, const void * message) {
  const tandem::MessageType * const fields = type_of(type).message;
  const std::size_t size = fields != nullptr ? tandem::serialized_size(*fields, message) : 0;
  if (size == 0 || size > UINT32_MAX - kPadding) {
    return nullptr;
  }
  CdrData * const data = make_data(*type, static_cast<std::uint32_t>(size));
  if (data == nullptr) {
    return nullptr;
  }
  data->kind = kind;
  data->sequence = published_sequence;
  data->is_local = true;
  if (tandem::serialize(*fields, message, data->bytes(), size) != size) {
    ddsi_serdata_unref(data);
    return nullptr;
  }
  return data;
}

void to_bytes(const ddsi_serdata * data, std::size_t offset, std::size_t size, void * buffer) {
  std::memcpy(buffer, data_of(data)->bytes() + offset, size);
}

ddsi_serdata * to_bytes_ref(const ddsi_serdata * data, std::size_t offset, std::size_t size, ddsrt_iovec_t * part) {
  part->iov_base = const_cast<std::uint8_t *>(data_of(data)->bytes()) + offset;
  part->iov_len = size;
  return ddsi_serdata_ref(data);
}

void to_bytes_unref(ddsi_serdata * data, const ddsrt_iovec_t * /*part*/) { ddsi_serdata_unref(data); }

bool to_message(const ddsi_serdata * data, void * message, void ** /*buffer*/, void * /*limit*/) {
  const tandem::MessageType * const fields = type_of(data->type).message;
  try {
    return fields != nullptr &&
           tandem::deserialize(*fields, data_of(data)->bytes(), data_of(data)->size, message).has_value();
  } catch (const std::bad_alloc &) {
    return false;
  }
}

ddsi_serdata * to_untyped(const ddsi_serdata * data) {
  CdrData * const key = make_data(*data->type, 0);
  if (key != nullptr) {
    key->kind = SDK_KEY;
    key->type = nullptr;
  }
  return key;
}

bool untyped_to_message(const ddsi_sertype * /*type*/, const ddsi_serdata * /*data*/, void * /*message*/,
                        void ** /*buffer*/, void * /*limit*/) {
  return true;  // no key: nothing to fill in
}

void free_data(ddsi_serdata * data) {
  if (data->iox_chunk != nullptr && data->iox_subscriber != nullptr) {
    free_iox_chunk(static_cast<iox_sub_t *>(data->iox_subscriber), &data->iox_chunk);
  }
  std::free(data_of(data));
}

std::size_t print(const ddsi_sertype * type, const ddsi_serdata * data, char * buffer, std::size_t size) {
  const int length = std::snprintf(buffer, size, "%s of %u bytes", type != nullptr ? type->type_name : "a message",
                                   static_cast<unsigned>(data_of(data)->size));
  return length < 0 ? 0 : static_cast<std::size_t>(length);
}

/// No key, so no hash of it. Cyclone asks for it for the header of a chunk only.
void get_keyhash(const ddsi_serdata * data, ddsi_keyhash * hash, bool /*force_md5*/) {
  const tandem::MessageType * const fields = type_of(data->type).message;
  const ChunkLabel label{data_of(data)->sequence, fields != nullptr ? label_of(*fields) : 0};
  static_assert(sizeof label == sizeof hash->value);
  std::memcpy(hash->value, &label, sizeof label);
}

std::uint32_t lent_size(const ddsi_serdata * data) { return data->type->iox_size; }

/// What another process, or this one, has put into shared memory: nothing is copied.
ddsi_serdata * from_chunk(const ddsi_sertype * type, ddsi_serdata_kind kind, void * subscriber, void * chunk) {
  CdrData * const data = make_data(*type, 0);
  if (data == nullptr) {
    return nullptr;
  }
  data->kind = kind;
  data->iox_chunk = chunk;
  data->iox_subscriber = subscriber;
  data->sequence = subscriber != nullptr ? read_label(chunk).sequence : published_sequence;
  return data;
}

const ddsi_serdata_ops kDataOps = [] {
  ddsi_serdata_ops ops{};
  ops.eqkey = is_same_key;
  ops.get_size = size_of;
  ops.from_ser = from_packets;
  ops.from_ser_iov = from_parts;
  ops.from_keyhash = from_keyhash;
  ops.from_sample = from_message;
  ops.to_ser = to_bytes;
  ops.to_ser_ref = to_bytes_ref;
  ops.to_ser_unref = to_bytes_unref;
  ops.to_sample = to_message;
  ops.to_untyped = to_untyped;
  ops.untyped_to_sample = untyped_to_message;
  ops.free = free_data;
  ops.print = print;
  ops.get_keyhash = get_keyhash;
  ops.get_sample_size = lent_size;
  ops.from_iox_buffer = from_chunk;
  return ops;
}();

// What Cyclone asks of a type.

void free_type(ddsi_sertype * type) {
  ddsi_sertype_fini(type);
  delete static_cast<CdrType *>(type);
}

// Cyclone's own reading, which we do not use, would ask for these.
void zero_messages(const ddsi_sertype * /*type*/, void * /*messages*/, std::size_t /*count*/) {}
void resize_messages(void ** messages, const ddsi_sertype * /*type*/, void * /*old*/, std::size_t /*old_count*/,
                     std::size_t count) {
  std::fill_n(messages, count, nullptr);
}
void free_messages(const ddsi_sertype * /*type*/, void ** /*messages*/, std::size_t /*count*/, dds_free_op_t /*op*/) {}

bool is_equal(const ddsi_sertype * a, const ddsi_sertype * b) {
  return type_of(a).message == type_of(b).message && a->fixed_size == b->fixed_size;
}

std::uint32_t hash_of(const ddsi_sertype * type) {
  const auto address = reinterpret_cast<std::uintptr_t>(type_of(type).message);
  return static_cast<std::uint32_t>(address >> 4) ^ type->fixed_size;
}

const ddsi_sertype_ops kTypeOps = [] {
  ddsi_sertype_ops ops{};  // what stays null: no type information is offered to anybody
  ops.version = ddsi_sertype_v0;
  ops.free = free_type;
  ops.zero_samples = zero_messages;
  ops.realloc_samples = resize_messages;
  ops.free_samples = free_messages;
  ops.equal = is_equal;
  ops.hash = hash_of;
  return ops;
}();

}  // namespace

CdrType * make_type(const std::string & name, const tandem::MessageType * message, bool fits_shared_memory) {
  auto * const type = new CdrType{};
  ddsi_sertype_init_flags(type, name.c_str(), &kTypeOps, &kDataOps,
                          DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY | (fits_shared_memory ? DDSI_SERTYPE_FLAG_FIXED_SIZE : 0));
  type->allowed_data_representation = 1u << DDS_DATA_REPRESENTATION_XCDR1;
  type->iox_size = fits_shared_memory ? static_cast<std::uint32_t>(message->size) : 0;
  type->message = message;
  return type;
}

void number_next(std::uint64_t sequence) { published_sequence = sequence; }

CdrData * make_data(const ddsi_sertype & type, std::uint32_t size) noexcept {
  void * const memory = std::malloc(sizeof(CdrData) + size + kPadding);
  if (memory == nullptr) {
    return nullptr;
  }
  auto * const data = new (memory) CdrData{};
  ddsi_serdata_init(data, &type, SDK_DATA);
  data->hash = type.serdata_basehash;
  data->size = size;
  std::memset(data->bytes() + size, 0, kPadding);
  return data;
}

}  // namespace rmw_cyclonedds
