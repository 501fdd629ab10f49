// The two ends of a connection: ports of iceoryx, in a service of its own for each publisher.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "runtime.hpp"
#include "tandem/kit/wire.hpp"

namespace iceoryx {

using tandem::transport::Gid;

/// What travels with every message: the user header of an iceoryx chunk. Shared between processes: a change of it changes
/// kMagic.
struct MessageHeader {
  static constexpr std::uint64_t kMagic = 0x74646d696f780002;

  std::uint64_t magic;
  Gid publisher;  ///< of the message that lies, or lay, in the payload
  tandem::transport::Header header;
};
static_assert(std::is_trivially_copyable_v<MessageHeader> && sizeof(MessageHeader) == 40);

/// What a subscription writes beside its queue, so that the publisher knows it: the queue has no other place for that.
inline std::uint64_t label_of(const Gid & subscription) {
  std::uint64_t halves[2];
  static_assert(sizeof halves == sizeof subscription);
  std::memcpy(halves, subscription.data(), sizeof halves);
  return halves[0] ^ halves[1];
}

/// \throws Error when RouDi gives no port, or a message of fixed size fits into no pool.
std::unique_ptr<tandem::transport::Sender> make_sender(std::shared_ptr<Runtime> runtime,
                                                       tandem::transport::Poller & poller,
                                                       const tandem::transport::SenderOptions & options);
/// \throws Error when RouDi gives no port.
std::unique_ptr<tandem::transport::Receiver> make_receiver(std::shared_ptr<Runtime> runtime,
                                                           const tandem::transport::ReceiverOptions & options);

}  // namespace iceoryx
