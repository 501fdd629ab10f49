// The classes of the libraries that are loaded.
#include <dlfcn.h>

#include <map>
#include <mutex>
#include <stdexcept>

#include "rclcpp_components/node_factory.hpp"

namespace rclcpp_components {
namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, NodeFactory *> factories;
};

/// Never destroyed: libraries leave it when the process ends, in any order.
Registry & registry() {
  static auto * instance = new Registry;
  return *instance;
}

}  // namespace

namespace detail {

Registration::Registration(const char * class_name, std::unique_ptr<NodeFactory> factory)
    : class_name_(class_name), factory_(std::move(factory)) {
  const std::lock_guard<std::mutex> lock(registry().mutex);
  registry().factories[class_name_] = factory_.get();
}

Registration::~Registration() {
  const std::lock_guard<std::mutex> lock(registry().mutex);
  const auto found = registry().factories.find(class_name_);
  if (found != registry().factories.end() && found->second == factory_.get()) registry().factories.erase(found);
}

}  // namespace detail

NodeFactory & load_node_factory(const std::string & library, const std::string & class_name) {
  if (!dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
    throw std::runtime_error("the library '" + library + "' with the node " + class_name +
                             " cannot be loaded: " + dlerror());
  }
  const std::lock_guard<std::mutex> lock(registry().mutex);
  const auto found = registry().factories.find(class_name);
  if (found == registry().factories.end()) {
    throw std::runtime_error("the library '" + library + "' has no node " + class_name +
                             ": it needs RCLCPP_COMPONENTS_REGISTER_NODE(" + class_name + ") in a source");
  }
  return *found->second;
}

}  // namespace rclcpp_components
