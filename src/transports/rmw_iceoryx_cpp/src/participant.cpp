#include "participant.hpp"

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
  know_locks_of_others();
}

/// Of whom we know its locks are opened when it is killed with one in its hands, its own or one of its readers'.
void Participant::know_locks_of_others() {
  for (const RosterEntry & entry : roster_.others()) {
    if (!known_.insert(entry.address).second) {
      continue;
    }
    StuckLocks & locks = runtime_->stuck_locks();
    if (!runtime_->shares_processes(entry.address)) {
      locks.disable();
    } else if (void * place = runtime_->place_of(entry.address); place == nullptr) {
      continue;
    } else if (entry.endpoint.kind == EndpointKind::kPublisher) {
      locks.add(&static_cast<iox::popo::PublisherPortData *>(place)->m_chunkSenderData);
    } else {
      locks.add(static_cast<iox::popo::SubscriberPortData::ChunkQueueData_t *>(place));
    }
  }
}

}  // namespace iceoryx
