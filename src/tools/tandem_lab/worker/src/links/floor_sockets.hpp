// Sockets of the floors: addresses that a roster's entry can tell, and what several of them need.
#pragma once

#include <sys/socket.h>

#include <string>
#include <string_view>

#include "links/floor_support.hpp"
#include "tandem/kit/descriptor.hpp"

namespace lab {

using tandem::transport::Descriptor;

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
  const sockaddr * get() const { return reinterpret_cast<const sockaddr *>(&storage); }
};

/// "1.2.3.4:5". \throws std::runtime_error when it is none.
Address internet_address(const std::string & text);
Address unix_address(const std::string & path);
/// The address by which the spec's hosts reach this one; 127.0.0.1 without hosts. \throws std::runtime_error.
std::string local_address(const Spec & spec);
/// "1.2.3.4:5" of a bound socket.
std::string address_of(int socket);

[[noreturn]] void fail_with_errno(const std::string & what);

/// Wakes a thread out of poll().
class Alarm {
 public:
  Alarm();
  int fd() const { return event_.get(); }
  void ring();   ///< from any thread
  void clear();  ///< afterwards poll() sleeps again

 private:
  const Descriptor event_;
};

/// Any link by sockets, "tcp" or "unix" byte streams, or "udp".
std::unique_ptr<Link> make_stream_link(const Spec & spec);
std::unique_ptr<Link> make_datagram_link(const Spec & spec);

}  // namespace lab
