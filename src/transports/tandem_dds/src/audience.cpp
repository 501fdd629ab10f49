#include "tandem/dds/audience.hpp"

#include <algorithm>
#include <utility>

#include "tandem/dds/discovery_info.hpp"

namespace tandem::dds {
namespace {

using transport::EndpointKind;

Gid participant_of(Gid gid) {
  std::fill(gid.begin() + kGidPrefix, gid.end(), std::uint8_t{0});
  return gid;
}

}  // namespace

Audience::Audience(std::function<void()> changed, Clock::duration silence)
    : changed_(std::move(changed)), silence_(silence) {}

Audience::~Audience() { end(); }

void Audience::end() {
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
    news_.notify_all();
  }
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Audience::found(EndpointKind kind, const Gid & endpoint, std::string_view dds_topic, std::string_view user_data) {
  const std::lock_guard lock(mutex_);
  Peer & peer = peers_[participant_of(endpoint)];
  if (!type_hash_in(user_data).empty()) {
    learn_locked(peer, GidWidth::k16);
  }
  if (dds_topic != kDiscoveryTopic) {
    return;
  }
  peer.reads_any = peer.reads_any || reads_any_width(user_data);
  if (kind == EndpointKind::kPublisher) {
    peer.writers.insert(endpoint);
  } else if (peer.readers.insert(endpoint).second) {
    peer.since = Clock::now();
    notify_locked();
  }
}

void Audience::heard(const Gid & writer, GidWidth width) {
  const std::lock_guard lock(mutex_);
  Peer & peer = peers_[participant_of(writer)];
  peer.writers.insert(writer);
  learn_locked(peer, width);
}

void Audience::lost(const Gid & endpoint) {
  const std::lock_guard lock(mutex_);
  const auto peer = peers_.find(participant_of(endpoint));
  if (peer != peers_.end()) {
    peer->second.writers.erase(endpoint);
    if (peer->second.readers.erase(endpoint) != 0) {
      notify_locked();
    }
  }
}

void Audience::lost_participant(const Gid & participant) {
  const std::lock_guard lock(mutex_);
  if (peers_.erase(participant_of(participant)) != 0) {
    notify_locked();
  }
}

void Audience::learn_locked(Peer & peer, GidWidth form) {
  if (!peer.form) {
    peer.form = form;
    if (!peer.readers.empty()) {
      notify_locked();
    }
  }
}

void Audience::notify_locked() {
  has_changed_ = true;
  if (!thread_.joinable() && !is_ended_) {
    thread_ = std::thread([this] { run(); });
  }
  news_.notify_all();
}

/// Takes those that have been silent for long enough for early ones. \return when the next one will be.
std::optional<Audience::Clock::time_point> Audience::give_up_waiting_locked() {
  std::optional<Clock::time_point> next;
  for (auto & [participant, peer] : peers_) {
    if (peer.form || peer.readers.empty() || !peer.writers.empty()) {
      continue;
    }
    const auto due = peer.since + silence_;
    if (due <= Clock::now()) {
      peer.form = GidWidth::k24;
      has_changed_ = true;
    } else {
      next = std::min(next.value_or(due), due);
    }
  }
  return next;
}

void Audience::run() {
  std::unique_lock lock(mutex_);
  while (!is_ended_) {
    const auto next = give_up_waiting_locked();
    if (std::exchange(has_changed_, false)) {
      lock.unlock();
      changed_();
      lock.lock();
    } else if (next) {
      news_.wait_until(lock, *next);
    } else {
      news_.wait(lock);
    }
  }
}

Audience::Readers Audience::readers() const {
  const std::lock_guard lock(mutex_);
  Readers all;
  for (const auto & [participant, peer] : peers_) {
    for (const Gid & reader : peer.readers) {
      all.emplace(reader, peer.form);
    }
  }
  return all;
}

std::optional<GidWidth> Audience::form_of(const Gid & reader) const {
  const std::lock_guard lock(mutex_);
  const auto peer = peers_.find(participant_of(reader));
  return peer != peers_.end() ? peer->second.form : std::nullopt;
}

Demand Audience::demand() const {
  const std::lock_guard lock(mutex_);
  Demand demand;
  for (const auto & [participant, peer] : peers_) {
    if (!peer.readers.empty() && !peer.reads_any) {
      demand.narrow = demand.narrow || peer.form == GidWidth::k16;
      demand.wide = demand.wide || peer.form == GidWidth::k24;
      demand.unknown = demand.unknown || !peer.form;
    }
  }
  return demand;
}

}  // namespace tandem::dds
