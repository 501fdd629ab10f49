#include "tandem/dds/graph.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "mismatch.hpp"
#include "tandem/dds/names.hpp"

namespace tandem::dds {
namespace {

using transport::EndpointInfo;
using transport::EndpointKind;
using transport::NodeName;

/// A peer that invents ever new types must not fill the memory.
constexpr std::size_t kMostLines = 1000;

bool is_of(const Gid & entity, const Gid & participant) {
  return std::equal(entity.begin(), entity.begin() + kGidPrefix, participant.begin());
}

Gid first_of(const Gid & participant) {
  Gid gid{};
  std::copy_n(participant.begin(), kGidPrefix, gid.begin());
  return gid;
}

void claim(std::map<Gid, const NodeName *> & owners, const std::vector<Gid> & gids, const ParticipantEntities & by,
           const NodeName & node) {
  for (const Gid & gid : gids) {
    if (is_of(gid, by.participant)) {
      owners.emplace(gid, &node);
    }
  }
}

}  // namespace

Graph::Graph(std::string adapter, const Gid & participant, std::function<void()> announce)
    : adapter_(std::move(adapter)), participant_(participant), announce_(std::move(announce)) {}

void Graph::add(const NodeName & node) {
  {
    const std::lock_guard lock(mutex_);
    nodes_.emplace(node.name_space, node.name);
    ++version_;
  }
  announce_();
}

void Graph::remove(const NodeName & node) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = nodes_.find({node.name_space, node.name});
    if (found == nodes_.end()) {
      return;
    }
    nodes_.erase(found);
    ++version_;
  }
  announce_();
}

void Graph::add(const EndpointInfo & endpoint, bool is_deaf_to_own) {
  std::vector<std::string> lines;
  {
    const std::lock_guard lock(mutex_);
    for (const auto & [gid, other] : own_) {
      if (!other.is_deaf_to_own && !is_deaf_to_own) {
        compare_locked(endpoint, other.endpoint, lines);
      }
    }
    for (const auto & [gid, other] : remote_) {
      compare_locked(endpoint, other, lines);
    }
    own_.insert_or_assign(endpoint.gid, Own{endpoint, is_deaf_to_own});
    look_for_lifespan(endpoint.qos);
    ++version_;
  }
  std::for_each(lines.begin(), lines.end(), [this](const std::string & line) { warn(line); });
  announce_();
}

void Graph::remove(const Gid & own_endpoint) {
  {
    const std::lock_guard lock(mutex_);
    if (own_.erase(own_endpoint) == 0) {
      return;
    }
    ++version_;
  }
  announce_();
}

std::pair<std::uint64_t, ParticipantEntities> Graph::announcement() const {
  const std::lock_guard lock(mutex_);
  ParticipantEntities entities;
  entities.participant = participant_;
  // Of nodes that share a name, the first one stands for all of their endpoints: they are told apart by nobody.
  std::map<std::pair<std::string, std::string>, std::size_t> index;
  for (const auto & node : nodes_) {
    index.emplace(node, entities.nodes.size());
    entities.nodes.push_back({{node.first, node.second}, {}, {}});
  }
  for (const auto & [gid, own] : own_) {
    const auto found = index.find({own.endpoint.node.name_space, own.endpoint.node.name});
    if (found != index.end()) {
      NodeEntities & node = entities.nodes[found->second];
      (own.endpoint.kind == EndpointKind::kPublisher ? node.writers : node.readers).push_back(gid);
    }
  }
  return {version_, std::move(entities)};
}

void Graph::discovered(const EndpointInfo & endpoint) {
  EndpointInfo known = endpoint;
  // Of strangers: what is shown on a terminal must not control it.
  std::replace_if(
      known.type_name.begin(), known.type_name.end(), [](char c) { return c < ' ' || c == 0x7f; }, '?');
  std::vector<std::string> lines;
  {
    const std::lock_guard lock(mutex_);
    for (const auto & [gid, own] : own_) {
      compare_locked(own.endpoint, known, lines);
    }
    remote_.insert_or_assign(endpoint.gid, std::move(known));
    look_for_lifespan(endpoint.qos);
  }
  std::for_each(lines.begin(), lines.end(), [this](const std::string & line) { warn(line); });
}

