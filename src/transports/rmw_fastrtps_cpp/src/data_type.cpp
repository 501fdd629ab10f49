#include "data_type.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "plain.hpp"
#include "tandem/cdr.hpp"
#include "tandem/dds/names.hpp"

namespace rmw_fastrtps {
namespace {

/// What payloads of unbounded types have room for at first; they grow, and keep what they have.
constexpr std::uint32_t kFirstRoom = 256;

std::uint32_t narrow(std::size_t size) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(size, std::numeric_limits<std::uint32_t>::max()));
}

void advertise_no_more_than(dds::TopicDataType & type, const std::string & name, std::uint32_t size) {
  type.setName(name.c_str());
  type.m_typeSize = size;
  type.m_isGetKeyDefined = false;
  type.auto_fill_type_object(false);
  type.auto_fill_type_information(false);
}

}  // namespace

MessageDataType::MessageDataType(const tandem::MessageType & type)
    : type_(type), is_plain_(rmw_fastrtps::is_plain(type)) {
  advertise_no_more_than(*this, tandem::dds::to_dds_type(type.name),
                         is_plain_ ? narrow(kEncapsulation + type.size) : kFirstRoom);
}

bool MessageDataType::serialize(void * outgoing, rtps::SerializedPayload_t * payload) {
  const auto & [type, message] = *static_cast<const Outgoing *>(outgoing);
  const std::size_t size = tandem::serialize(type, message, payload->data, payload->max_size);
  payload->encapsulation = CDR_LE;
  payload->length = narrow(size);
  return size != 0;
}

bool MessageDataType::deserialize(rtps::SerializedPayload_t * payload, void * incoming) {
  return static_cast<Incoming *>(incoming)->accept(payload->data, payload->length);
}

std::function<std::uint32_t()> MessageDataType::getSerializedSizeProvider(void * outgoing) {
  return [outgoing] {
    const auto & [type, message] = *static_cast<const Outgoing *>(outgoing);
    return narrow(tandem::serialized_size(type, message));
  };
}

bool MessageDataType::construct_sample(void * memory) const {
  type_.construct(memory);
  return true;
}

BytesDataType::BytesDataType(const char * name) { advertise_no_more_than(*this, name, kFirstRoom); }

bool BytesDataType::serialize(void * bytes, rtps::SerializedPayload_t * payload) {
  const auto & from = *static_cast<const std::vector<std::uint8_t> *>(bytes);
  if (from.size() > payload->max_size) {
    return false;
  }
  std::memcpy(payload->data, from.data(), from.size());
  payload->encapsulation = CDR_LE;
  payload->length = narrow(from.size());
  return true;
}

bool BytesDataType::deserialize(rtps::SerializedPayload_t * payload, void * bytes) {
  static_cast<std::vector<std::uint8_t> *>(bytes)->assign(payload->data, payload->data + payload->length);
  return true;
}

std::function<std::uint32_t()> BytesDataType::getSerializedSizeProvider(void * bytes) {
  return [bytes] { return narrow(static_cast<const std::vector<std::uint8_t> *>(bytes)->size()); };
}

void * BytesDataType::createData() { return new std::vector<std::uint8_t>; }

void BytesDataType::deleteData(void * bytes) { delete static_cast<std::vector<std::uint8_t> *>(bytes); }

}  // namespace rmw_fastrtps
