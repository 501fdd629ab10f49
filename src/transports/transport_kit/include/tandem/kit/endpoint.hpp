// What an endpoint tells others about itself, and when two of them match.
#pragma once

#include <cstdint>
#include <string>

#include "tandem/service.hpp"

namespace tandem::transport {

/// The endpoint that create_publisher() or create_subscription() is asked for, without a gid.
/// `transport` is the name in the error's text.
/// \throws Error naming the topic: an empty name, one with control characters, a depth of 0.
EndpointInfo make_endpoint(const std::string & transport, EndpointKind kind, const MessageType & type,
                           const TopicOptions & options);

/// The type as a middleware is told it: a service's messages are of no fixed size, since a RequestId is with them.
/// Lives until the process ends.
const MessageType & type_on(Channel channel, const MessageType & type);

/// An endpoint as its counterparts' StatusBoard has it.
StatusBoard::Counterpart counterpart(const Gid & gid, QosPolicy policy = QosPolicy::kNone);
template <class Gids>
StatusBoard::Counterparts counterparts(const Gids & gids) {
  StatusBoard::Counterparts all;
  for (const Gid & gid : gids) {
    all.push_back(counterpart(gid));
  }
  return all;
}

/// Empty when the two match, else why not: other type, other hash, incompatible QoS. Same topic is taken for granted.
/// A hash or an ABI tag that one side does not tell (empty, 0) is not compared.
std::string mismatch(const EndpointInfo & publisher, const EndpointInfo & subscription);

/// Whether the publisher waits for this subscription rather than overwriting: both keep all, reliably. A service waits for
/// no client: one that takes no replies must not hold up the others.
bool must_wait(const EndpointInfo & publisher, const EndpointInfo & subscription);

/// Nanoseconds since the epoch, as MessageInfo has them.
std::int64_t now();

/// One line on stderr: `[WARN] [transport]: topic '/a': text`. Without the topic when that is empty.
void warn(const std::string & transport, const std::string & topic, const std::string & text);

}  // namespace tandem::transport
