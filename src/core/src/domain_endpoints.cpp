// Endpoints of this process: created, announced, closed.
#include "domain.hpp"
#include "matching.hpp"
#include "process.hpp"

namespace tandem {
namespace {

auto failure(CreateError code, std::string message) {
  return tl::make_unexpected(Failure<CreateError>{code, std::move(message)});
}

/// The directory or the heap is full.
auto no_room(const Process & process, const std::string & topic, std::size_t size) {
  if (process.directory().is_full()) {
    return failure(CreateError::kTooMany, "topic '" + topic + "': this process has " +
                                              std::to_string(kDirectoryEntries) +
                                              " endpoints, nodes and matches, the most there can be. Use fewer, or "
                                              "more processes");
  }
  return failure(CreateError::kNoMemory, "topic '" + topic + "': " + process.heap().shortage(size));
}

auto forked() {
  return failure(CreateError::kClosed, "this process was forked after it had joined: it must join anew");
}

}  // namespace

std::optional<Failure<CreateError>> Domain::objection(const std::string & topic, const TypeIdentity & type,
                                                      const NodeName & node, const Qos & qos) const {
  if (topic.empty() || topic.size() > kMaxNameLength) {
    return Failure<CreateError>{CreateError::kBadName, "a topic's name has 1 to " + std::to_string(kMaxNameLength) +
                                                           " characters, not " + std::to_string(topic.size())};
  }
  if (type.name.size() > kMaxNameLength || node.name.size() + node.name_space.size() > kMaxNameLength) {
    return Failure<CreateError>{CreateError::kBadName,
                                "topic '" + topic + "': the name of its type or node is too long"};
  }
  if (qos.history == History::kKeepLast && (qos.depth == 0 || qos.depth > kMaxDepth)) {
    return Failure<CreateError>{CreateError::kBadQos,
                                "topic '" + topic + "': a history depth of " + std::to_string(qos.depth) +
                                    " is not possible, it must be 1 to " + std::to_string(kMaxDepth)};
  }
  return std::nullopt;
}

Result<std::shared_ptr<PublisherBody>, CreateError> Domain::create_publisher(const PublisherOptions & options) {
  if (process_.is_forked_away()) {
    return forked();
  }
  if (auto wrong = objection(options.topic, options.type, options.node, options.qos)) {
    return tl::make_unexpected(*wrong);
  }
  std::scoped_lock lock(process_.mutex());
  const EndpointId id{process_.incarnation(), process_.directory().next_number()};
  auto body = PublisherBody::create(process_, options, id);
  if (!body) {
    return no_room(process_, options.topic, PublisherBody::record_size(options.qos));
  }
  const std::string text = describe(body->info());
  const auto index = process_.directory().add({EntryKind::kPublisher, tag_, id.number, text, body->record_offset()});
  if (!index) {
    return no_room(process_, options.topic, text.size());
  }
  publishers_.emplace(id.number, OwnPublisher{body, *index});
  match_and_announce();
  return body;
}

Result<std::shared_ptr<SubscriptionBody>, CreateError> Domain::create_subscription(
    const SubscriptionOptions & options) {
  if (process_.is_forked_away()) {
    return forked();
  }
  if (auto wrong = objection(options.topic, options.type, options.node, options.qos)) {
    return tl::make_unexpected(*wrong);
  }
  std::scoped_lock lock(process_.mutex());
  const EndpointId id{process_.incarnation(), process_.directory().next_number()};
  auto body = std::make_shared<SubscriptionBody>(process_, options, id);
  const std::string text = describe(body->info());
  const auto index = process_.directory().add({EntryKind::kSubscription, tag_, id.number, text, 0});
  if (!index) {
    return no_room(process_, options.topic, text.size());
  }
  subscriptions_.emplace(id.number, OwnSubscription{body, *index});
  match_and_announce();
  return body;
}

Result<std::shared_ptr<WaitSetBody>, CreateError> Domain::create_wait_set() {
  if (process_.is_forked_away()) {
    return forked();
  }
  std::scoped_lock lock(process_.mutex());
  const auto bell = process_.claim_bell();
  if (!bell) {
    return failure(CreateError::kTooMany, "this process has " + std::to_string(kBells - kFirstWaitSetBell) +
                                              " wait-sets, the most there can be. Attach several subscriptions to one");
  }
  return std::make_shared<WaitSetBody>(process_, *bell);
}

Result<std::uint64_t, CreateError> Domain::add_node(const NodeName & node) {
  if (process_.is_forked_away()) {
    return forked();
  }
  if (node.name.size() + node.name_space.size() > kMaxNameLength) {
    return failure(CreateError::kBadName, "the name of node '" + node.name + "' is too long");
  }
  std::scoped_lock lock(process_.mutex());
  const std::uint64_t number = process_.directory().next_number();
  const std::string text = describe(node);
  const auto index = process_.directory().add({EntryKind::kNode, tag_, number, text, 0});
  if (!index) {
    return no_room(process_, "of node " + node.name, text.size());
  }
  nodes_.emplace(number, *index);
  announce();
  return number;
}

void Domain::remove_node(std::uint64_t number) {
  if (process_.is_forked_away()) {
    return;
  }
  std::scoped_lock lock(process_.mutex());
  if (const auto node = nodes_.find(number); node != nodes_.end()) {
    process_.directory().remove(node->second);
    nodes_.erase(node);
    announce();
  }
}

void Domain::close_publisher(const std::shared_ptr<PublisherBody> & publisher) {
  if (process_.is_forked_away()) {
    return;
  }
  std::scoped_lock lock(process_.mutex());
  publisher->close();
  if (const auto own = publishers_.find(publisher->info().id.number); own != publishers_.end()) {
    process_.directory().close(own->second.index);
  }
  match_and_announce();
}

void Domain::close_subscription(const std::shared_ptr<SubscriptionBody> & subscription) {
  if (process_.is_forked_away()) {
    return;
  }
  std::scoped_lock lock(process_.mutex());
  auto lanes = subscription->remove_lanes([](const Lane &) { return true; });
  std::move(lanes.begin(), lanes.end(), std::back_inserter(remnants_));
  if (const auto own = subscriptions_.find(subscription->info().id.number); own != subscriptions_.end()) {
    process_.directory().remove(own->second.index);
    subscriptions_.erase(own);
  }
  match_and_announce();
}

void Domain::close_wait_set(const std::shared_ptr<WaitSetBody> & wait_set) {
  if (process_.is_forked_away()) {
    return;
  }
  wait_set->close();
  std::scoped_lock lock(process_.mutex());
  process_.return_bell(wait_set->bell());
}

/// After a change of our own endpoints.
void Domain::match_and_announce() {
  dirty_ = true;
  settle_own();
  announce();
}

/// Whether every match that is due has come about, on both sides.
bool Domain::is_settled() {
  if (process_.is_forked_away()) {
    return true;
  }
  std::scoped_lock lock(process_.mutex());
  settle_own();
  for (auto & [number, own] : subscriptions_) {
    if (!own.body->all_acknowledged()) {
      return false;
    }
  }
  for (auto & [number, own] : publishers_) {
    for (auto & [incarnation, neighbour] : neighbours_) {
      const auto [begin, end] = neighbour.subscriptions_to.equal_range(own.body->info().topic);
      for (auto it = begin; it != end; ++it) {
        const EndpointInfo & subscription = it->second->info;
        if (!own.body->is_closed() && mismatch(own.body->info(), subscription).empty() &&
            !own.body->has_subscription(incarnation, subscription.id.number)) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace tandem
