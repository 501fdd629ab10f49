#include "graph.hpp"

#include <algorithm>

#include "tandem/kit/endpoint.hpp"

namespace rmw_zenoh {
namespace {

/// A peer that invents ever new types must not fill the memory.
constexpr std::size_t kMostLines = 1000;

template <class Topics, class Visit>
void for_each_endpoint(const Topics & topics, const Visit & visit) {
  for (const auto & [topic, endpoints] : topics) {
    for (const auto & [gid, endpoint] : endpoints) {
      visit(endpoint);
    }
  }
}

/// An endpoint of this topic; null when it is not there.
template <class Topics>
auto * find(Topics & topics, const std::string & name, const Gid & gid) {
  const auto topic = topics.find(name);
  if (topic == topics.end()) {
    return decltype(&topic->second.begin()->second)(nullptr);
  }
  const auto endpoint = topic->second.find(gid);
  return endpoint != topic->second.end() ? &endpoint->second : nullptr;
}

template <class Topics>
void erase(Topics & topics, const std::string & name, const Gid & gid) {
  const auto topic = topics.find(name);
  if (topic != topics.end() && topic->second.erase(gid) != 0 && topic->second.empty()) {
    topics.erase(topic);
  }
}

/// Why two endpoints of a topic have different keys; empty when they have the same.
std::string difference(EndpointInfo publisher, EndpointInfo subscription) {
  publisher.qos = subscription.qos = {};
  std::string reason = mismatch(publisher, subscription);
  if (reason.empty() && publisher.type_hash.empty() != subscription.type_hash.empty()) {
    reason = "one of them tells no hash of its type, as nodes of Humble do. TANDEM_ROS_DISTRO=humble talks to those";
  }
  return reason;
}

}  // namespace

void Graph::add(const NodeName & node) {
  const std::lock_guard lock(mutex_);
  own_nodes_.emplace(node.name_space, node.name);
}

void Graph::remove(const NodeName & node) {
  const std::lock_guard lock(mutex_);
  if (const auto found = own_nodes_.find({node.name_space, node.name}); found != own_nodes_.end()) {
    own_nodes_.erase(found);
  }
}

void Graph::add(const EndpointInfo & endpoint, bool ignores_local, std::shared_ptr<StatusBoard> board) {
  Changes changes;
  {
    const std::lock_guard lock(mutex_);
    own_[endpoint.topic].insert_or_assign(endpoint.gid, Own{endpoint, ignores_local, std::move(board)});
    note_locked(endpoint);
    update_locked(endpoint.topic, changes);
  }
  tell(changes);
}

void Graph::remove(const Gid & own) {
  Changes changes;
  {
    const std::lock_guard lock(mutex_);
    const auto known = topics_.find(own);
    if (known == topics_.end()) {
      return;
    }
    const std::string topic = known->second;
    topics_.erase(known);
    erase(own_, topic, own);
    update_locked(topic, changes);
  }
  tell(changes);
}

void Graph::heard(std::string_view token, bool is_there) {
  const auto entity = parse_token(token);
  if (!entity || entity->session == session_) {
    return;
  }
  Changes changes;
  {
    const std::lock_guard lock(mutex_);
    if (entity->kind == EntityKind::kNode) {
      if (is_there) {
        nodes_.insert_or_assign(std::string(token), entity->node);
      } else if (const auto gone = nodes_.find(token); gone != nodes_.end()) {
        nodes_.erase(gone);
      }
      return;
    }
    for (const EndpointInfo & info : listed(*entity, gid_of(token))) {
      if (is_there) {
        others_[info.topic].insert_or_assign(info.gid, info);
        note_locked(info);
      } else {
        topics_.erase(info.gid);
        erase(others_, info.topic, info.gid);
      }
      update_locked(info.topic, changes);
    }
  }
  tell(changes);
}

GraphSnapshot Graph::snapshot() const {
  const std::lock_guard lock(mutex_);
  GraphSnapshot all;
  for (const auto & [name_space, name] : own_nodes_) {
    all.nodes.push_back({name_space, name});
  }
  for (const auto & [token, node] : nodes_) {
    all.nodes.push_back(node);
  }
  for_each_endpoint(own_, [&all](const Own & own) { all.endpoints.push_back(own.info); });
  for_each_endpoint(others_, [&all](const EndpointInfo & other) { all.endpoints.push_back(other); });
  return all;
}

std::chrono::nanoseconds Graph::lifespan_of(const Gid & publisher) const {
  if (!has_lifespans_.load(std::memory_order_relaxed)) {
    return kInfinite;
  }
  const std::lock_guard lock(mutex_);
  const auto topic = topics_.find(publisher);
  if (topic == topics_.end()) {
    return kInfinite;
  }
  const Own * const own = find(own_, topic->second, publisher);
  const EndpointInfo * const other = find(others_, topic->second, publisher);
  return own != nullptr ? own->info.qos.lifespan : other != nullptr ? other->qos.lifespan : kInfinite;
}

bool Graph::is_own(const Gid & endpoint) const {
  const std::lock_guard lock(mutex_);
  const auto topic = topics_.find(endpoint);
  return topic != topics_.end() && find(own_, topic->second, endpoint) != nullptr;
}

void Graph::note_locked(const EndpointInfo & info) {
  topics_.insert_or_assign(info.gid, info.topic);
  if (info.qos.lifespan != kInfinite) {
    has_lifespans_.store(true, std::memory_order_relaxed);
  }
}

/// Matches the own endpoints of a topic anew.
void Graph::update_locked(const std::string & topic, Changes & changes) {
  const auto own = own_.find(topic);
  if (own == own_.end()) {
    return;
  }
  const auto others = others_.find(topic);
  for (const auto & [gid, endpoint] : own->second) {
    StatusBoard::Counterparts matched;
    StatusBoard::Counterparts misfits;
    for (const auto & [its, other] : own->second) {
      if (!endpoint.ignores_local && !other.ignores_local) {
        compare_locked(endpoint, other.info, matched, misfits, changes);
      }
    }
    if (others != others_.end()) {
      for (const auto & [its, other] : others->second) {
        compare_locked(endpoint, other, matched, misfits, changes);
      }
    }
    if (endpoint.board->set(std::move(matched), std::move(misfits))) {
      changes.boards.push_back(endpoint.board);
    }
  }
}

void Graph::compare_locked(const Own & own, const EndpointInfo & other, StatusBoard::Counterparts & matched,
                           StatusBoard::Counterparts & misfits, Changes & changes) {
  if (own.info.kind == other.kind) {
    return;
  }
  const bool publishes = own.info.kind == EndpointKind::kPublisher;
  const std::string reason = difference(publishes ? own.info : other, publishes ? other : own.info);
  if (reason.empty()) {
    matched.push_back(counterpart(other.gid));
    return;
  }
  misfits.push_back(counterpart(other.gid));
  if (logged_.size() < kMostLines && logged_.insert(own.info.topic + ' ' + reason).second) {
    changes.lines.emplace_back(own.info.topic, "no match: " + reason);
  }
}

void Graph::tell(const Changes & changes) {
  for (const auto & board : changes.boards) {
    board->notify();
  }
  for (const auto & [topic, line] : changes.lines) {
    warn(kName, topic, line);
  }
}

}  // namespace rmw_zenoh
