// What the environment says about the sockets.
#pragma once

#include <cstdint>
#include <string>

namespace rmw_zeromq {

inline constexpr const char * kName = "rmw_zeromq_cpp";

struct Settings {
  bool is_tcp = false;                ///< TANDEM_ZEROMQ_TRANSPORT: `ipc` (also when unset) or `tcp`
  std::string address = "127.0.0.1";  ///< TANDEM_ZEROMQ_ADDRESS: of tcp, an address or the name of an interface
  std::uint32_t first_port = 0;       ///< TANDEM_ZEROMQ_PORTS: of tcp, `first-last`; 0: any that is free
  std::uint32_t last_port = 0;
  bool is_vendor = false;  ///< TANDEM_TRANSPORT_TUNING=vendor: libzmq's own high-water marks, no frames used again

  /// \throws tandem::transport::Error for words that it does not know.
  static Settings read();
};

}  // namespace rmw_zeromq
