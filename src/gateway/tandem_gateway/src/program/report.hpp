// The status as text: JSON for programs, a table for people, Prometheus's format for its collectors.
#pragma once

#include <cstdint>
#include <string>

#include "tandem/gateway/gateway.hpp"

namespace tandem::gateway {

/// Which gateway it is.
struct Identity {
  std::uint32_t domain = 0;
  std::string network;  ///< "rmw_fastrtps_cpp"
  int process = 0;
};

/// One line.
std::string to_json(const Identity & identity, const Status & status);
/// Both from to_json()'s text. \throws std::exception when it is none.
std::string to_table(const std::string & json);
std::string to_prometheus(const std::string & json);

}  // namespace tandem::gateway
