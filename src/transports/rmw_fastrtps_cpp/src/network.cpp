// Whether discovery can work at all.
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "settings.hpp"
#include "tandem/transport.hpp"

namespace rmw_fastrtps {
namespace {

using tandem::transport::Error;

bool has_interface() {
  ifaddrs * all = nullptr;
  if (getifaddrs(&all) != 0) {
    return true;  // nothing is known
  }
  bool found = false;
  for (const ifaddrs * one = all; one != nullptr; one = one->ifa_next) {
    found =
        found || (one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_INET && (one->ifa_flags & IFF_UP) != 0);
  }
  freeifaddrs(all);
  return found;
}

/// Participants share the port of discovery; \return false when somebody does not.
bool can_share(std::uint16_t port) {
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) {
    return true;
  }
  const int yes = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  const bool is_bound = bind(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
  const bool is_taken = !is_bound && errno == EADDRINUSE;
  close(descriptor);
  return !is_taken;
}

}  // namespace

void check_network(std::uint32_t domain) {
  if (!has_interface()) {
    throw Error(std::string(kName) + ": no network interface is up, so that Fast DDS finds nobody, not even on this " +
                "host; bring one up ('ip link set lo up' will do)");
  }
  const auto port = static_cast<std::uint16_t>(7400 + 250 * domain);
  if (!can_share(port)) {
    throw Error(std::string(kName) + ": UDP port " + std::to_string(port) + " (discovery in domain " +
                std::to_string(domain) + ") is in use by a program that does not share it; stop that one ('ss -ulpn' " +
                "tells which) or choose another ROS_DOMAIN_ID");
  }
}

}  // namespace rmw_fastrtps
