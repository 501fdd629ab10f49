// By what this implementation is known.
#pragma once

#include <cstring>

namespace tandem_rmw {

inline constexpr char kIdentifier[] = "rmw_tandem_cpp";
inline constexpr char kSerializationFormat[] = "cdr";

inline bool is_ours(const char * identifier) {
  return identifier == kIdentifier || (identifier != nullptr && std::strcmp(identifier, kIdentifier) == 0);
}

}  // namespace tandem_rmw
