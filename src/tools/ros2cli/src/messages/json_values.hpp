// Messages as JSON, see the library.
#pragma once

#include "terminal/json.hpp"

namespace ros2cli {

using tandem::tools::to_json;

}  // namespace ros2cli
