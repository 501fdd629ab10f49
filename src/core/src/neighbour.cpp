#include "neighbour.hpp"

#include <cstring>
#include <utility>

#include "directory.hpp"

namespace tandem {
namespace {

template <class Map>
void keep(std::uint64_t number, Map & old, Map & present) {
  if (auto known = old.extract(number)) {
    present.insert(std::move(known));
  }
}

}  // namespace

bool Neighbour::refresh(std::uint32_t wanted, std::uint64_t self) {
  const std::uint64_t now = peer->directory_version();
  if (now == version && wanted == tag) {
    return false;
  }
  publishers_of.clear();
  subscriptions_to.clear();
  lanes_to.clear();
  read(wanted, self);
  index();
  tag = wanted;
  version = now;  // as read before the entries: a later change is seen next time. Last, should memory run out
  return true;
}

void Neighbour::index() {
  for (const auto & [number, endpoint] : publishers) {
    publishers_of.emplace(endpoint.info.topic, &endpoint);
  }
  for (const auto & [number, endpoint] : subscriptions) {
    subscriptions_to.emplace(endpoint.info.topic, &endpoint);
  }
  for (const auto & [number, lane] : lanes) {
    lanes_to.emplace(lane.terms.publisher, &lane);
  }
}

void Neighbour::read(std::uint32_t wanted, std::uint64_t self) {
  auto old_publishers = std::exchange(publishers, {});
  auto old_subscriptions = std::exchange(subscriptions, {});
  auto old_lanes = std::exchange(lanes, {});
  auto old_nodes = std::exchange(nodes, {});
  for (const Entry & entry : peer->entries()) {
    if (entry.changing || entry.domain != wanted) {
      // What was here stays until it is seen to be gone: a reader whose line is just being written, or that has moved to a
      // folder made anew sooner or later than we did, still holds its messages.
      keep(entry.number, old_publishers, publishers);
      keep(entry.number, old_subscriptions, subscriptions);
      keep(entry.number, old_lanes, lanes);
      keep(entry.number, old_nodes, nodes);
      continue;
    }
    const bool publishes = entry.kind == EntryKind::kPublisher;
    if (publishes || entry.kind == EntryKind::kSubscription) {
      auto & old = publishes ? old_publishers : old_subscriptions;
      Endpoint endpoint{entry, {}};
      if (const auto known = old.find(entry.number); known != old.end()) {
        endpoint.info = std::move(known->second.info);
      } else if (!parse(peer->read_description(entry), endpoint.info)) {
        continue;
      }
      endpoint.info.id = {peer->incarnation(), entry.number};
      endpoint.info.kind = publishes ? EndpointKind::kPublisher : EndpointKind::kSubscription;
      (publishes ? publishers : subscriptions)[entry.number] = std::move(endpoint);
    } else if (entry.kind == EntryKind::kNode) {
      NodeName node;
      if (parse(peer->read_description(entry), node)) {
        nodes[entry.number] = std::move(node);
      }
    } else if (entry.kind == EntryKind::kLane && entry.description == self) {
      LaneEntry lane{entry, {}};
      if (const auto known = old_lanes.find(entry.number); known != old_lanes.end()) {
        lane.terms = known->second.terms;
      } else {
        Entry head = entry;
        head.description = entry.record;
        head.description_size = sizeof(LaneTerms);
        const std::string bytes = peer->read_description(head);
        if (bytes.size() != sizeof(LaneTerms)) {
          continue;
        }
        std::memcpy(&lane.terms, bytes.data(), sizeof(LaneTerms));
      }
      lanes[entry.number] = lane;
    }
  }
}

}  // namespace tandem
