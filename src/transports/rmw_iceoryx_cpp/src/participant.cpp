#include "participant.hpp"

#include <algorithm>

#include "iceoryx_posh/internal/popo/ports/publisher_port_data.hpp"
#include "iceoryx_posh/internal/popo/ports/subscriber_port_data.hpp"
#include "publisher.hpp"
#include "roudi.hpp"
#include "subscription.hpp"

namespace iceoryx {

using tandem::transport::EndpointKind;
using tandem::transport::RosterEntry;

Participant::Participant(std::uint32_t domain)
    : domain_(domain), runtime_(Runtime::get()), roster_(kName, domain, [this] { refresh(); }) {}

RosterEntry Participant::named(RosterEntry entry) {
  entry.endpoint.gid = roster_.new_gid();
  return entry;
}

void Participant::join(IceoryxPublisher & publisher) {
  roster_.add(publisher.entry());
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    publishers_.insert(&publisher);
  }
  refresh();
}

void Participant::join(IceoryxSubscription & subscription) {
  subscription.start(roster_.matches(subscription.entry()));
  roster_.add(subscription.entry());
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    subscriptions_.insert(&subscription);
  }
  refresh();
}

void Participant::leave(IceoryxPublisher & publisher) noexcept {
  roster_.remove(publisher.entry().endpoint.gid);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    publishers_.erase(&publisher);
  }
  refresh();
}

void Participant::leave(IceoryxSubscription & subscription) noexcept {
  roster_.remove(subscription.entry().endpoint.gid);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    subscriptions_.erase(&subscription);
  }
  refresh();
}

void Participant::refresh() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (IceoryxPublisher * publisher : publishers_) {
    publisher->set_matched(roster_.matches(publisher->entry()));
  }
  for (IceoryxSubscription * subscription : subscriptions_) {
    subscription->set_matched(roster_.matches(subscription->entry()));
  }
  suspect_locks_of_gone();
}

iox::popo::ThreadSafePolicy * Participant::lock_of(const std::string & address, EndpointKind kind) const {
  void * place = runtime_->place_of(address);
  if (place == nullptr) {
    return nullptr;
  }
  if (kind == EndpointKind::kPublisher) {
    return &static_cast<iox::popo::PublisherPortData *>(place)->m_chunkSenderData;
  }
  return static_cast<iox::popo::SubscriberPortData::ChunkQueueData_t *>(place);
}

/// When somebody goes it may have been killed, with its own lock or one of its readers' in its hands.
void Participant::suspect_locks_of_gone() {
  std::map<std::string, EndpointKind> others;
  for (const RosterEntry & entry : roster_.others()) {
    others.emplace(entry.address, entry.endpoint.kind);
  }
  const bool is_one_gone =
      std::any_of(others_.begin(), others_.end(), [&](const auto & other) { return others.count(other.first) == 0; });
  StuckLocks & locks = runtime_->stuck_locks();
  if (is_one_gone) {
    locks.suspect_own();
    for (const auto & [address, kind] : others_) {
      if (auto * lock = lock_of(address, kind); lock != nullptr) {
        locks.suspect(lock);
      }
    }
  }
  for (const auto & [address, kind] : others) {
    if (others_.count(address) > 0) {
      continue;
    }
    if (auto * lock = lock_of(address, kind); lock != nullptr) {
      locks.add_known(lock);
    }
  }
  others_ = std::move(others);
}

}  // namespace iceoryx
