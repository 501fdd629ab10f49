// Whether discovery can work at all: Fast DDS itself would say nothing and find nobody.
#pragma once

#include <cstdint>

namespace rmw_fastrtps {

/// \throws transport::Error when no interface is up, or another program keeps the domain's discovery port to itself.
void check_network(std::uint32_t domain);

}  // namespace rmw_fastrtps
