// Tells one client which topics and services there are: what is new, what is gone, a part at a time.
#pragma once

#include <cstdint>
#include <set>

#include "sender.hpp"
#include "world.hpp"

namespace tandem::view {

class Advertiser {
 public:
  Advertiser(World & world, Sender & sender) : world_(world), sender_(sender) {}

  /// Sends what has changed, at most some hundreds; the rest follows with later calls, as the client reads.
  void advance();
  bool has_channel(std::uint32_t id) const { return channels_.count(id) != 0; }
  bool has_service(std::uint32_t id) const { return services_.count(id) != 0; }

 private:
  void advertise_channels();
  void advertise_services();

  World & world_;
  Sender & sender_;
  bool is_first_ = true;
  std::set<std::uint32_t> channels_;
  std::set<std::uint32_t> services_;
};

}  // namespace tandem::view
