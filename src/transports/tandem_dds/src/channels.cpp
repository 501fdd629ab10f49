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

transport::QosPolicy policy_of(std::int64_t id) {
  switch (id) {
    case 2: return transport::QosPolicy::kDurability;
    case 4: return transport::QosPolicy::kDeadline;
    case 8: return transport::QosPolicy::kLiveliness;
    case 11: return transport::QosPolicy::kReliability;
    default: return transport::QosPolicy::kNone;
  }
}

}  // namespace tandem::dds
