#include "connection/sender.hpp"

namespace tandem::view {
namespace {

constexpr std::uint16_t kTooBig = 1009;

template <class T>
std::string & append(std::string & bytes, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes += static_cast<char>(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  return bytes;
}

}  // namespace

std::string & append_u8(std::string & bytes, std::uint8_t value) { return append(bytes, value); }
std::string & append_u32(std::string & bytes, std::uint32_t value) { return append(bytes, value); }
std::string & append_u64(std::string & bytes, std::uint64_t value) { return append(bytes, value); }

std::uint32_t read_u32(const std::string & bytes, std::size_t position) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- != 0;) {
    value = value << 8 | static_cast<std::uint8_t>(bytes[position + i]);
  }
  return value;
}

std::string to_text(const Json & value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

void Sender::status(Level level, const std::string & text, const std::string & id) {
  Json message = {{"op", "status"}, {"level", static_cast<int>(level)}, {"message", text}};
  if (!id.empty()) {
    message["id"] = id;
  }
  json(message);
}

void Sender::message(std::uint32_t subscription, Frame frame) {
  connection_->outbox().push_message(std::move(frame), subscription);
  connection_->wake();
}

void Sender::control(Frame frame) {
  if (connection_->outbox().push_control(std::move(frame))) {
    connection_->wake();
  } else {
    connection_->close(kTooBig, "this client asks for more than it reads");
  }
}

}  // namespace tandem::view
