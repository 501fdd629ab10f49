// `--json`: the same as the text, for programs. One object or array a line; names in the order given.
#pragma once

#include "output.hpp"
#include "tandem/tools/json.hpp"

namespace ros2cli {

using tandem::tools::Json;

/// Bytes that are no UTF-8 are replaced, so that no name can make it fail.
inline void print_json(const Json & value) { print(value.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'); }

}  // namespace ros2cli
