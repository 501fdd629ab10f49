// Messages as JSON: objects of their fields. Of bytes and characters the numbers; what is no number (NaN) is null.
#pragma once

#include "json.hpp"
#include "tandem/introspection.hpp"

namespace ros2cli {

Json to_json(const tandem::Value & value);

}  // namespace ros2cli
