#include "layout/matcher.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "layout/matching.hpp"

namespace tandem {
namespace {

using Process = TopicSnapshot::Process;
using Key = std::pair<std::uint64_t, std::uint64_t>;  ///< incarnation and number

Key key_of(EndpointId id) { return {id.incarnation, id.number}; }

/// Publishers of other processes, or of this one, from which messages may still come.
std::set<Key> live_publishers(const TopicSnapshot & topic) {
  std::set<Key> live;
  for (const Process & process : topic.processes) {
    for (const auto & publisher : process.publishers) {
      if (!process.dead && !publisher.closed) {
        live.insert(key_of(publisher.info->id));
      }
    }
  }
  return live;
}

/// Of two that do not match; kNone: their types differ.
QosPolicy policy_between(const EndpointInfo & publisher, const EndpointInfo & subscription) {
  return publisher.type == subscription.type ? misfit(publisher.qos, subscription.qos) : QosPolicy::kNone;
}

void match_subscription(const TopicSnapshot & topic, const TopicSnapshot::Subscription & own, MatchPlan & plan) {
  std::set<Key> matched;
  for (const auto & lane : own.lanes) {
    matched.insert(key_of(lane.publisher));
  }
  for (const Process & process : topic.processes) {
    if (process.dead || (process.incarnation == topic.self && own.ignores_own_process)) {
      continue;
    }
    for (const auto & publisher : process.publishers) {
      if (publisher.closed || matched.count(key_of(publisher.info->id)) != 0) {
        continue;
      }
      if (std::string reason = mismatch(*publisher.info, *own.info); !reason.empty()) {
        plan.mismatches.push_back({process.incarnation, true, std::move(reason), own.info->id.number,
                                   publisher.info->id.number, policy_between(*publisher.info, *own.info)});
      } else {
        plan.lanes_to_make.push_back({own.info->id.number, publisher.info->id});
        matched.insert(key_of(publisher.info->id));
      }
    }
  }
}

/// A lane whose publisher has gone is read to its end first, which nobody announces.
void end_lanes(const TopicSnapshot::Subscription & own, const std::set<Key> & live, MatchPlan & plan) {
  for (const auto & lane : own.lanes) {
    const bool is_gone = live.count(key_of(lane.publisher)) == 0;
    if (lane.closed || is_gone) {
      plan.lanes_to_end.push_back({own.info->id.number, lane.number, lane.closed});
    }
    plan.is_waiting |= is_gone || !lane.acknowledged;
  }
}

const EndpointInfo * find_subscription(const Process & process, std::uint64_t number) {
  const auto found = std::find_if(process.subscriptions.begin(), process.subscriptions.end(),
                                  [&](const EndpointInfo * info) { return info->id.number == number; });
  return found != process.subscriptions.end() ? *found : nullptr;
}

void match_publisher(const TopicSnapshot & topic, const TopicSnapshot::Publisher & own, MatchPlan & plan) {
  const std::uint64_t number = own.info->id.number;
  std::set<Key> acknowledged;
  for (const auto & reader : own.readers) {
    acknowledged.emplace(reader.incarnation, reader.lane);
  }
  std::set<Key> offered;
  for (const Process & process : topic.processes) {
    for (const EndpointInfo * subscription : process.subscriptions) {
      if (std::string reason = own.closed ? "" : mismatch(*own.info, *subscription); !reason.empty()) {
        plan.mismatches.push_back({process.incarnation, false, std::move(reason), number, subscription->id.number,
                                   policy_between(*own.info, *subscription)});
      }
    }
    for (const auto & lane : process.lanes) {
      const bool is_new = lane.publisher == number && offered.emplace(process.incarnation, lane.number).second &&
                          acknowledged.count({process.incarnation, lane.number}) == 0;
      const EndpointInfo * subscription =
          is_new && !own.closed && !process.dead ? find_subscription(process, lane.subscription) : nullptr;
      if (subscription != nullptr && mismatch(*own.info, *subscription).empty()) {
        plan.lanes_to_acknowledge.push_back({number, process.incarnation, lane.number});
      }
    }
  }
  for (const auto & reader : own.readers) {
    if (reader.finished || offered.count({reader.incarnation, reader.lane}) == 0) {
      plan.readers_to_remove.push_back({number, reader.incarnation, reader.lane});
    }
  }
  plan.is_waiting |= own.closed;
}

bool has_reader(const TopicSnapshot::Publisher & own, const EndpointInfo & subscription) {
  return std::any_of(own.readers.begin(), own.readers.end(), [&](const auto & reader) {
    return reader.incarnation == subscription.id.incarnation && reader.subscription == subscription.id.number;
  });
}

/// Whether the own publisher is to be read by this subscription.
bool is_due(const TopicSnapshot & topic, const TopicSnapshot::Publisher & own, const EndpointInfo & subscription) {
  const bool is_ignored = std::any_of(topic.subscriptions.begin(), topic.subscriptions.end(), [&](const auto & ours) {
    return ours.ignores_own_process && ours.info->id == subscription.id;
  });
  return !own.closed && !is_ignored && mismatch(*own.info, subscription).empty();
}

}  // namespace

MatchPlan match(const TopicSnapshot & topic) {
  MatchPlan plan;
  const std::set<Key> live = topic.subscriptions.empty() ? std::set<Key>() : live_publishers(topic);
  for (const auto & own : topic.subscriptions) {
    end_lanes(own, live, plan);
    match_subscription(topic, own, plan);
  }
  for (const auto & own : topic.publishers) {
    match_publisher(topic, own, plan);
  }
  return plan;
}

bool is_settled(const TopicSnapshot & topic) {
  for (const auto & own : topic.subscriptions) {
    if (!std::all_of(own.lanes.begin(), own.lanes.end(), [](const auto & lane) { return lane.acknowledged; })) {
      return false;
    }
  }
  for (const auto & own : topic.publishers) {
    for (const Process & process : topic.processes) {
      for (const EndpointInfo * subscription : process.subscriptions) {
        if (is_due(topic, own, *subscription) && !has_reader(own, *subscription)) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace tandem
