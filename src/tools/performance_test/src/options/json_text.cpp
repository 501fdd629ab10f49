#include "options/json_text.hpp"

#include <nlohmann/json.hpp>

namespace performance_test {

bool is_json(const std::string & text) { return nlohmann::json::accept(text); }

}  // namespace performance_test
