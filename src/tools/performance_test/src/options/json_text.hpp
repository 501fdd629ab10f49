// Whether a text is JSON.
#pragma once

#include <string>

namespace performance_test {

bool is_json(const std::string & text);

}  // namespace performance_test
