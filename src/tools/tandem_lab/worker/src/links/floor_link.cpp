// The floors: what the machine itself needs, without a middleware.
#include "links/floor_ring.hpp"
#include "links/floor_sockets.hpp"

namespace lab {

std::unique_ptr<Link> make_floor_link(const Spec & spec) {
  const std::string & name = spec.link_name;
  if (name == "futex") {
    return make_ring_link(spec, {});
  }
  if (name == "cache_line") {
    return make_ring_link(spec, {.polls = true});
  }
  if (name == "memcpy") {
    refuse_loan(spec);
    return make_ring_link(spec, {.copies = true});
  }
  if (name == "unix" || name == "tcp") {
    return make_stream_link(spec);
  }
  if (name == "udp") {
    return make_datagram_link(spec);
  }
  throw std::runtime_error("field 'link.name': there is no floor '" + name +
                           "': cache_line, futex, memcpy, unix, tcp and udp are");
}

}  // namespace lab
