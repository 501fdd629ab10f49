// The bus over RTI Connext's Modern C++ API: messages are DynamicData that are made of CDR and turned into CDR.
#pragma once

#include <dds/dds.hpp>
#include <memory>

#include "licence.hpp"
#include "tandem/cdr_bus/bus.hpp"

namespace connext {

/// \throws Error when Connext refuses: no licence, no network.
std::shared_ptr<tandem::cdr_bus::Bus> make_bus(std::uint32_t domain);

}  // namespace connext
