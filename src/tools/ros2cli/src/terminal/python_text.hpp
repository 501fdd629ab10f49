// Text as Python would print it, which is what those who read the output of ROS 2's commands expect.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/introspection.hpp"

namespace ros2cli {

/// "std_msgs.msg.String(data='hi')".
std::string python_text(const tandem::Value & value);

/// "b'\x00\x01hi'".
std::string python_bytes(const std::vector<std::uint8_t> & bytes);

}  // namespace ros2cli
