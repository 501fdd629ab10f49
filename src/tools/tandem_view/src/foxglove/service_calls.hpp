// Calls of services by one client.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "connection/sender.hpp"
#include "world/world.hpp"

namespace tandem::view {

class ServiceCalls {
 public:
  ServiceCalls(World & world, std::shared_ptr<Sender> sender) : world_(world), sender_(std::move(sender)) {}

  /// The message behind its opcode. A failure is told to the client. \throws BadRequest if it is no call at all.
  void call(const std::string & message);

 private:
  struct Call {
    std::uint32_t service;
    std::uint32_t id;
    std::string encoding;
    std::string payload;
  };
  void start(const Call & call);
  void fail(const Call & call, const std::string & why);

  World & world_;
  const std::shared_ptr<Sender> sender_;  // outlives this object where a reply is still to come
  const std::shared_ptr<std::size_t> pending_ = std::make_shared<std::size_t>(0);
};

}  // namespace tandem::view
