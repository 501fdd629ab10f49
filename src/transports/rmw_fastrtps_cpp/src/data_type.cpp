#include "data_type.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "tandem/cdr.hpp"
#include "tandem/dds/names.hpp"

namespace rmw_fastrtps {
namespace {

/// What payloads of unbounded types have room for at first; they grow, and keep what they have.
constexpr std::uint32_t kFirstRoom = 256;

std::uint32_t narrow(std::size_t size) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(size, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

DataType::DataType(const tandem::MessageType & type, bool is_plain) : type_(&type), is_plain_(is_plain) {
  setName(tandem::dds::to_dds_type(type.name).c_str());
  m_typeSize = is_plain ? narrow(kEncapsulation + type.size) : kFirstRoom;
  auto_fill_type_object(false);
  auto_fill_type_information(false);
}

DataType::DataType(const std::string & name) {
  setName(name.c_str());
  m_typeSize = kFirstRoom;
  auto_fill_type_object(false);
  auto_fill_type_information(false);
}

bool DataType::serialize(void * outgoing, rtps::SerializedPayload_t * payload) {
  const auto & [type, message] = *static_cast<const Outgoing *>(outgoing);
  std::size_t size = 0;
  if (type != nullptr) {
    size = tandem::serialize(*type, message, payload->data, payload->max_size);
  } else if (const auto & cdr = *static_cast<const std::vector<std::uint8_t> *>(message);
             cdr.size() <= payload->max_size) {
    size = cdr.size();
    std::memcpy(payload->data, cdr.data(), size);
  }
  payload->encapsulation = CDR_LE;
  payload->length = narrow(size);
  return size != 0;
}

bool DataType::deserialize(rtps::SerializedPayload_t * payload, void * incoming) {
  static_cast<Incoming *>(incoming)->accept(reinterpret_cast<std::byte *>(payload->data), payload->length);
  return true;
}

std::function<std::uint32_t()> DataType::getSerializedSizeProvider(void * outgoing) {
  return [outgoing] {
    const auto & [type, message] = *static_cast<const Outgoing *>(outgoing);
    return narrow(type != nullptr ? tandem::serialized_size(*type, message)
                                  : static_cast<const std::vector<std::uint8_t> *>(message)->size());
  };
}

}  // namespace rmw_fastrtps
