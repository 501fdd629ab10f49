#include "codec.hpp"

#include <cstdio>
#include <cstring>

#include "tandem/cdr.hpp"

namespace unixsocket {

OwnMessage::OwnMessage(const tandem::MessageType & type) : type_(type), memory_(type.size, type.alignment) {
  type.construct(memory_.data());
}

OwnMessage::~OwnMessage() { type_.destroy(memory_.data()); }

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
  auto message = std::make_shared<OwnMessage>(type);
  if (const auto read = tandem::deserialize(type, payload->data(), payload->size(), message->get()); !read) {
    std::fprintf(stderr, "[rmw_unixsocket_cpp] a message of type %s is dropped: %s\n", type.name, read.error().c_str());
    return nullptr;
  }
  const void * object = message->get();
  return {std::move(message), object};
}

}  // namespace unixsocket
