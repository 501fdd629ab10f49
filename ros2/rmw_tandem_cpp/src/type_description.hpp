// The hash of a type from its introspection, for distributions of ROS 2 that do not tell it (Humble).
#pragma once

#include "ros_type.hpp"
#include "type_hash.hpp"

namespace tandem_rmw {

/// RIHS01: SHA-256 of the type description as JSON (REP 2011).
TypeHash computed_hash(const RosType & type);
TypeHash computed_hash(const RosServiceType & type);

}  // namespace tandem_rmw
