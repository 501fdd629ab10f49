// Endpoints of this process: created, announced, closed.
#include <optional>

#include "meeting/domain.hpp"
#include "process/process.hpp"

namespace tandem {
namespace {

auto failure(CreateError code, std::string message) {
  return tl::make_unexpected(Failure<CreateError>{code, std::move(message)});
}

/// The directory or the heap is full.
auto no_room(const Process & process, const std::string & topic, std::size_t size) TANDEM_REQUIRES(process_mutex) {
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

/// What is wrong with the options of an endpoint.
template <class Options>
std::optional<Failure<CreateError>> objection(const Options & options) {
  const auto & [name_space, node] = options.node;
  const std::string & topic = options.topic;
  const Qos & qos = options.qos;
  if (topic.empty() || topic.size() > kMaxNameLength) {
    return Failure<CreateError>{CreateError::kBadName, "a topic's name has 1 to " + std::to_string(kMaxNameLength) +
                                                           " characters, not " + std::to_string(topic.size())};
  }
  if (options.type.name.size() > kMaxNameLength || node.size() + name_space.size() > kMaxNameLength) {
    return Failure<CreateError>{CreateError::kBadName,
                                "topic '" + topic + "': the name of its type or node is too long"};
  }
  if (options.user_data.size() > kMaxUserData) {
    return Failure<CreateError>{CreateError::kBadName,
                                "topic '" + topic + "': user data of " + std::to_string(options.user_data.size()) +
                                    " bytes, of which " + std::to_string(kMaxUserData) + " are possible"};
  }
  if (qos.history == History::kKeepLast && (qos.depth == 0 || qos.depth > kMaxDepth)) {
    return Failure<CreateError>{CreateError::kBadQos,
                                "topic '" + topic + "': a history depth of " + std::to_string(qos.depth) +
                                    " is not possible, it must be 1 to " + std::to_string(kMaxDepth)};
  }
  if (qos.deadline.count() <= 0 || qos.lifespan.count() <= 0 || qos.lease.count() <= 0) {
    return Failure<CreateError>{CreateError::kBadQos,
                                "topic '" + topic + "': a deadline, a lifespan and a lease must be greater than 0"};
  }
  return std::nullopt;
}

}  // namespace

Result<std::shared_ptr<PublisherImpl>, CreateError> Domain::create_publisher(const PublisherOptions & options) {
  if (process_.is_forked_away()) {
    return forked();
  }
  if (auto wrong = objection(options)) {
    return tl::make_unexpected(*wrong);
  }
  if (options.max_samples == 0 || options.max_samples > kKeepAllDepth) {
    return failure(CreateError::kBadQos, "topic '" + options.topic + "': max_samples of " +
                                             std::to_string(options.max_samples) +
                                             " is not possible, it must be 1 to " + std::to_string(kKeepAllDepth));
  }
  const ProcessLock lock(process_.mutex());
  const EndpointId id{process_.incarnation(), process_.directory().next_number()};
  auto impl = PublisherImpl::create(process_, options, id);
  if (!impl) {
    return no_room(process_, options.topic, PublisherImpl::record_size(options.qos));
  }
  if (!endpoints_.add(impl)) {
    return no_room(process_, options.topic, describe(impl->info()).size());
  }
  announce_change();
  return impl;
}

Result<std::shared_ptr<SubscriptionImpl>, CreateError> Domain::create_subscription(
    const SubscriptionOptions & options) {
  if (process_.is_forked_away()) {
    return forked();
  }
  if (auto wrong = objection(options)) {
    return tl::make_unexpected(*wrong);
  }
  const ProcessLock lock(process_.mutex());
  const EndpointId id{process_.incarnation(), process_.directory().next_number()};
  auto impl = std::make_shared<SubscriptionImpl>(process_, options, id);
  if (!endpoints_.add(impl)) {
    return no_room(process_, options.topic, describe(impl->info()).size());
  }
  announce_change();
  return impl;
}

Result<std::shared_ptr<WaitSetImpl>, CreateError> Domain::create_wait_set() {
  if (process_.is_forked_away()) {
    return forked();
  }
  const ProcessLock lock(process_.mutex());
  const auto bell = process_.claim_bell();
  if (!bell) {
    return failure(CreateError::kTooMany, "this process has " + std::to_string(kBells - kFirstWaitSetBell) +
                                              " wait-sets, the most there can be. Attach several subscriptions to one");
  }
  auto impl = std::make_shared<WaitSetImpl>(process_, *bell);
  wait_sets_.push_back(impl);
  return impl;
}

Result<std::uint64_t, CreateError> Domain::add_node(const NodeName & node) {
  if (process_.is_forked_away()) {
    return forked();
  }
  if (node.name.size() + node.name_space.size() > kMaxNameLength) {
    return failure(CreateError::kBadName, "the name of node '" + node.name + "' is too long");
  }
  const ProcessLock lock(process_.mutex());
  const std::uint64_t number = process_.directory().next_number();
  const std::string text = describe(node);
  const auto index = process_.directory().add({EntryKind::kNode, presence_.tag(), number, text, 0});
  if (!index) {
    return no_room(process_, "of node " + node.name, text.size());
  }
  nodes_.emplace(number, *index);
  announce_change();
  return number;
}

void Domain::remove_node(std::uint64_t number) {
  if (process_.is_forked_away()) {
    return;
  }
  const ProcessLock lock(process_.mutex());
  if (const auto node = nodes_.find(number); node != nodes_.end()) {
    process_.directory().remove(node->second);
    nodes_.erase(node);
    announce_change();
  }
}

void Domain::close_publisher(const std::shared_ptr<PublisherImpl> & publisher) {
  if (process_.is_forked_away()) {
    return;
  }
  const ProcessLock lock(process_.mutex());
  endpoints_.close(*publisher);
  announce_change();
}

void Domain::close_subscription(const std::shared_ptr<SubscriptionImpl> & subscription) {
  if (process_.is_forked_away()) {
    return;
  }
  const ProcessLock lock(process_.mutex());
  endpoints_.close(*subscription);
  announce_change();
}

void Domain::close_wait_set(const std::shared_ptr<WaitSetImpl> & wait_set) {
  if (process_.is_forked_away()) {
    return;
  }
  wait_set->close();
  const ProcessLock lock(process_.mutex());
  std::erase_if(wait_sets_, [&](const auto & one) { return one.expired() || one.lock() == wait_set; });
  process_.return_bell(wait_set->bell());
}

}  // namespace tandem
