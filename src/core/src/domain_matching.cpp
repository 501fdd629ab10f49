// Who is matched with whom: lanes, acknowledgements, endings.
//
//   subscription's process                         publisher's process
//   make_lane: record, directory entry        ─►
//                                                  acknowledge: maps the region, writes an Ack
//   look_for_acks: the lane may take          ◄─
//   close: record.closed                      ─►   remove_readers: withdraws the Ack once nothing is held
//   finish_closed: frees the record once nothing is held
#include <algorithm>

#include "domain.hpp"
#include "futex.hpp"
#include "log_later.hpp"
#include "matching.hpp"
#include "process.hpp"

namespace tandem {
namespace {

constexpr int kMaxComplaints = 100;  ///< lines about the endpoints of one process

std::string place(const Neighbour & neighbour) {
  return "process " + std::to_string(neighbour.peer->pid()) + " (" + neighbour.peer->executable() + ")";
}

}  // namespace

bool Domain::match() {
  bool changed = end_matches();
  for (auto & [number, own] : subscriptions_) {
    changed |= match_subscription(own);
  }
  for (auto & [number, own] : publishers_) {
    changed |= match_publisher(own);
  }
  return changed;
}

/// What can change without anybody's directory changing: acknowledgements, messages that run out, readers that let go.
bool Domain::end_matches() {
  bool changed = false;
  for (auto & [number, own] : subscriptions_) {
    changed |= look_for_acks(own);  // before endings: what is acknowledged is read to its end
    changed |= end_lanes(own);
  }
  for (auto & [number, own] : publishers_) {
    changed |= remove_readers(own);
  }
  return finish_closed() || changed;
}

bool Domain::compatible(const EndpointInfo & publisher, const EndpointInfo & subscription, Neighbour & other,
                        bool other_publishes) {
  const std::string reason = mismatch(publisher, subscription);
  if (!reason.empty()) {
    // Once for each topic and reason, not once for each pair: fifty robots need not say it fifty times.
    // And a process that writes garbage can think of many reasons.
    if (other.complaints < kMaxComplaints && warned_.emplace(publisher.topic, reason).second) {
      ++other.complaints;
      log_later(LogLevel::kWarning, "topic '" + publisher.topic + "': the " +
                                        (other_publishes ? "publisher of " : "subscription of ") + place(other) +
                                        " does not match ours, no messages will pass: " + reason +
                                        (other.complaints == kMaxComplaints ? ". No more is said of it" : ""));
    }
    return false;
  }
  return true;
}

// ---- the subscription's side ---------------------------------------------------------------------------------------

bool Domain::match_subscription(OwnSubscription & own) {
  bool changed = false;
  for (auto & [incarnation, neighbour] : neighbours_) {
    if (incarnation == process_.incarnation() && own.body->ignores_own_process()) {
      continue;
    }
    const auto [begin, end] = neighbour.publishers_of.equal_range(own.body->info().topic);
    for (auto it = begin; it != end; ++it) {
      const Neighbour::Endpoint & publisher = *it->second;
      if (publisher.entry.closed || own.body->has_lane(publisher.info.id) || neighbour.peer->is_dead()) {
        continue;
      }
      if (compatible(publisher.info, own.body->info(), neighbour, true)) {
        const bool made = make_lane(own, neighbour, publisher);
        changed |= made;
        dirty_ |= !made;  // try again in a second
      }
    }
  }
  return changed;
}

bool Domain::look_for_acks(OwnSubscription & own) {
  if (!own.body->look_for_acks()) {
    return false;
  }
  if (const std::uint32_t bell = own.body->wait_set(); bell != kNoWaitSet) {
    BellPage::Bell & place = process_.region().bells().bells[bell];
    leave_hint(place, kEveryLane);  // history may be waiting, and the wait-set does not know the lane yet
    ring(place.word);
  }
  return true;
}

bool Domain::make_lane(OwnSubscription & own, Neighbour & neighbour, const Neighbour::Endpoint & publisher) {
  const bool owed = owes_everything(publisher.info.qos, own.body->info().qos);
  const std::uint64_t number = process_.directory().next_number();
  auto lane = Lane::create(process_, neighbour.peer, publisher.entry, own.body->terms(number, owed));
  if (!lane) {
    return false;
  }
  const auto index = process_.directory().add(
      {EntryKind::kLane, tag_, number, {}, lane->record_offset(), neighbour.peer->incarnation()});
  if (!index) {
    if (warned_.emplace(own.body->info().topic, "full").second) {
      log_later(LogLevel::kWarning, "topic '" + own.body->info().topic +
                                        "': a publisher cannot be matched, because the "
                                        "directory of this process is full. Use fewer endpoints in one process");
    }
    return false;
  }
  lane->directory_index = *index;
  concerned_.insert(neighbour.peer->incarnation());
  own.body->add_lane(std::move(lane));
  return true;
}

const Neighbour::Endpoint * Domain::find_publisher(EndpointId id) const {
  const auto neighbour = neighbours_.find(id.incarnation);
  if (neighbour == neighbours_.end()) {
    return nullptr;
  }
  const auto publisher = neighbour->second.publishers.find(id.number);
  return publisher != neighbour->second.publishers.end() ? &publisher->second : nullptr;
}

/// Lanes whose publisher has ended are read to their end first.
bool Domain::end_lanes(OwnSubscription & own) {
  auto ended = own.body->remove_lanes([this](const Lane & lane) {
    const Neighbour::Endpoint * publisher = find_publisher(lane.publisher());
    const bool gone = publisher == nullptr || publisher->entry.closed || lane.peer_is_dead();
    return lane.is_closed() || lane.is_drained(gone);
  });
  const std::size_t before = remnants_.size();
  std::move(ended.begin(), ended.end(), std::back_inserter(remnants_));
  for (std::size_t i = before; i < remnants_.size(); ++i) {
    concerned_.insert(remnants_[i]->publisher().incarnation);
  }
  return remnants_.size() != before;
}

// ---- the publisher's side ------------------------------------------------------------------------------------------

bool Domain::remove_readers(OwnPublisher & own) {
  return own.body->remove_readers([this](const Peer & peer, std::uint64_t lane) {
    const auto neighbour = neighbours_.find(peer.incarnation());
    return neighbour == neighbours_.end() || neighbour->second.lanes.count(lane) == 0;
  });
}

bool Domain::match_publisher(OwnPublisher & own) {
  bool changed = false;
  for (auto & [incarnation, neighbour] : neighbours_) {
    if (own.body->is_closed()) {
      break;
    }
    const auto [first, last] = neighbour.subscriptions_to.equal_range(own.body->info().topic);
    for (auto it = first; it != last; ++it) {
      compatible(own.body->info(), it->second->info, neighbour, false);  // for the warning
    }
    const auto [begin, end] = neighbour.lanes_to.equal_range(own.body->info().id.number);
    for (auto it = begin; it != end; ++it) {
      const Neighbour::LaneEntry & lane = *it->second;
      if (lane.terms.publisher_incarnation == process_.incarnation() &&
          !own.body->has_reader(incarnation, lane.entry.number)) {
        const bool made = acknowledge(own, neighbour, lane);
        changed |= made;
        dirty_ |= !made;
      }
    }
  }
  return changed;
}

bool Domain::acknowledge(OwnPublisher & own, Neighbour & neighbour, const Neighbour::LaneEntry & lane) {
  const auto subscription = neighbour.subscriptions.find(lane.terms.subscription);
  if (neighbour.peer->is_dead() || subscription == neighbour.subscriptions.end() ||
      !mismatch(own.body->info(), subscription->second.info).empty() || !neighbour.peer->map()) {
    return false;
  }
  Peer & peer = *neighbour.peer;
  const std::uint32_t max_blocks = own.body->max_blocks();
  const auto * record = peer.record<LaneRecord>(lane.entry.record);
  if (record != nullptr && (record->terms.number != lane.entry.number || lane.terms.number != lane.entry.number)) {
    return false;  // it has closed since its directory was read, and its memory is used again
  }
  if (record == nullptr || lane.terms.max_blocks != max_blocks ||
      peer.at(lane.entry.record, sizeof(LaneRecord) + max_blocks / 8) == nullptr) {
    if (peer.lists(lane.entry.number)) {
      peer.mark_broken("a lane's record is damaged");
    }
    return false;
  }
  if (record->closed.load(std::memory_order_acquire) != 0) {
    return false;
  }
  LaneTerms terms = lane.terms;
  terms.owed = owes_everything(own.body->info().qos, subscription->second.info.qos);
  const bool history = subscription->second.info.qos.durability == Durability::kTransientLocal;
  if (!own.body->add_reader(neighbour.peer, record, terms, history)) {
    if (warned_.emplace(own.body->info().topic, "readers").second) {
      log_later(LogLevel::kWarning, "topic '" + own.body->info().topic + "': a publisher has " +
                                        std::to_string(kMaxReaders) +
                                        " readers, more cannot be matched. Use fewer subscriptions or a "
                                        "second topic");
    }
    return false;
  }
  concerned_.insert(peer.incarnation());
  return true;
}

// ---- endings -------------------------------------------------------------------------------------------------------

bool Domain::finish_closed() {
  bool changed = false;
  for (auto it = remnants_.begin(); it != remnants_.end();) {
    if ((*it)->holds_any()) {
      ++it;
      continue;
    }
    process_.directory().remove((*it)->directory_index);
    concerned_.insert((*it)->publisher().incarnation);
    it = remnants_.erase(it);
    changed = true;
  }
  for (auto it = publishers_.begin(); it != publishers_.end();) {
    if (!it->second.body->is_finished()) {
      ++it;
      continue;
    }
    process_.directory().remove(it->second.index);
    it = publishers_.erase(it);
    changed = true;
  }
  return changed;
}

}  // namespace tandem
