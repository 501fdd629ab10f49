// Finding and loading the middleware: lib<name>.so of RMW_IMPLEMENTATION, through the ament index.
#pragma once

#include <string>
#include <vector>

#include "tandem/transport.hpp"

/// Every plug-in library exports this; `tandem_transport_abi` is compared before anything else is called.
#define TANDEM_TRANSPORT_ABI 7
#define TANDEM_EXPORT_TRANSPORT(TYPE)                                                                           \
  extern "C" __attribute__((visibility("default"))) int tandem_transport_abi() { return TANDEM_TRANSPORT_ABI; } \
  extern "C" __attribute__((visibility("default"))) tandem::transport::Transport * tandem_transport() {         \
    static auto * transport = new TYPE;                                                                         \
    return transport;                                                                                           \
  }

namespace tandem::transport {

/// The transport chosen by RMW_IMPLEMENTATION; rmw_tandem_cpp when that is unset or empty. A well-known ROS middleware
/// that is not built costs one warning on stderr and the default is used. Loaded once per process. Thread-safe.
/// \throws Error for an unknown name, listing what exists, or for a library that cannot be loaded.
Transport & load();

/// The same for a name given by the program, without any fall-back.
Transport & load(const std::string & name);

/// Names of the transports that are installed (resource type "tandem_transport" of the ament index), sorted.
std::vector<std::string> available();

}  // namespace tandem::transport
