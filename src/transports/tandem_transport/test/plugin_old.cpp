// A plug-in that was built for another version of the interface.
#include "tandem/plugin.hpp"

extern "C" __attribute__((visibility("default"))) int tandem_transport_abi() { return TANDEM_TRANSPORT_ABI + 1; }
extern "C" __attribute__((visibility("default"))) tandem::transport::Transport * tandem_transport() { return nullptr; }
