// Tells one client which topics and services there are: what is new, what is gone, a part at a time.
#pragma once

#include <cstdint>
#include <set>

#include "connection/sender.hpp"
#include "world/world.hpp"

namespace tandem::view {

class Advertiser {
 public:
  Advertiser(World & world, Sender & sender) : world_(world), sender_(sender) {}

  /// Sends what has changed, at most some hundreds; the rest follows with later calls, as the client reads.
  void advance();
  /// Whether everything has been told that was there at the last call.
  bool is_complete() const { return is_complete_; }

 private:
  void advertise_channels();
  void advertise_services();

  World & world_;
  Sender & sender_;
  bool has_room() const;

  bool is_first_ = true;
  bool is_complete_ = false;
  std::set<std::uint32_t> channels_;  // that the client knows
  std::set<std::uint32_t> services_;
  // The last that was looked at: what is new has greater numbers.
  std::uint32_t last_channel_ = 0;
  std::uint32_t last_service_ = 0;
};

}  // namespace tandem::view
