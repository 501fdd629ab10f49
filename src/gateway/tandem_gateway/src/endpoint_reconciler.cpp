#include "endpoint_reconciler.hpp"

#include <algorithm>

namespace tandem::gateway {
namespace {

using transport::Durability;
using transport::History;
using transport::Qos;

/// How long an endpoint stays after its last user, who may come back or whose last messages are still on their way.
constexpr auto kLinger = std::chrono::milliseconds(500);
/// How long a publisher stays at most for remote readers that have not acknowledged everything.
constexpr auto kAcknowledgeTimeout = std::chrono::seconds(10);
/// How long a publisher on the network may be without a node: the two are told in different ways.
constexpr auto kNodeless = std::chrono::milliseconds(500);
constexpr auto kBrieflyNodeless = std::chrono::milliseconds(50);
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

/// Whether a subscription is matched with all publishers that it is going to have.
bool is_ready(const Input & input) {
  return input.subscription->publisher_count() >= input.writers || Clock::now() - input.made > kMatching;
}

/// Marks when something was missed first. \return whether that is long ago.
bool is_over(std::optional<Clock::time_point> & gone, Clock::duration time) {
  gone = gone.value_or(Clock::now());
  return Clock::now() - *gone > time;
}

}  // namespace

bool EndpointReconciler::has(const std::string & name) {
  const std::lock_guard lock(forwarder_.mutex());
  return forwarder_.topics().contains(name);
}

std::set<std::string> EndpointReconciler::topics() {
  std::set<std::string> names;
  const std::lock_guard lock(forwarder_.mutex());
  for (const auto & [name, topic] : forwarder_.topics()) {
    names.insert(name);
  }
  return names;
}

bool EndpointReconciler::may_try(const std::string & key) {
  const auto failed = failed_.find(key);
  return failed == failed_.end() || Clock::now() - failed->second > kTryAgain;
}

void EndpointReconciler::apply(const std::string & name, const MessageType * type, TopicPlan plan) {
  Dropped dropped;
  if (type != nullptr) {
    add_unknown_publishers(name, plan);
  }
  for (const auto & [gid, publisher] : plan.publishers) {
    make_output(name, *type, publisher, dropped);
  }
  if (forwarder_.direction() == Direction::kIn || is_wanted_far(name)) {
    for (const auto & [grade, subscription] : plan.subscriptions) {
      make_input(name, *type, subscription, dropped);
    }
  }
  {
    const std::lock_guard lock(forwarder_.mutex());
    const auto found = forwarder_.topics().find(name);
    if (found != forwarder_.topics().end()) {
      Topic & topic = found->second;
      for (auto & [gid, output] : topic.outputs) {
        const auto planned = plan.publishers.find(gid);
        output.readers = planned != plan.publishers.end() ? planned->second.readers : output.readers;
      }
      for (auto & [grade, input] : topic.inputs) {
        const auto planned = plan.subscriptions.find(grade);
        input.writers = planned != plan.subscriptions.end() ? planned->second.writers : 0;
      }
      drop_unwanted(topic, plan, dropped);
      change_over(topic, dropped);
      choose_inputs(topic);
      if (topic.outputs.empty() && topic.inputs.empty()) {
        forwarder_.topics().erase(found);
      }
    }
  }
  if (has_changed_) {
    has_changed_ = false;
    forwarder_.wake();
  }
}

/// A publisher may come, publish and go between two looks; its messages are here nevertheless.
void EndpointReconciler::add_unknown_publishers(const std::string & name, TopicPlan & plan) {
  const std::lock_guard lock(forwarder_.mutex());
  const auto found = forwarder_.topics().find(name);
  if (found == forwarder_.topics().end()) {
    return;
  }
  for (const auto & [gid, output] : found->second.outputs) {
    if (output.publisher || output.queue.empty() || Clock::now() - output.made < kUnseen ||
        plan.refused.contains(gid)) {
      continue;
    }
    PublisherPlan unknown;
    unknown.source.gid = gid;
    unknown.source.node = {"_NODE_NAMESPACE_UNKNOWN_", "_NODE_NAME_UNKNOWN_"};
    unknown.source.qos.reliability = output.queue.front().grade.reliability;
    unknown.source.qos.depth = static_cast<std::uint32_t>(output.queue.size());
    unknown.qos = unknown.source.qos;
    unknown.qos.max_blocking_time = std::chrono::nanoseconds(0);
    for (const auto & [other, planned] : plan.publishers) {
      unknown.readers = std::max(unknown.readers, planned.readers);
    }
    plan.publishers.try_emplace(gid, unknown);
  }
}

/// Whether a proxy has subscriptions on the far side: only then it is worth subscribing on the near one.
bool EndpointReconciler::is_wanted_far(const std::string & name) {
  const std::lock_guard lock(forwarder_.mutex());
  const auto found = forwarder_.topics().find(name);
  return found != forwarder_.topics().end() &&
         std::any_of(found->second.outputs.begin(), found->second.outputs.end(), [](const auto & one) {
           return one.second.publisher && one.second.publisher->subscription_count() > 0;
         });
}

/// Whether it is missing, or one that is there cannot do what it should.
bool EndpointReconciler::is_output_due(const std::string & name, const PublisherPlan & plan) {
  const transport::Gid & gid = plan.source.gid;
  // On this host a publisher is replaced without loss: its readers drain the old one. Not so history for late joiners.
  const bool is_replaceable =
      forwarder_.direction() == Direction::kIn && plan.source.qos.durability == Durability::kVolatile;
  const bool is_named = !is_unknown(plan.source.node);
  {
    const std::lock_guard lock(forwarder_.mutex());
    const auto topic = forwarder_.topics().find(name);
    if (topic != forwarder_.topics().end() && topic->second.outputs.contains(gid)) {
      Output & output = topic->second.outputs.at(gid);
      output.gone.reset();
      if (output.publisher) {
        return is_replaceable && (falls_short(output.qos, plan.qos) || (is_named && is_unknown(output.node)));
      }
      if (is_replaceable && Clock::now() - output.made > kBrieflyNodeless) {
        return true;  // its messages are waiting, so it does without a name at first
      }
    }
  }
  return is_named || Clock::now() - first_seen_.try_emplace(gid, Clock::now()).first->second >= kNodeless;
}

void EndpointReconciler::make_output(const std::string & name, const MessageType & type, const PublisherPlan & plan,
                                     Dropped & dropped) {
  const transport::Gid & gid = plan.source.gid;
  if (!is_output_due(name, plan)) {
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
    const std::lock_guard lock(forwarder_.mutex());
    Topic & topic = forwarder_.topics()[name];
    topic.type = &type;
    Output & output = topic.outputs[gid];
    if (output.publisher) {
      topic.past.copied += forwarder_.direction() == Direction::kIn ? output.publisher->copied() : 0;
      dropped.push_back(std::move(output.publisher));
      output.not_before = Clock::now() + kChangeover;
    }
    output.publisher = std::move(made);
    output.qos = plan.qos;
    output.source_qos = plan.source.qos;
    output.node = plan.source.node;
    output.is_open = false;
    output.made = Clock::now();
    has_changed_ = true;
    failed_.erase(key);
  } catch (const std::exception & error) {
    failed_[key] = Clock::now();
    log_.warn_once("topic '" + name + "' is not carried " +
                   (forwarder_.direction() == Direction::kIn ? "to this host: " : "to the network: ") + error.what());
  }
}

/// Whether it is missing, cannot do what it should, or bears the name of a node that has left.
bool EndpointReconciler::is_input_due(const std::string & name, const SubscriptionPlan & plan) {
  const std::lock_guard lock(forwarder_.mutex());
  const auto topic = forwarder_.topics().find(name);
  if (topic == forwarder_.topics().end()) {
    return true;
  }
  const auto found = topic->second.inputs.find(grade_of(plan.qos));
  if (found == topic->second.inputs.end()) {
    return true;
  }
  found->second.gone.reset();
  const Input & input = found->second.successor ? *found->second.successor : found->second;
  const bool is_named_right = std::any_of(plan.nodes.begin(), plan.nodes.end(), [&input](const auto & node) {
    return node.name_space == input.node.name_space && node.name == input.node.name;
  });
  return falls_short(input.qos, plan.qos) || !is_named_right;
}

void EndpointReconciler::make_input(const std::string & name, const MessageType & type, const SubscriptionPlan & plan,
                                    Dropped & dropped) {
  const std::string key = "subscription " + name;
  if (!is_input_due(name, plan) || !may_try(key)) {
    return;
  }
  try {
    Input input;
    input.qos = plan.qos;
    input.node = plan.nodes.front();
    input.writers = plan.writers;
    input.subscription = from_.create_subscription(
        type, {.node = input.node, .topic = name, .qos = plan.qos, .ignore_local_publications = true});
    own_.insert(input.subscription->gid());
    const std::lock_guard lock(forwarder_.mutex());
    Topic & topic = forwarder_.topics()[name];
    topic.type = &type;
    Input & present = topic.inputs[grade_of(plan.qos)];
    if (!present.subscription) {
      present = std::move(input);
    } else {
      if (present.successor) {
        dropped.push_back(std::move(present.successor->subscription));
      }
      present.successor = std::make_unique<Input>(std::move(input));
    }
    has_changed_ = true;
    failed_.erase(key);
  } catch (const std::exception & error) {
    failed_[key] = Clock::now();
    log_.warn_once("topic '" + name + "' is not carried " +
                   (forwarder_.direction() == Direction::kIn ? "to this host: " : "to the network: ") + error.what());
  }
}

/// Lets successors take over. Both subscriptions have been matched with all publishers for a while, so what the old one has not
/// brought lies in the new one, behind what it has.
void EndpointReconciler::change_over(Topic & topic, Dropped & dropped) {
  for (auto & [grade, input] : topic.inputs) {
    if (!input.successor || !is_ready(*input.successor)) {
      continue;
    }
    topic.past.lost += input.subscription->lost();
    dropped.push_back(std::move(input.subscription));
    const std::unique_ptr<Input> successor = std::move(input.successor);
    input = std::move(*successor);
    for (auto & [gid, output] : topic.outputs) {
      output.expect_duplicates();
    }
    has_changed_ = true;
  }
}

void EndpointReconciler::drop_unwanted(Topic & topic, const TopicPlan & plan, Dropped & dropped) {
  bool has_history = false;
  for (auto one = topic.outputs.begin(); one != topic.outputs.end();) {
    auto & [gid, output] = *one;
    if (!output.publisher || plan.publishers.contains(gid) || !is_over(output.gone, kLinger) ||
        ((!output.queue.empty() || !output.publisher->wait_for_all_acked(std::chrono::nanoseconds(0))) &&
         !is_over(output.gone, kAcknowledgeTimeout))) {
      has_history = has_history || output.qos.durability == Durability::kTransientLocal;
      ++one;
      continue;
    }
    topic.counts.lost += output.queue.size();
    topic.past.copied += forwarder_.direction() == Direction::kIn ? output.publisher->copied() : 0;
    dropped.push_back(std::move(output.publisher));
    one = topic.outputs.erase(one);
  }
  const bool is_far = forwarder_.direction() == Direction::kIn ||
                      std::any_of(topic.outputs.begin(), topic.outputs.end(), [](const auto & one) {
                        return one.second.publisher && one.second.publisher->subscription_count() > 0;
                      });
  for (auto one = topic.inputs.begin(); one != topic.inputs.end();) {
    auto & [grade, input] = *one;
    // Subscribed anew, it would bring the history again, which the proxies keep.
    const bool keeps = has_history && grade.durability == Durability::kTransientLocal;
    if (keeps || (is_far && plan.subscriptions.contains(grade)) || !is_over(input.gone, kLinger)) {
      ++one;
      continue;
    }
    topic.past.lost += input.subscription->lost();
    dropped.push_back(std::move(input.subscription));
    if (input.successor) {
      dropped.push_back(std::move(input.successor->subscription));
    }
    one = topic.inputs.erase(one);
  }
}

/// Says for each output whose messages count: those of the best subscription, once it is matched with its publishers.
void EndpointReconciler::choose_inputs(Topic & topic) {
  std::set<Grade> all;
  std::set<Grade> ready;
  for (const auto & [grade, input] : topic.inputs) {
    all.insert(grade);
    if (is_ready(input)) {
      ready.insert(grade);
    }
  }
  for (auto & [gid, output] : topic.outputs) {
    if (!output.publisher) {
      continue;
    }
    auto grade = best(ready, grade_of(output.source_qos));
    grade = grade ? grade : best(all, grade_of(output.source_qos));
    if (grade) {
      output.take_from(*grade);
    }
  }
}

}  // namespace tandem::gateway
