// What one client publishes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "connection/sender.hpp"
#include "world/world.hpp"

namespace tandem::view {

class Publications {
 public:
  explicit Publications(World & world) : world_(world) {}

  /// All \throw BadRequest, transport::Error.
  void advertise(const Json & request);
  void unadvertise(const Json & request);
  void publish(std::uint32_t channel, std::string_view payload);

 private:
  struct Entry {
    const MessageType * type;
    std::string topic;
    std::string encoding;
    std::shared_ptr<transport::Publisher> publisher;
  };
  void add(const Json & channel);

  World & world_;
  std::map<std::uint32_t, Entry> entries_;
};

}  // namespace tandem::view
