#include "leg.hpp"

#include <algorithm>

namespace tandem::gateway {
namespace {

using transport::Durability;
using transport::History;
using transport::Qos;

/// How long an endpoint stays after its last user, who may come back or whose last messages are still on their way.
constexpr auto kLinger = std::chrono::milliseconds(500);
/// How long a publisher stays at most for remote readers that have not acknowledged everything.
constexpr auto kLastWords = std::chrono::seconds(10);
/// How long a publisher on the network may be without a node: the two are told in different ways.
constexpr auto kNodeless = std::chrono::milliseconds(500);
constexpr auto kShortlyNodeless = std::chrono::milliseconds(50);
/// How long the readers of a publisher that is replaced have for what is left of it.
constexpr auto kChangeover = std::chrono::milliseconds(50);
/// How long the publisher of messages that are here may be missing in the graph before it is given up.
constexpr auto kUnseen = std::chrono::milliseconds(300);
constexpr auto kTryAgain = std::chrono::seconds(5);
/// A new subscription whose publishers do not match after this long does not keep the present one.
constexpr auto kMatching = std::chrono::seconds(3);

bool is_unknown(const transport::NodeName & node) { return node.name.empty() || node.name == "_NODE_NAME_UNKNOWN_"; }

/// Whether an endpoint of `have` cannot do what `want` asks for.
bool falls_short(const Qos & have, const Qos & want) {
  return (want.history == History::kKeepAll && have.history == History::kKeepLast) ||
         (have.history == History::kKeepLast && want.depth > have.depth);
}

/// Whether a subscription hears all that it is going to.
bool is_ready(const Inlet & inlet) {
  return inlet.subscription->publisher_count() >= inlet.writers || Clock::now() - inlet.made > kMatching;
}

/// Marks when something was missed first. \return whether that is long ago.
bool is_over(std::optional<Clock::time_point> & gone, Clock::duration time) {
  gone = gone.value_or(Clock::now());
  return Clock::now() - *gone > time;
}

}  // namespace

bool Leg::has(const std::string & name) {
  const std::lock_guard lock(pump_.mutex());
  return pump_.topics().contains(name);
}

std::set<std::string> Leg::topics() {
  std::set<std::string> names;
  const std::lock_guard lock(pump_.mutex());
  for (const auto & [name, topic] : pump_.topics()) {
    names.insert(name);
  }
  return names;
}

bool Leg::may_try(const std::string & key) {
  const auto failed = failed_.find(key);
  return failed == failed_.end() || Clock::now() - failed->second > kTryAgain;
}

void Leg::apply(const std::string & name, const MessageType * type, TopicPlan plan) {
  Dropped dropped;
  if (type != nullptr) {
    add_strangers(name, plan);
  }
  for (const auto & [gid, publisher] : plan.publishers) {
    make_outlet(name, *type, publisher, dropped);
  }
  if (pump_.direction() == Direction::kIn || is_wanted_far(name)) {
    for (const auto & [grade, subscription] : plan.subscriptions) {
      make_inlet(name, *type, subscription, dropped);
    }
  }
  {
    const std::lock_guard lock(pump_.mutex());
    const auto found = pump_.topics().find(name);
    if (found != pump_.topics().end()) {
      Topic & topic = found->second;
      for (auto & [gid, outlet] : topic.outlets) {
        const auto planned = plan.publishers.find(gid);
        outlet.readers = planned != plan.publishers.end() ? planned->second.readers : outlet.readers;
      }
      for (auto & [grade, inlet] : topic.inlets) {
        const auto planned = plan.subscriptions.find(grade);
        inlet.writers = planned != plan.subscriptions.end() ? planned->second.writers : 0;
      }
      drop_unwanted(topic, plan, dropped);
      change_over(topic, dropped);
      choose_inlets(topic);
      if (topic.outlets.empty() && topic.inlets.empty()) {
        pump_.topics().erase(found);
      }
    }
  }
  if (has_news_) {
    has_news_ = false;
    pump_.wake();
  }
}

/// A publisher may come, publish and go between two looks; its messages are here nevertheless.
void Leg::add_strangers(const std::string & name, TopicPlan & plan) {
  const std::lock_guard lock(pump_.mutex());
  const auto found = pump_.topics().find(name);
  if (found == pump_.topics().end()) {
    return;
  }
  for (const auto & [gid, outlet] : found->second.outlets) {
    if (outlet.publisher || outlet.queue.empty() || Clock::now() - outlet.made < kUnseen ||
        plan.refused.contains(gid)) {
      continue;
    }
    PublisherPlan stranger;
    stranger.source.gid = gid;
    stranger.source.node = {"_NODE_NAMESPACE_UNKNOWN_", "_NODE_NAME_UNKNOWN_"};
    stranger.source.qos.reliability = outlet.queue.front().grade.reliability;
    stranger.source.qos.depth = static_cast<std::uint32_t>(outlet.queue.size());
    stranger.qos = stranger.source.qos;
    stranger.qos.max_blocking_time = std::chrono::nanoseconds(0);
    for (const auto & [other, planned] : plan.publishers) {
      stranger.readers = std::max(stranger.readers, planned.readers);
    }
    plan.publishers.try_emplace(gid, stranger);
  }
}

/// Whether a stand-in has subscriptions on the far side: only then it is worth subscribing on the near one.
bool Leg::is_wanted_far(const std::string & name) {
  const std::lock_guard lock(pump_.mutex());
  const auto found = pump_.topics().find(name);
  return found != pump_.topics().end() &&
         std::any_of(found->second.outlets.begin(), found->second.outlets.end(), [](const auto & one) {
           return one.second.publisher && one.second.publisher->subscription_count() > 0;
         });
}

/// Whether it is missing, or one that is there cannot do what it should.
bool Leg::is_outlet_due(const std::string & name, const PublisherPlan & plan) {
  const transport::Gid & gid = plan.source.gid;
  // On this host a publisher is replaced without loss: its readers drain the old one. Not so history for late joiners.
  const bool is_replaceable =
      pump_.direction() == Direction::kIn && plan.source.qos.durability == Durability::kVolatile;
  const bool is_named = !is_unknown(plan.source.node);
  {
    const std::lock_guard lock(pump_.mutex());
    const auto topic = pump_.topics().find(name);
    if (topic != pump_.topics().end() && topic->second.outlets.contains(gid)) {
      Outlet & outlet = topic->second.outlets.at(gid);
      outlet.gone.reset();
      if (outlet.publisher) {
        return is_replaceable && (falls_short(outlet.qos, plan.qos) || (is_named && is_unknown(outlet.node)));
      }
      if (is_replaceable && Clock::now() - outlet.made > kShortlyNodeless) {
        return true;  // its messages are waiting, so it does without a name at first
      }
    }
  }
  return is_named || Clock::now() - first_seen_.try_emplace(gid, Clock::now()).first->second >= kNodeless;
}

void Leg::make_outlet(const std::string & name, const MessageType & type, const PublisherPlan & plan,
                      Dropped & dropped) {
  const transport::Gid & gid = plan.source.gid;
  if (!is_outlet_due(name, plan)) {
    return;
  }
  first_seen_.erase(gid);
  const std::string key = "publisher " + name;
  if (!may_try(key)) {
    return;
  }
  try {
    auto made = to_.create_publisher(type, {.node = plan.source.node, .topic = name, .qos = plan.qos});
    own_.insert(made->gid());
    const std::lock_guard lock(pump_.mutex());
    Topic & topic = pump_.topics()[name];
    topic.type = &type;
    Outlet & outlet = topic.outlets[gid];
    if (outlet.publisher) {
      topic.past.copied += pump_.direction() == Direction::kIn ? outlet.publisher->copied() : 0;
      dropped.push_back(std::move(outlet.publisher));
      outlet.not_before = Clock::now() + kChangeover;
    }
    outlet.publisher = std::move(made);
    outlet.qos = plan.qos;
    outlet.source_qos = plan.source.qos;
    outlet.node = plan.source.node;
    outlet.is_open = false;
    outlet.made = Clock::now();
    has_news_ = true;
    failed_.erase(key);
  } catch (const std::exception & error) {
    failed_[key] = Clock::now();
    log_.warn_once("topic '" + name + "' is not carried " +
                   (pump_.direction() == Direction::kIn ? "to this host: " : "to the network: ") + error.what());
  }
}

/// Whether it is missing, cannot do what it should, or bears the name of a node that has left.
bool Leg::is_inlet_due(const std::string & name, const SubscriptionPlan & plan) {
  const std::lock_guard lock(pump_.mutex());
  const auto topic = pump_.topics().find(name);
  if (topic == pump_.topics().end()) {
    return true;
  }
  const auto found = topic->second.inlets.find(grade_of(plan.qos));
  if (found == topic->second.inlets.end()) {
    return true;
  }
  found->second.gone.reset();
  const Inlet & inlet = found->second.successor ? *found->second.successor : found->second;
  const bool is_named_right = std::any_of(plan.nodes.begin(), plan.nodes.end(), [&inlet](const auto & node) {
    return node.name_space == inlet.node.name_space && node.name == inlet.node.name;
  });
  return falls_short(inlet.qos, plan.qos) || !is_named_right;
}

void Leg::make_inlet(const std::string & name, const MessageType & type, const SubscriptionPlan & plan,
                     Dropped & dropped) {
  const std::string key = "subscription " + name;
  if (!is_inlet_due(name, plan) || !may_try(key)) {
    return;
  }
  try {
    Inlet inlet;
    inlet.qos = plan.qos;
    inlet.node = plan.nodes.front();
    inlet.writers = plan.writers;
    inlet.subscription = from_.create_subscription(
        type, {.node = inlet.node, .topic = name, .qos = plan.qos, .ignore_local_publications = true});
    own_.insert(inlet.subscription->gid());
    const std::lock_guard lock(pump_.mutex());
    Topic & topic = pump_.topics()[name];
    topic.type = &type;
    Inlet & present = topic.inlets[grade_of(plan.qos)];
    if (!present.subscription) {
      present = std::move(inlet);
    } else {
      if (present.successor) {
        dropped.push_back(std::move(present.successor->subscription));
      }
      present.successor = std::make_unique<Inlet>(std::move(inlet));
    }
    has_news_ = true;
    failed_.erase(key);
  } catch (const std::exception & error) {
    failed_[key] = Clock::now();
    log_.warn_once("topic '" + name + "' is not carried " +
                   (pump_.direction() == Direction::kIn ? "to this host: " : "to the network: ") + error.what());
  }
}

/// Lets successors take over. Both subscriptions have heard all publishers for a while, so what the old one has not
/// brought lies in the new one, behind what it has.
void Leg::change_over(Topic & topic, Dropped & dropped) {
  for (auto & [grade, inlet] : topic.inlets) {
    if (!inlet.successor || !is_ready(*inlet.successor)) {
      continue;
    }
    topic.past.lost += inlet.subscription->lost();
    dropped.push_back(std::move(inlet.subscription));
    const std::unique_ptr<Inlet> successor = std::move(inlet.successor);
    inlet = std::move(*successor);
    for (auto & [gid, outlet] : topic.outlets) {
      outlet.expect_echo();
    }
    has_news_ = true;
  }
}

void Leg::drop_unwanted(Topic & topic, const TopicPlan & plan, Dropped & dropped) {
  bool has_history = false;
  for (auto one = topic.outlets.begin(); one != topic.outlets.end();) {
    auto & [gid, outlet] = *one;
    if (!outlet.publisher || plan.publishers.contains(gid) || !is_over(outlet.gone, kLinger) ||
        ((!outlet.queue.empty() || !outlet.publisher->wait_for_all_acked(std::chrono::nanoseconds(0))) &&
         !is_over(outlet.gone, kLastWords))) {
      has_history = has_history || outlet.qos.durability == Durability::kTransientLocal;
      ++one;
      continue;
    }
    topic.counts.lost += outlet.queue.size();
    topic.past.copied += pump_.direction() == Direction::kIn ? outlet.publisher->copied() : 0;
    dropped.push_back(std::move(outlet.publisher));
    one = topic.outlets.erase(one);
  }
  const bool is_far = pump_.direction() == Direction::kIn ||
                      std::any_of(topic.outlets.begin(), topic.outlets.end(), [](const auto & one) {
                        return one.second.publisher && one.second.publisher->subscription_count() > 0;
                      });
  for (auto one = topic.inlets.begin(); one != topic.inlets.end();) {
    auto & [grade, inlet] = *one;
    // Subscribed anew, it would bring the history again, which the stand-ins keep.
    const bool keeps = has_history && grade.durability == Durability::kTransientLocal;
    if (keeps || (is_far && plan.subscriptions.contains(grade)) || !is_over(inlet.gone, kLinger)) {
      ++one;
      continue;
    }
    topic.past.lost += inlet.subscription->lost();
    dropped.push_back(std::move(inlet.subscription));
    if (inlet.successor) {
      dropped.push_back(std::move(inlet.successor->subscription));
    }
    one = topic.inlets.erase(one);
  }
}

/// Says for each outlet whose messages count: those of the best subscription, once it hears its publishers.
void Leg::choose_inlets(Topic & topic) {
  std::set<Grade> all;
  std::set<Grade> ready;
  for (const auto & [grade, inlet] : topic.inlets) {
    all.insert(grade);
    if (is_ready(inlet)) {
      ready.insert(grade);
    }
  }
  for (auto & [gid, outlet] : topic.outlets) {
    if (!outlet.publisher) {
      continue;
    }
    auto grade = best(ready, grade_of(outlet.source_qos));
    grade = grade ? grade : best(all, grade_of(outlet.source_qos));
    if (grade) {
      outlet.take_from(*grade);
    }
  }
}

}  // namespace tandem::gateway
