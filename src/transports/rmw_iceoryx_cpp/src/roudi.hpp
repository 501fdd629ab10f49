// RouDi, the daemon of iceoryx: is it there, and starting it when it is absent and asked for.
#pragma once

#include <cstdint>

#include "tandem/kit/descriptor.hpp"

namespace iceoryx {

inline constexpr const char * kName = "rmw_iceoryx_cpp";

/// A datagram socket to RouDi on which nobody waits; none when nobody listens there.
tandem::transport::Descriptor connect_to_roudi();

/// Which RouDi listens; 0: none. iceoryx allows one on a machine.
std::uint64_t roudi_identity();

/// Makes sure that RouDi is there; starts it when TANDEM_ICEORYX_ROUDI=start. While the result lives, a RouDi that this
/// package started does not end: keep it until we are registered.
/// \throws Error that says what to do when it is not there.
tandem::transport::Descriptor provide_roudi();

}  // namespace iceoryx
