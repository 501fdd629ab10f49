// Messages as JSON: objects of their fields. Of bytes and characters the numbers; what is no number (NaN) is null.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "tandem/introspection.hpp"
#include "tandem/message_type.hpp"

namespace tandem::tools {

/// Names in the order given.
using Json = nlohmann::ordered_json;

struct JsonStyle {
  /// Elements and characters beyond are left out: such an array or string is {"$first": what is not, "$count": of all}.
  std::size_t most = kUnbounded;
};

Json to_json(const Value & value, const JsonStyle & style = {});

}  // namespace tandem::tools
