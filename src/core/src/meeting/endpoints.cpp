#include "meeting/endpoints.hpp"

#include <algorithm>

#include "process/directory.hpp"
#include "process/process.hpp"

namespace tandem {
namespace {

/// What is made can be acknowledged, what is acknowledged be taken up, what has ended be removed. The rest waits for the
/// next time that somebody rings.
constexpr int kPasses = 8;

}  // namespace

bool Endpoints::add(const std::shared_ptr<PublisherImpl> & impl) {
  const EndpointInfo & info = impl->info();
  const std::uint64_t number = info.id.number;
  concern_counterparts(info);
  const auto topic = topics_.try_emplace(info.topic).first;
  const auto index =
      process_.directory().add({EntryKind::kPublisher, presence_.tag(), number, describe(info), impl->record_offset()});
  if (index) {
    topic->second.publishers.emplace(number, OwnPublisher{impl, *index});
    topic_of_publisher_.emplace(number, topic);
  }
  return index.has_value();
}

bool Endpoints::add(const std::shared_ptr<SubscriptionImpl> & impl) {
  const EndpointInfo & info = impl->info();
  const std::uint64_t number = info.id.number;
  concern_counterparts(info);
  Topic & topic = topics_[info.topic];
  const auto index = process_.directory().add({EntryKind::kSubscription, presence_.tag(), number, describe(info), 0});
  if (index) {
    topic.subscriptions.emplace(number, OwnSubscription{impl, *index});
  }
  return index.has_value();
}

void Endpoints::close(PublisherImpl & impl) {
  impl.close();
  Topic & topic = topics_[impl.info().topic];
  if (const auto own = topic.publishers.find(impl.info().id.number); own != topic.publishers.end()) {
    process_.directory().close(own->second.index);
  }
  concern_counterparts(impl.info());
}

void Endpoints::close(SubscriptionImpl & impl) {
  close_lanes(impl, [](const Lane &) { return true; });
  Topic & topic = topics_[impl.info().topic];
  if (const auto own = topic.subscriptions.find(impl.info().id.number); own != topic.subscriptions.end()) {
    process_.directory().remove(own->second.index);
    topic.subscriptions.erase(own);
  }
  concern_counterparts(impl.info());
}

/// An own endpoint has come or is closing: its topic is matched again, and so it is by those who have the other side.
void Endpoints::concern_counterparts(const EndpointInfo & info) {
  concerned_.insert(info.topic);
  for (const auto & [incarnation, neighbour] : neighbours_.all()) {
    const auto & others = info.kind == EndpointKind::kPublisher ? neighbour.subscriptions_to : neighbour.publishers_of;
    if (others.count(info.topic) != 0) {
      concerned_processes_.insert(incarnation);
    }
  }
}

// ---- matching ------------------------------------------------------------------------------------------------------

void Endpoints::concern(const Changes & changes) {
  for (const std::string & topic : changes.topics) {
    if (topics_.count(topic) != 0) {
      concerned_.insert(topic);
    }
  }
  for (const std::uint64_t publisher : changes.publishers) {
    if (const auto topic = topic_of_publisher_.find(publisher); topic != topic_of_publisher_.end()) {
      concerned_.insert(topic->second->first);
    }
  }
}

void Endpoints::concern_all() {
  for (const auto & [name, topic] : topics_) {
    concerned_.insert(name);
  }
}

void Endpoints::match_concerned() {
  free_remnants();
  for (int pass = 0; pass < kPasses && !concerned_.empty(); ++pass) {
    for (const std::string & name : std::exchange(concerned_, {})) {
      const auto topic = topics_.find(name);
      if (topic == topics_.end()) {
        continue;
      }
      if (match_topic(name, topic->second)) {
        concerned_.insert(name);
      } else if (topic->second.publishers.empty() && topic->second.subscriptions.empty()) {
        topics_.erase(topic);
        waiting_.erase(name);
      }
    }
    free_remnants();
    Changes changes;
    neighbours_.read_own(changes);
    concern(changes);
  }
}

/// True if anything was done, so that there may be more to do.
bool Endpoints::match_topic(const std::string & name, Topic & topic) {
  take_up_acknowledgements(topic);
  const TopicSnapshot snapshot = look_at(name, topic);
  const MatchPlan plan = tandem::match(snapshot);
  warn(name, plan);
  post(snapshot, plan, topic);
  const bool done = carry_out(plan, topic);
  const bool failed = !plan.lanes_to_make.empty() || !plan.lanes_to_acknowledge.empty();
  if (!done && (plan.is_waiting || failed)) {
    waiting_.insert(name);
  } else {
    waiting_.erase(name);
  }
  return done;
}

TopicSnapshot Endpoints::look_at(const std::string & name, const Topic & topic) const {
  TopicSnapshot snapshot;
  snapshot.self = neighbours_.self();
  for (const auto & [number, own] : topic.subscriptions) {
    snapshot.subscriptions.push_back({&own.impl->info(), own.impl->ignores_own_process(), own.impl->lanes()});
  }
  for (const auto & [number, own] : topic.publishers) {
    snapshot.publishers.push_back({&own.impl->info(), own.impl->is_closed(), own.impl->readers()});
  }
  for (const auto & [incarnation, neighbour] : std::as_const(neighbours_).all()) {
    TopicSnapshot::Process process;
    process.incarnation = incarnation;
    process.dead = neighbour.peer->is_dead();
    const auto publishers = neighbour.publishers_of.equal_range(name);
    for (auto it = publishers.first; it != publishers.second && !topic.subscriptions.empty(); ++it) {
      process.publishers.push_back({&it->second->info, it->second->entry.closed});
    }
    const auto subscriptions = neighbour.subscriptions_to.equal_range(name);
    for (auto it = subscriptions.first; it != subscriptions.second && !topic.publishers.empty(); ++it) {
      process.subscriptions.push_back(&it->second->info);
    }
    for (const auto & [number, own] : topic.publishers) {
      const auto lanes = neighbour.lanes_to.equal_range(number);
      for (auto it = lanes.first; it != lanes.second; ++it) {
        const LaneTerms & terms = it->second->terms;
        if (terms.publisher_incarnation == snapshot.self) {
          process.lanes.push_back({it->second->entry.number, terms.subscription, terms.publisher});
        }
      }
    }
    if (!process.publishers.empty() || !process.subscriptions.empty() || !process.lanes.empty()) {
      snapshot.processes.push_back(std::move(process));
    }
  }
  return snapshot;
}

bool Endpoints::is_settled() {
  return std::all_of(topics_.begin(), topics_.end(),
                     [this](const auto & topic) { return tandem::is_settled(look_at(topic.first, topic.second)); });
}

// ---- memory --------------------------------------------------------------------------------------------------------

bool Endpoints::make_room(bool may_drop_messages) {
  bool lost = false;
  for (auto & [name, topic] : topics_) {
    for (auto & [number, own] : topic.publishers) {
      lost |= own.impl->make_room(may_drop_messages);
    }
  }
  return lost;
}

void Endpoints::trim(bool idle) {
  for (auto & [name, topic] : topics_) {
    for (auto & [number, own] : topic.publishers) {
      own.impl->trim(idle);
    }
  }
}

}  // namespace tandem
