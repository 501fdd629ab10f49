// The connection graph of the Foxglove protocol, for one client: first the whole, then what changes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "connection/sender.hpp"
#include "world/world.hpp"

namespace tandem::view {

class GraphFeed {
 public:
  GraphFeed(World & world, Sender & sender) : world_(world), sender_(sender) {}
  void subscribe();
  void unsubscribe();
  /// Sends what has changed.
  void refresh();

 private:
  using Ends = std::map<std::string, std::vector<std::string>>;  // names of nodes by topic or service

  World & world_;
  Sender & sender_;
  bool is_on_ = false;
  Ends published_, subscribed_, served_;
};

}  // namespace tandem::view
