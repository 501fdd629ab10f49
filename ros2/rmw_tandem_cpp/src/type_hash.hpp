// RIHS01 hashes of types, by which native Tandem nodes know them too.
#pragma once

#include <array>
#include <cstdint>

#include "ros_type.hpp"

namespace tandem_rmw {

using TypeHash = std::array<std::uint8_t, 32>;

/// As the type support tells it; where it does not, as in Humble, computed from the introspection.
TypeHash hash_of(const rosidl_message_type_support_t & handle, const RosType & type);
TypeHash hash_of(const rosidl_service_type_support_t & handle, const RosServiceType & type);

}  // namespace tandem_rmw
