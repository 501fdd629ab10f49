// What stands in for Lyrical's header of this name: tests are their own plug-ins.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rosidl_buffer_backend/buffer_backend.hpp"

namespace rosidl_buffer_backend_registry {

class BufferBackendRegistry {
 public:
  using Plugins = std::map<std::string, std::function<std::shared_ptr<rosidl::BufferBackend>()>>;
  /// Those that are installed, by their names.
  static Plugins & plugins() {
    static Plugins installed;
    return installed;
  }

  std::vector<std::string> get_backend_names() const {
    std::vector<std::string> names;
    for (const auto & [name, create] : plugins()) names.push_back(name);
    return names;
  }
  std::shared_ptr<rosidl::BufferBackend> create_backend_instance(const std::string & name) {
    return plugins().at(name)();
  }
};

}  // namespace rosidl_buffer_backend_registry
