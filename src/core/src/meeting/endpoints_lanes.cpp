// What the matcher's plan says, done: lanes made and ended, acknowledged and withdrawn.
#include <algorithm>

#include "layout/matching.hpp"
#include "meeting/endpoints.hpp"
#include "process/process.hpp"
#include "system/futex.hpp"
#include "system/log_later.hpp"

namespace tandem {
namespace {

constexpr int kMaxWarnings = 100;  ///< lines about the endpoints of one process

std::string place(const Neighbour & neighbour) {
  return "process " + std::to_string(neighbour.peer->pid()) + " (" + neighbour.peer->executable() + ")";
}

/// 0: none.
std::int64_t limit_of(std::chrono::nanoseconds time) { return time == kInfinite ? 0 : time.count(); }

}  // namespace

/// True if anything was.
bool Endpoints::carry_out(const MatchPlan & plan, Topic & topic) {
  bool done = end_lanes(plan, topic);
  for (const MatchPlan::NewLane & lane : plan.lanes_to_make) {
    done |= make_lane(lane, topic.subscriptions.at(lane.subscription));
  }
  done |= remove_readers(plan, topic);
  for (const MatchPlan::Reader & reader : plan.lanes_to_acknowledge) {
    done |= acknowledge(reader, topic.publishers.at(reader.publisher));
  }
  return remove_finished(topic) || done;
}

/// Once for each topic and reason, not once for each pair: fifty robots need not say it fifty times. And a process that
/// writes garbage can think of many reasons.
void Endpoints::warn(const std::string & topic, const MatchPlan & plan) {
  for (const MatchPlan::Mismatch & pair : plan.mismatches) {
    Neighbour & other = *neighbours_.find(pair.other);
    if (other.warnings < kMaxWarnings && warn_once(topic, pair.reason)) {
      ++other.warnings;
      log_later(LogLevel::kWarning, "topic '" + topic + "': the " +
                                        (pair.other_publishes ? "publisher" : "subscription") + " of " + place(other) +
                                        " does not match ours, no messages will pass: " + pair.reason +
                                        (other.warnings == kMaxWarnings ? ". No more is said of it" : ""));
    }
  }
}

/// Tells our endpoints of the topic who matches and who does not.
void Endpoints::post(const TopicSnapshot & snapshot, const MatchPlan & plan, const Topic & topic) {
  const auto misfits_of = [&](std::uint64_t own, bool other_publishes) {
    StatusBoard::Counterparts misfits;
    for (const MatchPlan::Mismatch & pair : plan.mismatches) {
      if (pair.own == own && pair.other_publishes == other_publishes) {
        misfits.push_back({pair.other, pair.their, pair.policy});
      }
    }
    return misfits;
  };
  for (const auto & own : snapshot.subscriptions) {
    StatusBoard::Counterparts matched;
    for (const auto & lane : own.lanes) {
      if (lane.acknowledged && !lane.closed) {
        matched.push_back({lane.publisher.incarnation, lane.publisher.number});
      }
    }
    const std::uint64_t number = own.info->id.number;
    SubscriptionImpl & impl = *topic.subscriptions.at(number).impl;
    const auto & board = impl.board;
    if (board->set(std::move(matched), misfits_of(number, true), impl.take_killed())) {
      notify_later(board);
    }
  }
  for (const auto & own : snapshot.publishers) {
    StatusBoard::Counterparts matched;
    for (const auto & reader : own.readers) {
      if (reader.is_open) {
        matched.push_back({reader.incarnation, reader.lane});
      }
    }
    const std::uint64_t number = own.info->id.number;
    const auto & board = topic.publishers.at(number).impl->board;
    if (board->set(std::move(matched), misfits_of(number, false))) {
      notify_later(board);
    }
  }
}

// ---- the subscription's side ---------------------------------------------------------------------------------------

void Endpoints::take_up_acknowledgements(Topic & topic) {
  for (auto & [number, own] : topic.subscriptions) {
    const std::uint32_t bell = own.impl->look_for_acks() ? own.impl->wait_set() : kNoWaitSet;
    if (bell != kNoWaitSet) {
      BellPage::Bell & place = process_.region().bells().bells[bell];
      leave_hint(place, kEveryLane);  // history may be waiting, and the wait-set does not know the lane yet
      ring(place.word);
    }
  }
}

bool Endpoints::make_lane(const MatchPlan::NewLane & wanted, OwnSubscription & own) {
  Neighbour & neighbour = *neighbours_.find(wanted.publisher.incarnation);
  const Neighbour::Endpoint & publisher = neighbour.publishers.at(wanted.publisher.number);
  neighbour.peer->look_for_bells(presence_.folder());
  const bool owed = owes_everything(publisher.info.qos, own.impl->info().qos);
  const std::uint64_t number = process_.directory().next_number();
  Lane::Terms terms = own.impl->terms(number, owed);
  terms.lifespan = limit_of(publisher.info.qos.lifespan);
  terms.lease = limit_of(publisher.info.qos.lease);
  terms.asserts = publisher.info.qos.liveliness == Liveliness::kManualByTopic;
  if (publisher.info.origin != OriginId{}) {
    terms.origin = own.impl->progress_of(publisher.info.origin);
    terms.history = publisher.info.qos.history == History::kKeepAll ? kKeepAllDepth : publisher.info.qos.depth;
  }
  auto lane = Lane::create(process_, neighbour.peer, publisher.entry, terms);
  if (!lane) {
    return false;
  }
  const auto index = process_.directory().add(
      {EntryKind::kLane, presence_.tag(), number, {}, lane->record_offset(), neighbour.peer->incarnation()});
  if (!index) {
    if (warn_once(own.impl->info().topic, "full")) {
      log_later(LogLevel::kWarning, "topic '" + own.impl->info().topic +
                                        "': a publisher cannot be matched, because the "
                                        "directory of this process is full. Use fewer endpoints in one process");
    }
    return false;
  }
  lane->directory_index = *index;
  concerned_processes_.insert(neighbour.peer->incarnation());
  own.impl->add_lane(std::move(lane));
  return true;
}

bool Endpoints::end_lanes(const MatchPlan & plan, Topic & topic) {
  bool done = false;
  for (const MatchPlan::EndedLane & ended : plan.lanes_to_end) {
    done |= close_lanes(*topic.subscriptions.at(ended.subscription).impl, [&](Lane & lane) {
      return lane.number() == ended.lane && (ended.at_once || !lane.has_data());
    });
  }
  return done;
}

/// Closed lanes that hold nothing any more.
void Endpoints::free_remnants() {
  std::erase_if(remnants_, [this](const auto & lane) TANDEM_REQUIRES(process_mutex) {
    if (lane->holds_any()) {
      return false;
    }
    withdraw(*lane);
    concerned_processes_.insert(lane->publisher().incarnation);
    process_.directory().remove(lane->directory_index);
    return true;
  });
}

/// A publisher of this process forgets a finished lane before its memory is used again: it looks at it until then. (One of
/// another process looks on for a moment, and what it finds there costs it a wake-up or a block for a while.)
void Endpoints::withdraw(const Lane & lane) {
  const auto topic = topic_of_publisher_.find(lane.publisher().number);
  if (topic != topic_of_publisher_.end() && lane.publisher().incarnation == neighbours_.self()) {
    const OwnPublisher & own = topic->second->second.publishers.at(lane.publisher().number);
    own.impl->remove_readers([](const Peer &, std::uint64_t) { return false; });
  }
}

// ---- the publisher's side ------------------------------------------------------------------------------------------

bool Endpoints::remove_readers(const MatchPlan & plan, Topic & topic) {
  bool removed = false;
  for (auto & [number, own] : topic.publishers) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> ended;
    for (const MatchPlan::Reader & reader : plan.readers_to_remove) {
      if (reader.publisher == number) {
        ended.emplace(reader.incarnation, reader.lane);
      }
    }
    removed |= !ended.empty() && own.impl->remove_readers([&](const Peer & peer, std::uint64_t lane) {
      return ended.count({peer.incarnation(), lane}) != 0;
    });
  }
  return removed;
}

