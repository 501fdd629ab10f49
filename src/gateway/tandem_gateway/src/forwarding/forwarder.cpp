#include "forwarding/forwarder.hpp"

#include <new>

#include "planning/grade.hpp"
#include "tandem/cdr.hpp"

namespace tandem::gateway {
namespace {

using transport::Durability;
using transport::PublishResult;

/// Messages of one subscription before others have their turn.
constexpr int kMessagesPerTurn = 32;
constexpr std::size_t kBytesPerTurn = std::size_t{1} << 20;
constexpr auto kRetryPeriod = std::chrono::milliseconds(1);
/// How long a new proxy waits for its readers, so that they get the first messages too.
constexpr auto kReaderTimeout = std::chrono::seconds(3);
/// How long messages are queued for a publisher that no graph shows.
constexpr auto kUnknownPublisherTimeout = std::chrono::seconds(5);
/// The queue of a proxy that keeps all. It is short because queued messages of this host occupy their publisher's
/// memory.
constexpr std::size_t kMaxQueuedKeepAll = 32;

bool is_full(const Proxy & proxy) { return keeps_all(proxy.qos) && proxy.queue.size() >= kMaxQueuedKeepAll; }

/// Whether a new proxy may publish: its readers have matched, it has none but keeps history for them, or it has waited
/// long enough.
bool may_open(const Proxy & proxy) {
  const auto now = Clock::now();
  const bool has_readers =
      proxy.expected_readers > 0 && proxy.publisher->subscription_count() >= proxy.expected_readers;
  const bool keeps_history = proxy.expected_readers == 0 && proxy.qos.durability == Durability::kTransientLocal;
  return now >= proxy.not_open_before && (has_readers || keeps_history || now - proxy.created > kReaderTimeout);
}

}  // namespace

Forwarder::Forwarder(Direction direction, std::shared_ptr<transport::WaitSet> wait_set,
                     std::function<void()> on_unknown_source)
    : direction_(direction),
      wait_set_(std::move(wait_set)),
      on_unknown_source_(std::move(on_unknown_source)),
      thread_([this] { run(); }) {}

Forwarder::~Forwarder() {
  stopping_ = true;
  wait_set_->wake();
  thread_.join();
}

void Forwarder::wake() { wait_set_->wake(); }

void Forwarder::run() {
  while (!stopping_) {
    if (!forward_all()) {
      wait_set_->wait(must_retry_ ? std::chrono::nanoseconds(kRetryPeriod) : std::chrono::nanoseconds(-1));
    }
  }
}

/// \return whether more messages may be waiting.
bool Forwarder::forward_all() {
  std::unique_lock lock(mutex_);
  must_retry_ = false;
  bool more = false;
  for (auto at = topics_.begin(); at != topics_.end();) {
    more = forward(at->second) || more;
    if (!mutex_.is_wanted()) {
      ++at;
      continue;
    }
    const std::string name = at->first;  // others may remove the topic
    lock.unlock();
    lock.lock();
    at = topics_.upper_bound(name);
  }
  for (auto & [name, service] : services_) {
    const ServiceChannel::Progress progress = service.forward(*wait_set_);
    more = more || progress.has_more;
    must_retry_ = must_retry_ || progress.must_retry;
    if (progress.needs_client) {
      on_unknown_source_();
    }
  }
  return more;
}

bool Forwarder::forward(Topic & topic) {
  topic.is_stalled = false;
  for (auto & [gid, proxy] : topic.proxies) {
    flush(topic, proxy);
    topic.is_stalled = topic.is_stalled || is_full(proxy);
    must_retry_ = must_retry_ || !proxy.queue.empty();
  }
  bool more = false;
  for (auto & [grade, subscription] : topic.subscriptions) {
    for (GatewaySubscription * one = &subscription; one != nullptr; one = one->successor.get()) {
      more = drain(topic, grade, *one) || more;
    }
  }
  for (auto & [grade, subscription] : topic.subscriptions) {
    for (GatewaySubscription * one = &subscription; one != nullptr; one = one->successor.get()) {
      attach(*one, !topic.is_stalled);  // a subscription that is not taken from must not end the wait
    }
  }
  must_retry_ = must_retry_ || topic.is_stalled;
  remove_unknown_publishers(topic);
  return more && !topic.is_stalled;
}

void Forwarder::attach(GatewaySubscription & subscription, bool wanted) {
  if (subscription.is_attached != wanted) {
    subscription.is_attached = wanted;
    wanted ? wait_set_->attach(subscription.endpoint) : wait_set_->detach(subscription.endpoint);
  }
}

bool Forwarder::drain(Topic & topic, Grade grade, GatewaySubscription & subscription) {
  std::size_t bytes = 0;
  for (int i = 0; i < kMessagesPerTurn && bytes < kBytesPerTurn && !topic.is_stalled; ++i) {
    QueuedMessage message;
    message.grade = grade;
    message.subscription = subscription.number;
    try {
      if (!subscription.endpoint->has_data() ||
          !take(*subscription.endpoint, direction_, *topic.type, topic.spare, message)) {
        return false;
      }
      topic.is_stalled = !route(topic, std::move(message), bytes);
    } catch (const std::bad_alloc &) {
      topic.is_stalled = true;
    }
  }
  return true;
}

/// Hands the message to its proxy, and adds up the bytes. \return false when that proxy is full.
bool Forwarder::route(Topic & topic, QueuedMessage message, std::size_t & bytes) {
  const auto [found, is_unknown] = topic.proxies.try_emplace(message.info.publisher);
  Proxy & proxy = found->second;
  if (is_unknown) {
    on_unknown_source_();
  }
  const bool is_chosen = proxy.carrier == 0 || message.subscription == proxy.carrier;
  if ((!is_chosen && message.subscription != proxy.successor) || message.number() <= proxy.last) {
    return true;  // another subscription brings it, or has brought it
  }
  message.size = serialized_size(*topic.type, message.data());
  bytes += message.size;
  if (!is_chosen) {
    proxy.ahead.push(std::move(message));
    proxy.ahead.trim(proxy.qos.depth);
    return true;
  }
  if (proxy.carrier != 0) {
    proxy.note_carried(message.number());
  }
  enqueue(topic, proxy, std::move(message));
  flush(topic, proxy);
  must_retry_ = must_retry_ || !proxy.queue.empty();
  return !is_full(proxy);
}

void Forwarder::enqueue(Topic & topic, Proxy & proxy, QueuedMessage message) {
  proxy.queue.push(std::move(message));
  if (!keeps_all(proxy.qos)) {
    topic.counts.lost += proxy.queue.trim(proxy.qos.depth);
  }
}

void Forwarder::flush(Topic & topic, Proxy & proxy) {
  if (proxy.queue.empty() || !proxy.publisher || proxy.carrier == 0) {
    return;
  }
  proxy.is_open = proxy.is_open || may_open(proxy);
  const auto publish = [&proxy](auto & message) { return proxy.publisher->publish(message); };
  while (proxy.is_open && !proxy.queue.empty()) {
    if (proxy.source_timestamp) {
      *proxy.source_timestamp = proxy.queue.front().info.source_timestamp;
    }
    if (publish_with(publish, proxy.queue.front(), topic.spare, topic.counts) == PublishResult::kTimeout) {
      return;
    }
    proxy.queue.pop();
  }
}

/// Gives up messages whose publisher no graph has shown.
void Forwarder::remove_unknown_publishers(Topic & topic) {
  for (auto it = topic.proxies.begin(); it != topic.proxies.end();) {
    const Proxy & proxy = it->second;
    if (!proxy.publisher && Clock::now() - proxy.created > kUnknownPublisherTimeout) {
      topic.counts.lost += proxy.queue.size();
      it = topic.proxies.erase(it);
    } else {
      ++it;
    }
  }
}

}  // namespace tandem::gateway
