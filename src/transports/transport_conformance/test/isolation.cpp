#include "isolation.hpp"

#include <arpa/inet.h>
#include <net/if.h>
#include <net/route.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace conformance {
namespace {

/// Who may not make namespaces may do so as root of a user namespace.
bool unshare_all() {
  constexpr int kNetworkAndMounts = CLONE_NEWNET | CLONE_NEWNS;
  if (unshare(kNetworkAndMounts) == 0) {
    return true;
  }
  const auto user = getuid();
  const auto group = getgid();
  if (unshare(CLONE_NEWUSER | kNetworkAndMounts) != 0) {
    return false;
  }
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
  std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
  return true;
}

sockaddr ipv4(const char * text) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, text, &address.sin_addr);
  sockaddr generic{};
  std::memcpy(&generic, &address, sizeof address);
  return generic;
}

/// Loopback up, and multicast routed to it.
bool start_network() {
  const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq loopback{};
  std::strncpy(loopback.ifr_name, "lo", sizeof loopback.ifr_name - 1);
  loopback.ifr_flags = IFF_UP | IFF_RUNNING | IFF_LOOPBACK | IFF_MULTICAST;
  rtentry route{};
  route.rt_dst = ipv4("224.0.0.0");
  route.rt_genmask = ipv4("240.0.0.0");
  route.rt_flags = RTF_UP;
  route.rt_dev = loopback.ifr_name;
  const bool is_up = ioctl(any, SIOCSIFFLAGS, &loopback) == 0 && ioctl(any, SIOCADDRT, &route) == 0;
  close(any);
  return is_up;
}

}  // namespace

std::string isolate() {
  const bool has_shm = std::getenv("IN_ICEORYX_SANDBOX") != nullptr;
  const auto because = [] { return std::string(": ") + std::strerror(errno); };
  if (!unshare_all()) {
    return "no network and /dev/shm of its own" + because();
  }
  std::string missing;
  if (!has_shm && (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
                   mount("tmpfs", "/dev/shm", "tmpfs", 0, nullptr) != 0)) {
    missing = "no /dev/shm of its own" + because();
  }
  if (!start_network()) {
    missing += "no multicast on its loopback" + because();
  }
  return missing;
}

}  // namespace conformance
