#include "terminal/json.hpp"

#include "terminal/output.hpp"

namespace ros2cli {

void print_json(const Json & value) { print(value.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'); }

}  // namespace ros2cli
