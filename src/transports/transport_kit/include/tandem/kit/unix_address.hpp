// The address of a UNIX socket that is a file.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <string>

namespace tandem::transport {

/// Cut off where it is too long: Roster::path_of() is short enough.
inline sockaddr_un unix_address(const std::string & path) {
  sockaddr_un result{};
  result.sun_family = AF_UNIX;
  path.copy(result.sun_path, sizeof result.sun_path - 1);
  return result;
}

}  // namespace tandem::transport
