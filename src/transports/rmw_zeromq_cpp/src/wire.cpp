#include "wire.hpp"

#include <cstring>

namespace rmw_zeromq {
namespace {

struct __attribute__((packed)) RoutingId {
  char mark;  ///< not 0: such ids are libzmq's own
  std::uint8_t flags;
  std::uint32_t depth;
  std::uint64_t publisher;
  Gid subscription;
};
static_assert(sizeof(RoutingId) == 30);

constexpr char kMark = 'S';
constexpr std::uint8_t kKeepsAll = 1;
constexpr std::uint8_t kIsReliable = 2;
constexpr std::uint8_t kWantsHistory = 4;

}  // namespace

std::optional<Header> header_of(const zmq::message_t & frame) {
  Header header;
  if (frame.size() < sizeof header) {
    return std::nullopt;
  }
  std::memcpy(&header, frame.data(), sizeof header);
  if (header.magic != Header::kMagic || header.kind < Kind::kMessage || header.kind > Kind::kTaken ||
      header.encoding > Encoding::kCdr) {
    return std::nullopt;
  }
  return header;
}

std::uint64_t Introduction::tag_of(const Gid & publisher) {
  std::uint64_t tag = 0;
  std::memcpy(&tag, publisher.data() + publisher.size() - sizeof tag, sizeof tag);
  return tag;
}

std::string Introduction::to_routing_id() const {
  RoutingId id{};
  id.mark = kMark;
  id.flags = static_cast<std::uint8_t>((keeps_all ? kKeepsAll : 0) | (is_reliable ? kIsReliable : 0) |
                                       (wants_history ? kWantsHistory : 0));
  id.depth = depth;
  id.publisher = publisher;
  id.subscription = subscription;
  return {reinterpret_cast<const char *>(&id), sizeof id};
}

std::optional<Introduction> Introduction::parse(const zmq::message_t & routing_id) {
  RoutingId id{};
  if (routing_id.size() != sizeof id) {
    return std::nullopt;
  }
  std::memcpy(&id, routing_id.data(), sizeof id);
  if (id.mark != kMark || id.flags > (kKeepsAll | kIsReliable | kWantsHistory)) {
    return std::nullopt;
  }
  Introduction result;
  result.subscription = id.subscription;
  result.publisher = id.publisher;
  result.depth = id.depth;
  result.keeps_all = (id.flags & kKeepsAll) != 0;
  result.is_reliable = (id.flags & kIsReliable) != 0;
  result.wants_history = (id.flags & kWantsHistory) != 0;
  return result;
}

}  // namespace rmw_zeromq
