#include "forwarder.hpp"

#include <new>

#include "tandem/cdr.hpp"

namespace tandem::gateway {
namespace {

using transport::Durability;
using transport::History;
using transport::PublishResult;
using transport::Reliability;

constexpr int kTurn = 32;  ///< messages of one subscription before others have their turn
constexpr auto kRetry = std::chrono::milliseconds(1);
/// How long a new output waits for its readers, so that they get the first messages too.
constexpr auto kReaderTimeout = std::chrono::seconds(3);
/// How long messages of a publisher that no graph tells of are kept.
constexpr auto kUnknownPublisherTimeout = std::chrono::seconds(5);
/// How long a subscription that has just been made may bring what another one has brought before.
constexpr auto kDuplicatePeriod = std::chrono::seconds(5);
/// What an output keeps at least, and at most beyond its depth.
constexpr std::size_t kKept = 1000;
constexpr std::size_t kKeptBytes = std::size_t{64} << 20;
/// Messages of this host that are kept stay their publisher's memory, so they are fewer.
constexpr std::size_t kKeepAllQueue = 32;

bool keeps_all(const transport::Qos & qos) {
  return qos.history == History::kKeepAll && qos.reliability == Reliability::kReliable;
}

bool is_full(const Output & output) { return keeps_all(output.qos) && output.queue.size() >= kKeepAllQueue; }

}  // namespace

void Output::take_from(Grade from) {
  if (grade == from) {
    return;
  }
  if (grade) {
    expect_duplicates();
  } else {
    std::erase_if(queue,
                  [from](const Item & item) { return item.grade != from; });  // unknown publishers' come from all
  }
  grade = from;
}

void Output::expect_duplicates() {
  carried = last_stamp;
  carried_until = Clock::now() + kDuplicatePeriod;
}

Counts total(const Topic & topic, Direction direction) {
  Counts sum = topic.counts;
  sum.lost += topic.past.lost;
  sum.copied += topic.past.copied;
  for (const auto & [grade, input] : topic.inputs) {
    sum.lost += input.subscription->lost();
    sum.copied += direction == Direction::kOut ? input.subscription->copied() : 0;
  }
  for (const auto & [gid, output] : topic.outputs) {
    sum.copied += direction == Direction::kIn && output.publisher ? output.publisher->copied() : 0;
  }
  return sum;
}

Forwarder::Forwarder(Direction direction, std::shared_ptr<transport::WaitSet> wait_set,
                     std::function<void()> on_unknown_publisher)
    : direction_(direction),
      wait_set_(std::move(wait_set)),
      on_unknown_publisher_(std::move(on_unknown_publisher)),
      thread_([this] { run(); }) {}

Forwarder::~Forwarder() {
  stopping_ = true;
  wait_set_->wake();
  thread_.join();
}

void Forwarder::wake() { wait_set_->wake(); }

void Forwarder::run() {
  while (!stopping_) {
    if (!pass()) {
      wait_set_->wait(is_waiting_ ? std::chrono::nanoseconds(kRetry) : std::chrono::nanoseconds(-1));
    }
  }
}

/// \return whether there may be more to take.
bool Forwarder::pass() {
  const std::lock_guard lock(mutex_);
  is_waiting_ = false;
  bool more = false;
  for (auto & [name, topic] : topics_) {
    more = serve(topic) || more;
  }
  return more;
}

bool Forwarder::serve(Topic & topic) {
  topic.is_stalled = false;
  for (auto & [gid, output] : topic.outputs) {
    flush(topic, output);
    topic.is_stalled = topic.is_stalled || is_full(output);
    is_waiting_ = is_waiting_ || !output.queue.empty();
  }
  bool more = false;
  for (auto & [grade, input] : topic.inputs) {
    more = drain(topic, grade, input) || more;
  }
  for (auto & [grade, input] : topic.inputs) {
    attach(input, !topic.is_stalled);  // what is not taken from must not wake us
  }
  is_waiting_ = is_waiting_ || topic.is_stalled;
  drop_unknown_publishers(topic);
  return more && !topic.is_stalled;
}

void Forwarder::attach(Input & input, bool wanted) {
  if (input.is_attached != wanted) {
    input.is_attached = wanted;
    wanted ? wait_set_->attach(input.subscription) : wait_set_->detach(input.subscription);
  }
}

bool Forwarder::drain(Topic & topic, Grade grade, Input & input) {
  for (int i = 0; i < kTurn && !topic.is_stalled; ++i) {
    Item item;
    item.grade = grade;
    try {
      if (!input.subscription->has_data() || !take(topic, input, item)) {
        return false;
      }
      topic.is_stalled = !route(topic, std::move(item));
    } catch (const std::bad_alloc &) {
      topic.is_stalled = true;
    }
  }
  return true;
}

bool Forwarder::take(Topic & topic, Input & input, Item & item) {
  if (direction_ == Direction::kOut) {
    item.sample = input.subscription->take();
    item.info = item.sample.info;
    return static_cast<bool>(item.sample);
  }
  if (!topic.spare) {
    topic.spare = make_message(*topic.type);
  }
  if (!input.subscription->take_into(topic.spare.get(), item.info)) {
    return false;
  }
  item.own = std::move(topic.spare);
  return true;
}

/// \return false when its output wants no more now.
bool Forwarder::route(Topic & topic, Item item) {
  const auto [found, is_unknown] = topic.outputs.try_emplace(item.info.publisher);
  Output & output = found->second;
  if (is_unknown) {
    on_unknown_publisher_();
  }
  const std::int64_t stamp = item.info.source_timestamp;
  if (output.publisher) {
    const bool was_carried = stamp <= output.carried && Clock::now() < output.carried_until;
    if (output.grade != item.grade || was_carried) {
      return true;  // another subscription brings it, or has brought it
    }
  }
  output.last_stamp = std::max(output.last_stamp, stamp);
  item.size = serialized_size(*topic.type, item.message());
  enqueue(topic, output, std::move(item));
  flush(topic, output);
  is_waiting_ = is_waiting_ || !output.queue.empty();
  return !is_full(output);
}

void Forwarder::enqueue(Topic & topic, Output & output, Item item) {
  output.queued_bytes += item.size;
  output.queue.push_back(std::move(item));
  const auto is_too_much = [&output] {
    return output.queue.size() > output.qos.depth && (output.queue.size() > kKept || output.queued_bytes > kKeptBytes);
  };
  while (!keeps_all(output.qos) && is_too_much()) {
    output.queued_bytes -= output.queue.front().size;
    output.queue.pop_front();
    ++topic.counts.lost;
  }
}

void Forwarder::flush(Topic & topic, Output & output) {
  if (output.queue.empty() || !output.publisher) {
    return;
  }
  if (!output.is_open) {
    const auto now = Clock::now();
    const bool has_readers = output.readers > 0 && output.publisher->subscription_count() >= output.readers;
    const bool keeps_history = output.readers == 0 && output.qos.durability == Durability::kTransientLocal;
    output.is_open = now >= output.not_before && (has_readers || keeps_history || now - output.made > kReaderTimeout);
  }
  while (output.is_open && !output.queue.empty() && publish(topic, output, output.queue.front())) {
    output.queued_bytes -= output.queue.front().size;
    output.queue.pop_front();
  }
}

/// \return false when it is to be tried again.
bool Forwarder::publish(Topic & topic, Output & output, Item & item) {
  PublishResult result = PublishResult::kOk;
  if (item.own) {
    result = output.publisher->publish(item.own);
    if (item.own && !topic.spare && result == PublishResult::kOk) {
      topic.spare = std::move(item.own);
    }
  } else {
    result = output.publisher->publish(item.sample.message);
  }
  if (result == PublishResult::kTimeout) {
    return false;
  }
  if (result == PublishResult::kOk) {
    ++topic.counts.messages;
    topic.counts.bytes += item.size;
  } else {
    ++topic.counts.lost;
  }
  return true;
}

void Forwarder::drop_unknown_publishers(Topic & topic) {
  for (auto one = topic.outputs.begin(); one != topic.outputs.end();) {
    const Output & output = one->second;
    if (!output.publisher && Clock::now() - output.made > kUnknownPublisherTimeout) {
      topic.counts.lost += output.queue.size();
      one = topic.outputs.erase(one);
    } else {
      ++one;
    }
  }
}

}  // namespace tandem::gateway
