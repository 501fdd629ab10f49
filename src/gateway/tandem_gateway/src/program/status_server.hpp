// The socket that tells how the gateway of a host and domain is doing.
//
//   <shared-memory folder>/gateway-<domain>.sock   whoever connects is sent the status as JSON
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "tandem/transport.hpp"

namespace tandem::gateway {

/// "gateway-<domain>": the name of the lock (tandem::HostLock) that the one gateway of a host and domain holds, and of its
/// socket.
std::string instance_name(std::uint32_t domain);

class StatusServer {
 public:
  /// Sends `status()` to whoever connects, from a thread of its own, until destruction. To be made by who holds the lock.
  /// \throws transport::Error when the socket cannot be made.
  StatusServer(std::uint32_t domain, std::function<std::string()> status);
  ~StatusServer();
  StatusServer(const StatusServer &) = delete;
  StatusServer & operator=(const StatusServer &) = delete;

 private:
  void serve() const;

  const std::string folder_;
  const std::string name_;
  const std::function<std::string()> status_;
  int listener_ = -1;
  int end_ = -1;
  std::thread thread_;
};

/// What the running gateway answers. \throws transport::Error when none runs.
std::string ask_status(std::uint32_t domain);

}  // namespace tandem::gateway
