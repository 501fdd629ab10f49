// Shows the nodes of one side on the other.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "tandem/transport.hpp"

namespace tandem::gateway {

/// How often each node name occurs.
using NodeNames = std::map<std::pair<std::string, std::string>, std::size_t>;

/// Used by one thread.
class NodeMirror {
 public:
  NodeMirror(transport::Context & to, Log & log) : to_(to), log_(log) {}

  /// Makes the nodes on the far side those that are given.
  void show(const NodeNames & names);
  /// Of all nodes on the far side those that are not shown by us. Names may repeat, so they are counted.
  NodeNames others(const transport::GraphSnapshot & far) const;

 private:
  transport::Context & to_;
  Log & log_;
  std::map<std::pair<std::string, std::string>, std::vector<std::unique_ptr<transport::Node>>> shown_;
};

}  // namespace tandem::gateway
