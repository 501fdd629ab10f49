#include "tandem/dds/channels.hpp"

#include <algorithm>

#include "tandem/service.hpp"

namespace tandem::dds {

transport::Qos wire_qos(const transport::EndpointInfo & endpoint) {
  constexpr std::uint32_t kLeastDepth = 1000;
  transport::Qos qos = endpoint.qos;
  const transport::Channel channel = transport::channel_of(endpoint.topic);
  if (channel == transport::Channel::kReply) {
    qos.history = transport::History::kKeepLast;
  }
  if (channel != transport::Channel::kTopic) {
    qos.depth = std::max(qos.depth, kLeastDepth);
  }
  return qos;
}

}  // namespace tandem::dds
