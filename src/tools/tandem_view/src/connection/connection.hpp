// A client's WebSocket as the two threads see it, and who listens to what comes from it.
//
// The network thread reads, writes and closes; the data thread answers. A client's next message is read only after resume():
// one that floods waits in its own socket.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "connection/outbox.hpp"

namespace tandem::view {

enum class Protocol : std::uint8_t {
  kFoxglove,  ///< foxglove.websocket.v1, foxglove.sdk.v1
  kPage,      ///< tandem.view.v1: the same, and the statistics of the page
};

/// Thread-safe.
class Connection {
 public:
  explicit Connection(Protocol protocol) : protocol_(protocol) {}
  virtual ~Connection() = default;
  Connection(const Connection &) = delete;
  Connection & operator=(const Connection &) = delete;

  Protocol protocol() const { return protocol_; }
  Outbox & outbox() { return outbox_; }
  /// The outbox is not empty any more.
  virtual void wake() = 0;
  /// Read the next message, after a while.
  virtual void resume(std::chrono::milliseconds pause) = 0;
  /// Ends it; `reason` is for people, 120 bytes at most.
  virtual void close(std::uint16_t code, const std::string & reason) = 0;

 private:
  const Protocol protocol_;
  Outbox outbox_;
};

/// Called on the network thread.
class ConnectionListener {
 public:
  virtual ~ConnectionListener() = default;
  virtual void opened(const std::shared_ptr<Connection> & connection) = 0;
  /// One message; no other comes before resume().
  virtual void received(const std::shared_ptr<Connection> & connection, std::string message, bool is_binary) = 0;
  virtual void closed(const std::shared_ptr<Connection> & connection) = 0;
};

}  // namespace tandem::view
