#include "codec.hpp"

#include <cstring>

#include "tandem/cdr.hpp"
#include "tandem/transport_support/endpoint.hpp"
#include "tandem/transport_support/own_message.hpp"

namespace unixsocket {

std::shared_ptr<const Payload> encode(const tandem::MessageType & type, const void * message) {
  if (type.is_fixed_size) {
    auto payload = std::make_shared<Payload>(type.size, type.alignment);
    std::memcpy(payload->data(), message, payload->size());
    return payload;
  }
  auto payload = std::make_shared<Payload>(tandem::serialized_size(type, message), 1);
  if (tandem::serialize(type, message, payload->data(), payload->size()) == 0) {
    return nullptr;
  }
  return payload;
}

std::shared_ptr<const void> decode(const tandem::MessageType & type, std::shared_ptr<const Payload> payload) {
  if (type.is_fixed_size) {
    const void * message = payload->data();
    return {std::move(payload), message};
  }
  auto message = std::make_shared<tandem::transport::OwnMessage>(type);
  if (!decode_into(type, *payload, message->get())) {
    return nullptr;
  }
  const void * object = message->get();
  return {std::move(message), object};
}

bool decode_into(const tandem::MessageType & type, const Payload & payload, void * message) {
  if (type.is_fixed_size) {
    std::memcpy(message, payload.data(), payload.size());
    return true;
  }
  const auto read = tandem::deserialize(type, payload.data(), payload.size(), message);
  if (!read) {
    tandem::transport::warn(kName, "", std::string("a message of type ") + type.name + " is dropped: " + read.error());
  }
  return read.has_value();
}

}  // namespace unixsocket
