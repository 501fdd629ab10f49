// iceoryx below Cyclone: its daemon RouDi hands out shared memory to the processes of a host.
#pragma once

#include <string>

namespace rmw_cyclonedds {

/// Whether RouDi listens. Without it, iceoryx would wait for a minute and then end the process.
bool roudi_runs();

/// Which RouDi: processes that see the same one have the same text, others another one.
std::string roudi_id();

}  // namespace rmw_cyclonedds
