// The options by which `echo` verbs choose how values are printed.
#pragma once

#include <cstddef>
#include <string>

#include "command/commands.hpp"
#include "tandem/introspection.hpp"
#include "tandem/yaml.hpp"

namespace ros2cli {

struct TextOptions {
  tandem::YamlStyle style;
  std::size_t truncate_length = 128;  ///< elements or characters; unless full_length
  bool full_length = false;
  bool csv = false;
};

/// Declares them. `what` is printed: "message".
void declare_text(CLI::App & app, TextOptions & options, const std::string & what);

/// The value as text, with what separates it from the next.
std::string to_text(const TextOptions & options, const tandem::Value & value);

}  // namespace ros2cli
