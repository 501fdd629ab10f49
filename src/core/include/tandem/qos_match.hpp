// Whether what a publisher offers is what a subscription requests, as DDS has it.
#pragma once

#include <string>

#include "tandem/qos.hpp"

namespace tandem {

/// A policy in which two QoS differ. The lease is a part of kLiveliness.
enum class QosPolicy : std::uint8_t { kNone, kReliability, kDurability, kDeadline, kLiveliness };

/// The first policy that does not fit; kNone when all do.
inline QosPolicy misfit(const Qos & offered, const Qos & requested) {
  if (offered.reliability < requested.reliability) {
    return QosPolicy::kReliability;
  }
  if (offered.durability < requested.durability) {
    return QosPolicy::kDurability;
  }
  if (offered.deadline > requested.deadline) {
    return QosPolicy::kDeadline;
  }
  if (offered.liveliness < requested.liveliness || offered.lease > requested.lease) {
    return QosPolicy::kLiveliness;
  }
  return QosPolicy::kNone;
}

/// What differs, with both values; empty when nothing does.
inline std::string describe_misfit(const Qos & offered, const Qos & requested) {
  const auto text = [](std::chrono::nanoseconds time) {
    return time == kInfinite ? std::string("none") : std::to_string(time.count()) + " ns";
  };
  switch (misfit(offered, requested)) {
    case QosPolicy::kNone: break;
    case QosPolicy::kReliability:
      return "RELIABILITY: the publisher offers BEST_EFFORT, the subscription requests RELIABLE";
    case QosPolicy::kDurability:
      return "DURABILITY: the publisher offers VOLATILE, the subscription requests TRANSIENT_LOCAL";
    case QosPolicy::kDeadline:
      return "DEADLINE: the publisher offers " + text(offered.deadline) + ", the subscription requests " +
             text(requested.deadline);
    case QosPolicy::kLiveliness:
      return offered.liveliness < requested.liveliness
                 ? "LIVELINESS: the publisher offers AUTOMATIC, the subscription requests MANUAL_BY_TOPIC"
                 : "LIVELINESS: the publisher offers a lease of " + text(offered.lease) +
                       ", the subscription requests " + text(requested.lease);
  }
  return {};
}

}  // namespace tandem
