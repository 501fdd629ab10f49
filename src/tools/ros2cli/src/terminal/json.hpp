// `--json`: the same as the text, for programs. One object or array a line; names in the order given.
#pragma once

#include "tandem/tools/json.hpp"

namespace ros2cli {

using tandem::tools::Json;

/// Bytes that are no UTF-8 are replaced, so that no name can make it fail.
void print_json(const Json & value);

}  // namespace ros2cli
