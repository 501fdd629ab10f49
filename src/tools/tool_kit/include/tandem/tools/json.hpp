// Messages as JSON: objects of their fields. Of bytes and characters the numbers; what is no number (NaN) is null.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "tandem/introspection.hpp"

namespace tandem::tools {

/// Names in the order given.
using Json = nlohmann::ordered_json;

Json to_json(const Value & value);

}  // namespace tandem::tools
