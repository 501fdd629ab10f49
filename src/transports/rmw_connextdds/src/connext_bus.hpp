// The bus over RTI Connext's Modern C++ API: messages are DynamicData that are made of CDR and turned into CDR.
#pragma once

#include <dds/dds.hpp>
#include <memory>

#include "tandem/cdr_bus/bus.hpp"

namespace connext {

/// The name in warnings and errors.
inline constexpr const char * kName = "rmw_connextdds";

/// \throws Error when Connext refuses: no licence, no network.
std::shared_ptr<tandem::cdr_bus::Bus> make_bus(std::uint32_t domain);

}  // namespace connext
