// The domain that a program of a user's shell belongs to.
#pragma once

#include <cstdint>

namespace tandem::tools {

/// What ROS_DOMAIN_ID says; 0 if it is unset or empty. \throws Error if it is no number that a domain can have.
std::uint32_t domain_of_environment();

}  // namespace tandem::tools
