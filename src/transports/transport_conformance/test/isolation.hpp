// A small world of this run's own, so that nothing outside disturbs it and nothing of it stays behind.
#pragma once

#include <string>

namespace conformance {

/// A network with nothing but loopback (with multicast) and a /dev/shm for this process and its children; in
/// iceoryx_sandbox the /dev/shm there, which has its daemon. Call it before there are threads. \return what could not be
/// had and why, else empty.
std::string isolate();

}  // namespace conformance
