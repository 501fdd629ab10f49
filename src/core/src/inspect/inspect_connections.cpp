#include "inspect/inspect_connections.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "layout/layout.hpp"
#include "layout/matching.hpp"

namespace tandem::inspection {
namespace {

class Matcher {
 public:
  explicit Matcher(const Domain & domain);
  std::vector<Connection> connections() const;

 private:
  struct Topic {
    std::vector<const Publisher *> publishers;
    std::vector<const Subscription *> subscriptions;
  };
  using LaneKey = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
  Connection connect(const Publisher & publisher, const Subscription & subscription) const;
  const Lane * find_lane(const Publisher & publisher, const Subscription & subscription) const;

  std::map<std::string, Topic> topics_;
  std::map<LaneKey, const Lane *> lanes_;
};

Matcher::Matcher(const Domain & domain) {
  for (const Region & region : domain.regions) {
    if (region.state != State::kAlive) {
      continue;
    }
    for (const Publisher & publisher : region.publishers) {
      if (!publisher.closed) {
        topics_[publisher.info.topic].publishers.push_back(&publisher);
      }
    }
    for (const Subscription & subscription : region.subscriptions) {
      topics_[subscription.info.topic].subscriptions.push_back(&subscription);
    }
    for (const Lane & lane : region.lanes) {
      if (!lane.closed) {
        lanes_[{region.incarnation, lane.subscription, lane.publisher.incarnation, lane.publisher.number}] = &lane;
      }
    }
  }
}

std::vector<Connection> Matcher::connections() const {
  std::vector<Connection> found;
  for (const auto & [name, topic] : topics_) {
    for (const Publisher * publisher : topic.publishers) {
      for (const Subscription * subscription : topic.subscriptions) {
        found.push_back(connect(*publisher, *subscription));
      }
    }
  }
  return found;
}

const Lane * Matcher::find_lane(const Publisher & publisher, const Subscription & subscription) const {
  const EndpointId & from = publisher.info.id;
  const EndpointId & to = subscription.info.id;
  const auto lane = lanes_.find({to.incarnation, to.number, from.incarnation, from.number});
  return lane != lanes_.end() ? lane->second : nullptr;
}

/// What is copied, and why; empty when nothing is.
std::string copies(const Publisher & publisher, const Lane & lane, std::uint64_t quota) {
  std::string text;
  if (publisher.copied != 0) {
    text = std::to_string(publisher.copied) + " of " + std::to_string(publisher.published) +
           " messages were published by const reference and copied once: publish a loan or a unique_ptr instead";
  }
  if (lane.copied != 0) {
    text += (text.empty() ? "" : "; ") + std::to_string(lane.copied) +
            " messages were copied by the subscription, which keeps more than its quota of " + std::to_string(quota);
  }
  return text;
}

Connection Matcher::connect(const Publisher & publisher, const Subscription & subscription) const {
  Connection result;
  result.topic = publisher.info.topic;
  result.publisher = publisher.info.id;
  result.subscription = subscription.info.id;
  result.owed = owes_everything(publisher.info.qos, subscription.info.qos);
  if (std::string reason = mismatch(publisher.info, subscription.info); !reason.empty()) {
    result.means = Means::kMismatch;
    result.why = std::move(reason);
    return result;
  }
  const Lane * lane = find_lane(publisher, subscription);
  if (lane == nullptr) {
    const bool is_inner = result.publisher.incarnation == result.subscription.incarnation;
    result.means = is_inner ? Means::kNone : Means::kPending;
    result.why = is_inner ? "both are in one process, and the subscription leaves that out"
                          : "the subscription's process has made no way to this publisher yet";
    return result;
  }
  const auto & acks = publisher.acknowledgements;
  const auto ack = std::find_if(acks.begin(), acks.end(), [&](const Acknowledgement & each) {
    return each.lane == lane->number && each.incarnation == result.subscription.incarnation;
  });
  if (ack == acks.end()) {
    result.why = acks.size() >= kMaxReaders
                     ? "the publisher has " + std::to_string(acks.size()) + " readers, the most there can be"
                     : "the publisher's process has not acknowledged it yet";
    return result;
  }
  if (ack->quota == kRevoked) {
    result.why = "the publisher has revoked it, because it held more messages than it was granted; it begins anew";
    return result;
  }
  const std::uint64_t head = publisher.published;
  const std::uint64_t cursor = Numbers::earlier(Numbers::later(lane->cursor, ack->first), head);
  const std::uint64_t reach = lane->owed ? head : std::min<std::uint64_t>(lane->depth, publisher.ring_size - 1);
  result.quota = std::min<std::uint64_t>(ack->quota, lane->quota);
  result.backlog = std::min(head - cursor, reach);
  result.held = lane->held;
  result.lost = lane->lost;
  result.copied = lane->copied;
  result.why = copies(publisher, *lane, result.quota);
  result.means = result.why.empty() ? Means::kZeroCopy : Means::kCopies;
  return result;
}

}  // namespace

std::vector<Connection> connect(const Domain & domain) { return Matcher(domain).connections(); }

}  // namespace tandem::inspection
