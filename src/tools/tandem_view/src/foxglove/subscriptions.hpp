// What one client has subscribed to, by the Foxglove protocol: messages in CDR, each of them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "connection/sender.hpp"
#include "world/world.hpp"

namespace tandem::view {

class Subscriptions {
 public:
  Subscriptions(World & world, Sender & sender) : world_(world), sender_(sender) {}

  void subscribe(const Json & request);
  void unsubscribe(const Json & request);
  /// Ends those whose channels are gone, and tells of messages that the client was too slow for.
  void refresh();

 private:
  struct Entry {
    std::uint32_t channel;
    std::string topic;
    Look look;
    std::uint64_t dropped = 0;
  };
  void add(std::uint32_t id, std::uint32_t channel);

  World & world_;
  Sender & sender_;
  std::map<std::uint32_t, Entry> entries_;
  std::set<std::uint32_t> channels_;  // of the entries
};

}  // namespace tandem::view