void Graph::lost(const Gid & endpoint) {
  const std::lock_guard lock(mutex_);
  remote_.erase(endpoint);
}

void Graph::lost_participant(const Gid & participant) {
  const std::lock_guard lock(mutex_);
  for (auto one = remote_.lower_bound(first_of(participant)); one != remote_.end() && is_of(one->first, participant);) {
    one = remote_.erase(one);
  }
  for (auto one = claims_.lower_bound(first_of(participant)); one != claims_.end() && is_of(one->first, participant);) {
    one = claims_.erase(one);
  }
}

std::optional<GidWidth> Graph::entities(const void * cdr, std::size_t size) {
  auto message = decode(cdr, size);
  std::optional<GidWidth> width;
  std::vector<std::string> lines;
  {
    const std::lock_guard lock(mutex_);
    if (!message) {
      add_line_locked("topic '" + std::string(kDiscoveryTopic) +
                          "': a message from another participant is unreadable (" + message.error() +
                          "); its nodes are not listed until it sends a good one",
                      lines);
    } else if (!is_of(message->participant, participant_)) {
      const Gid participant = message->participant;
      width = message->width;
      if (message->nodes.empty()) {
        claims_.erase(participant);
      } else {
        claims_.insert_or_assign(participant, std::move(*message));
      }
    }
  }
  std::for_each(lines.begin(), lines.end(), [this](const std::string & line) { warn(line); });
  return width;
}

transport::GraphSnapshot Graph::snapshot() const {
  const std::lock_guard lock(mutex_);
  transport::GraphSnapshot all;
  for (const auto & [name_space, name] : nodes_) {
    all.nodes.push_back({name_space, name});
  }
  for (const auto & [gid, own] : own_) {
    all.endpoints.push_back(own.endpoint);
  }
  std::map<Gid, const NodeName *> owners;
  for (const auto & [participant, entities] : claims_) {
    for (const NodeEntities & node : entities.nodes) {
      all.nodes.push_back(node.node);
      claim(owners, node.readers, entities, node.node);
      claim(owners, node.writers, entities, node.node);
    }
  }
  for (const auto & [gid, endpoint] : remote_) {
    const auto owner = owners.find(gid);
    all.endpoints.push_back(endpoint);
    all.endpoints.back().node = owner != owners.end() ? *owner->second : NodeName{kUnknownNameSpace, kUnknownNode};
  }
  return all;
}

transport::Qos Graph::qos_of(const Gid & endpoint) const {
  const std::lock_guard lock(mutex_);
  if (const auto own = own_.find(endpoint); own != own_.end()) {
    return own->second.endpoint.qos;
  }
  const auto other = remote_.find(endpoint);
  return other != remote_.end() ? other->second.qos : transport::Qos();
}

void Graph::compare_locked(const EndpointInfo & a, const EndpointInfo & b, std::vector<std::string> & lines) {
  if (a.topic != b.topic || a.kind == b.kind) {
    return;
  }
  const bool a_publishes = a.kind == EndpointKind::kPublisher;
  const std::string reason = mismatch(a_publishes ? a : b, a_publishes ? b : a);
  if (!reason.empty()) {
    add_line_locked("topic '" + a.topic + "': " + reason, lines);
  }
}

void Graph::add_line_locked(std::string line, std::vector<std::string> & lines) {
  if (logged_.size() < kMostLines && logged_.insert(line).second) {
    lines.push_back(std::move(line));
  }
}

void Graph::warn(const std::string & line) const {
  std::fprintf(stderr, "[WARN] [%s]: %s\n", adapter_.c_str(), line.c_str());
}

}  // namespace tandem::dds
