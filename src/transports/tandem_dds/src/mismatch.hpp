// Why two endpoints of one topic do not understand each other, in words for people.
#pragma once

#include <string>

#include "tandem/transport.hpp"

namespace tandem::dds {

/// Empty when they do. DDS compares type names and QoS; the hash is what ROS 2 nodes tell, so its difference does not
/// part them.
std::string mismatch(const transport::EndpointInfo & publisher, const transport::EndpointInfo & subscription);

}  // namespace tandem::dds
