// The text of an interface with those that it uses, as `ros2 interface show` prints it.
#pragma once

#include <string>

namespace ros2cli {

enum class Comments { kNone, kOuter, kAll };

/// `name` is "std_msgs/msg/Header" or the like. Fields of nested messages stand below theirs, indented by a tab.
/// \throws CommandError for a name that is malformed or unknown, with what exists.
std::string interface_text(const std::string & name, Comments comments);

}  // namespace ros2cli
