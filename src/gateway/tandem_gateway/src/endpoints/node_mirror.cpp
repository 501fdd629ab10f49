#include "endpoints/node_mirror.hpp"

namespace tandem::gateway {

void NodeMirror::show(const NodeNames & names) {
  for (auto one = shown_.begin(); one != shown_.end();) {
    one = names.contains(one->first) ? std::next(one) : shown_.erase(one);
  }
  for (const auto & [name, count] : names) {
    auto & nodes = shown_[name];
    while (nodes.size() > count) {
      nodes.pop_back();
    }
    try {
      while (nodes.size() < count) {
        nodes.push_back(to_.create_node({name.first, name.second}));
      }
    } catch (const std::exception & error) {
      log_.warn_once("node " + name.first + " " + name.second + " is not shown on the other side: " + error.what());
    }
  }
}

NodeNames NodeMirror::others(const transport::GraphSnapshot & far) const {
  NodeNames names;
  for (const transport::NodeName & node : far.nodes) {
    ++names[{node.name_space, node.name}];
  }
  for (const auto & [name, nodes] : shown_) {
    const auto found = names.find(name);
    if (found != names.end()) {
      found->second -= std::min(found->second, nodes.size());
      if (found->second == 0) {
        names.erase(found);
      }
    }
  }
  return names;
}

}  // namespace tandem::gateway
