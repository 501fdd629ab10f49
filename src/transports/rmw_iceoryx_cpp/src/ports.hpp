// What the two kinds of ports agree on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "iceoryx_posh/capro/service_description.hpp"
#include "tandem/transport.hpp"

namespace iceoryx {

/// The messages that a keep-all end keeps in ordinary memory when iceoryx' queue (256) or history (16) is full.
inline constexpr std::size_t kKeepAllLimit = 1000;

/// Same topic and same definition of the type, in the same domain.
iox::capro::ServiceDescription service_of(std::uint32_t domain, const tandem::transport::EndpointInfo & endpoint);

/// The messages that a publisher keeps for late joiners, or that a subscription asks for when it joins; 0 if volatile.
std::size_t history_of(const tandem::transport::Qos & qos);

/// CLOCK_MONOTONIC, in ns.
std::int64_t monotonic_now();

}  // namespace iceoryx
