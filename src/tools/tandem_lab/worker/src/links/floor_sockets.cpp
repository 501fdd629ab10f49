#include "links/floor_sockets.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace lab {

Address internet_address(const std::string & text) {
  const auto colon = text.rfind(':');
  Address address;
  auto & in = reinterpret_cast<sockaddr_in &>(address.storage);
  in.sin_family = AF_INET;
  if (colon == std::string::npos || inet_pton(AF_INET, text.substr(0, colon).c_str(), &in.sin_addr) != 1) {
    throw std::runtime_error("'" + text + "' is not an IPv4 address with a port");
  }
  in.sin_port = htons(static_cast<std::uint16_t>(std::strtoul(text.c_str() + colon + 1, nullptr, 10)));
  address.size = sizeof in;
  return address;
}

Address unix_address(const std::string & path) {
  Address address;
  auto & un = reinterpret_cast<sockaddr_un &>(address.storage);
  un.sun_family = AF_UNIX;
  path.copy(un.sun_path, sizeof un.sun_path - 1);
  address.size = sizeof un;
  return address;
}

std::string address_of(int socket) {
  sockaddr_in in{};
  socklen_t size = sizeof in;
  char text[INET_ADDRSTRLEN] = "";
  if (getsockname(socket, reinterpret_cast<sockaddr *>(&in), &size) != 0 ||
      inet_ntop(AF_INET, &in.sin_addr, text, sizeof text) == nullptr) {
    fail_with_errno("a socket has no address");
  }
  return text + (":" + std::to_string(ntohs(in.sin_port)));
}

std::string local_address(const Spec & spec) {
  if (spec.hosts.empty()) {
    return "127.0.0.1";
  }
  const Address there = internet_address(spec.hosts.front() + ":9");
  const Descriptor probe(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!probe || connect(probe.get(), there.get(), there.size) != 0) {  // asks for the route, sends nothing
    fail_with_errno("field 'hosts': " + spec.hosts.front() + " cannot be reached from here");
  }
  const std::string here = address_of(probe.get());
  return here.substr(0, here.rfind(':'));
}

void fail_with_errno(const std::string & what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

Alarm::Alarm() : event_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!event_) {
    fail_with_errno("no eventfd can be made");
  }
}

void Alarm::ring() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(event_.get(), &one, sizeof one);
}

void Alarm::clear() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = read(event_.get(), &count, sizeof count);
}

}  // namespace lab
