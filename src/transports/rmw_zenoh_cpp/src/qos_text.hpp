// QoS in a liveliness token: the numbers of rmw's enumerations, and nothing where the value is the stock default.
//
//   <reliability>:<durability>:<history>,<depth>:<deadline>:<lifespan>:<liveliness>,<lease>      durations as <s>,<ns>
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tandem/transport.hpp"

namespace rmw_zenoh {

std::string to_text(const tandem::transport::Qos & qos);
/// Nothing when it is malformed.
std::optional<tandem::transport::Qos> qos_of(std::string_view text);

}  // namespace rmw_zenoh
