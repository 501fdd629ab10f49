#include "meeting/neighbour.hpp"

#include <cstring>
#include <utility>

#include "process/directory.hpp"

namespace tandem {
namespace {

/// Puts a value into a map by number and into an index of that map, or into neither when memory is short.
template <class Map, class Index, class Key>
void insert(Map & map, Index & index, typename Map::mapped_type value, Key key_of) {
  const std::uint64_t number = value.entry.number;
  const auto [place, is_new] = map.emplace(number, std::move(value));
  try {
    index.emplace(key_of(place->second), &place->second);
  } catch (...) {
    map.erase(place);
    throw;
  }
}

template <class Map, class Index, class Key>
void erase(Map & map, Index & index, typename Map::iterator place, Key key_of) {
  const auto [begin, end] = index.equal_range(key_of(place->second));
  for (auto it = begin; it != end; ++it) {
    if (it->second == &place->second) {
      index.erase(it);
      break;
    }
  }
  map.erase(place);
}

std::string_view topic_of(const Neighbour::Endpoint & endpoint) { return endpoint.info.topic; }
std::uint64_t publisher_of(const Neighbour::LaneEntry & lane) { return lane.terms.publisher; }

bool is_of_interest(const Entry & entry, std::uint64_t self) {
  switch (entry.kind) {
    case EntryKind::kNode:
    case EntryKind::kPublisher:
    case EntryKind::kSubscription: return true;
    case EntryKind::kLane: return entry.description == self;
    default: return false;
  }
}

}  // namespace

bool Neighbour::refresh(std::uint32_t wanted, std::uint64_t self, Changes & changes) {
  const std::uint64_t now = peer->directory_version();
  if (now == version_ && wanted == tag_) {
    return false;
  }
  if (wanted != tag_) {
    for (Line & line : lines_) {
      line.version = kUnread;
    }
  }
  tag_ = wanted;
  version_ = kUnread;  // should memory run out below
  const std::uint32_t used = peer->directory_used();
  for (std::size_t i = used; i < lines_.size(); ++i) {
    forget(lines_[i], changes);
  }
  lines_.resize(used);
  for (std::uint32_t i = 0; i < used; ++i) {
    if (peer->line_version(i) != lines_[i].version) {
      read(lines_[i], peer->entry(i), self, changes);
    }
  }
  version_ = now;  // as read before the entries: a later change is seen next time
  return true;
}

/// What a line said stays until it is seen to be gone: a reader whose line is just being written, or that has moved to a
/// folder made anew sooner or later than we did, still holds its messages.
void Neighbour::read(Line & line, const Entry & entry, std::uint64_t self, Changes & changes) {
  if (entry.changing) {
    line.version = kUnread;
    return;
  }
  const bool is_same = line.kind == entry.kind && line.number == entry.number;
  if (line.kind != EntryKind::kFree && !is_same) {
    forget(line, changes);
  }
  line.version = kUnread;  // should it not be understood, or memory run out
  if (entry.domain == tag_ && is_of_interest(entry, self)) {
    if (!(is_same && note_closed(entry, changes)) && !add(entry, changes)) {
      return;
    }
    line.kind = entry.kind;
    line.number = entry.number;
  }
  line.version = entry.version;
}

bool Neighbour::add(const Entry & entry, Changes & changes) {
  if (entry.kind == EntryKind::kLane) {
    return add_lane(entry, changes);
  }
  if (entry.kind == EntryKind::kNode) {
    NodeName node;
    return parse(peer->read_description(entry), node) && nodes.emplace(entry.number, std::move(node)).second;
  }
  return add_endpoint(entry, changes);
}

/// Of numbers that come twice, which an honest owner does not do, the first line counts.
bool Neighbour::add_endpoint(const Entry & entry, Changes & changes) {
  const bool publishes = entry.kind == EntryKind::kPublisher;
  auto & map = publishes ? publishers : subscriptions;
  Endpoint endpoint{entry, {}};
  if (map.count(entry.number) != 0 || !parse(peer->read_description(entry), endpoint.info)) {
    return false;
  }
  endpoint.info.id = {peer->incarnation(), entry.number};
  endpoint.info.kind = publishes ? EndpointKind::kPublisher : EndpointKind::kSubscription;
  changes.topics.insert(endpoint.info.topic);
  insert(map, publishes ? publishers_of : subscriptions_to, std::move(endpoint), topic_of);
  return true;
}

bool Neighbour::add_lane(const Entry & entry, Changes & changes) {
  LaneEntry lane{entry, {}};
  Entry head = entry;
  head.description = entry.record;
  head.description_size = sizeof(LaneTerms);
  const std::string bytes = peer->read_description(head);
  if (lanes.count(entry.number) != 0 || bytes.size() != sizeof(LaneTerms)) {
    return false;
  }
  std::memcpy(&lane.terms, bytes.data(), sizeof(LaneTerms));
  changes.publishers.insert(lane.terms.publisher);
  insert(lanes, lanes_to, lane, publisher_of);
  return true;
}

/// The only thing that changes while an entry lives, besides its tag. False if the entry is not known.
bool Neighbour::note_closed(const Entry & entry, Changes & changes) {
  if (entry.kind == EntryKind::kLane) {
    return lanes.count(entry.number) != 0;
  }
  if (entry.kind == EntryKind::kNode) {
    return nodes.count(entry.number) != 0;
  }
  auto & map = entry.kind == EntryKind::kPublisher ? publishers : subscriptions;
  const auto known = map.find(entry.number);
  if (known == map.end()) {
    return false;
  }
  if (known->second.entry.closed != entry.closed) {
    changes.topics.insert(known->second.info.topic);
    known->second.entry.closed = entry.closed;
  }
  return true;
}

void Neighbour::forget(Line & line, Changes & changes) {
  const bool publishes = line.kind == EntryKind::kPublisher;
  if (publishes || line.kind == EntryKind::kSubscription) {
    auto & map = publishes ? publishers : subscriptions;
    if (const auto known = map.find(line.number); known != map.end()) {
      changes.topics.insert(known->second.info.topic);
      erase(map, publishes ? publishers_of : subscriptions_to, known, topic_of);
    }
  } else if (line.kind == EntryKind::kLane) {
    if (const auto known = lanes.find(line.number); known != lanes.end()) {
      changes.publishers.insert(known->second.terms.publisher);
      erase(lanes, lanes_to, known, publisher_of);
    }
  } else if (line.kind == EntryKind::kNode) {
    nodes.erase(line.number);
  }
  line.kind = EntryKind::kFree;
}

void Neighbour::note_all(Changes & changes) const {
  for (const auto * endpoints : {&publishers, &subscriptions}) {
    for (const auto & [number, endpoint] : *endpoints) {
      changes.topics.insert(endpoint.info.topic);
    }
  }
  for (const auto & [number, lane] : lanes) {
    changes.publishers.insert(lane.terms.publisher);
  }
}

}  // namespace tandem
