// Writes to one client: JSON, status messages, binary messages of the Foxglove protocol.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "connection/connection.hpp"
#include "tandem/tools/json.hpp"

namespace tandem::view {

using tools::Json;

enum class Level : std::uint8_t { kInfo = 0, kWarning = 1, kError = 2 };

/// Little-endian, as the protocol has it.
std::string & append_u8(std::string & bytes, std::uint8_t value);
std::string & append_u32(std::string & bytes, std::uint32_t value);
std::string & append_u64(std::string & bytes, std::uint64_t value);
/// \pre there are 4 bytes at `position`.
std::uint32_t read_u32(const std::string & bytes, std::size_t position);

/// What is no UTF-8 is replaced.
std::string to_text(const Json & value);

class Sender {
 public:
  explicit Sender(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  void json(const Json & value) { control({false, to_text(value), nullptr}); }
  /// With an `id`, it replaces the earlier one of that id.
  void status(Level level, const std::string & text, const std::string & id = "");
  /// An answer in binary.
  void binary(std::string head, std::shared_ptr<const Bytes> body = nullptr) {
    control({true, std::move(head), std::move(body)});
  }
  /// A message of a subscription, which may be dropped.
  void message(std::uint32_t subscription, Frame frame);

  Connection & connection() { return *connection_; }

 private:
  void control(Frame frame);
  const std::shared_ptr<Connection> connection_;
};

}  // namespace tandem::view