bool Endpoints::acknowledge(const MatchPlan::Reader & wanted, OwnPublisher & own) {
  Neighbour & neighbour = *neighbours_.find(wanted.incarnation);
  const Neighbour::LaneEntry & lane = neighbour.lanes.at(wanted.lane);
  const EndpointInfo & subscription = neighbour.subscriptions.at(lane.terms.subscription).info;
  Peer & peer = *neighbour.peer;
  const LaneRecord * const record = peer.map() ? sound_record(peer, lane, own.impl->max_blocks()) : nullptr;
  if (record == nullptr) {
    return false;
  }
  peer.look_for_bells(presence_.folder());
  LaneTerms terms = lane.terms;
  terms.owed = owes_everything(own.impl->info().qos, subscription.qos);
  const bool history = subscription.qos.durability == Durability::kTransientLocal;
  if (!own.impl->add_reader(neighbour.peer, record, terms, history)) {
    if (warn_once(own.impl->info().topic, "readers")) {
      log_later(LogLevel::kWarning, "topic '" + own.impl->info().topic + "': a publisher has " +
                                        std::to_string(kMaxReaders) +
                                        " readers, more cannot be matched. Use fewer subscriptions or a "
                                        "second topic");
    }
    return false;
  }
  concerned_processes_.insert(peer.incarnation());
  return true;
}

/// Of a lane that is there and open; null otherwise. A damaged one breaks the peer.
const LaneRecord * Endpoints::sound_record(Peer & peer, const Neighbour::LaneEntry & lane, std::uint32_t max_blocks) {
  const auto * record = peer.record<LaneRecord>(lane.entry.record);
  if (record != nullptr && (record->terms.number != lane.entry.number || lane.terms.number != lane.entry.number)) {
    return nullptr;  // it has closed since its directory was read, and its memory is used again
  }
  if (record == nullptr || lane.terms.max_blocks != max_blocks ||
      peer.at(lane.entry.record, sizeof(LaneRecord) + max_blocks / 8) == nullptr) {
    if (peer.lists(lane.entry.number)) {
      peer.mark_broken("a lane's record is damaged");
    }
    return nullptr;
  }
  return record->closed.load(std::memory_order_acquire) == 0 ? record : nullptr;
}

/// Closed publishers that nobody reads and of which nobody has a loan any more.
bool Endpoints::remove_finished(Topic & topic) {
  return std::erase_if(topic.publishers, [this](const auto & publisher) TANDEM_REQUIRES(process_mutex) {
           const auto & [number, own] = publisher;
           if (!own.impl->is_finished()) {
             return false;
           }
           process_.directory().remove(own.index);
           topic_of_publisher_.erase(number);
           return true;
         }) != 0;
}

}  // namespace tandem
