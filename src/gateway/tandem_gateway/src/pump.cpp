#include "pump.hpp"

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
/// How long a new outlet waits for its readers, so that they get the first messages too.
constexpr auto kPatience = std::chrono::seconds(3);
/// How long messages of a publisher that no graph tells of are kept.
constexpr auto kStrangersStay = std::chrono::seconds(5);
/// How long a subscription that has just been made may bring what another one has brought before.
constexpr auto kEcho = std::chrono::seconds(5);
/// What an outlet keeps at least, and at most beyond its depth.
constexpr std::size_t kKept = 1000;
constexpr std::size_t kKeptBytes = std::size_t{64} << 20;
/// Messages of this host that are kept stay their publisher's memory, so they are fewer.
constexpr std::size_t kKeepAllQueue = 32;

bool keeps_all(const transport::Qos & qos) {
  return qos.history == History::kKeepAll && qos.reliability == Reliability::kReliable;
}

bool is_full(const Outlet & outlet) { return keeps_all(outlet.qos) && outlet.queue.size() >= kKeepAllQueue; }

}  // namespace

void Outlet::take_from(Grade from) {
  if (grade == from) {
    return;
  }
  if (grade) {
    expect_echo();
  } else {
    std::erase_if(queue, [from](const Item & item) { return item.grade != from; });  // strangers' come from all
  }
  grade = from;
}

void Outlet::expect_echo() {
  carried = last_stamp;
  carried_until = Clock::now() + kEcho;
}

Counts total(const Topic & topic, Direction direction) {
  Counts sum = topic.counts;
  sum.lost += topic.past.lost;
  sum.copied += topic.past.copied;
  for (const auto & [grade, inlet] : topic.inlets) {
    sum.lost += inlet.subscription->lost();
    sum.copied += direction == Direction::kOut ? inlet.subscription->copied() : 0;
  }
  for (const auto & [gid, outlet] : topic.outlets) {
    sum.copied += direction == Direction::kIn && outlet.publisher ? outlet.publisher->copied() : 0;
  }
  return sum;
}

Pump::Pump(Direction direction, std::shared_ptr<transport::WaitSet> wait_set, std::function<void()> stranger)
    : direction_(direction),
      wait_set_(std::move(wait_set)),
      stranger_(std::move(stranger)),
      thread_([this] { run(); }) {}

Pump::~Pump() {
  stopping_ = true;
  wait_set_->wake();
  thread_.join();
}

void Pump::wake() { wait_set_->wake(); }

void Pump::run() {
  while (!stopping_) {
    if (!pass()) {
      wait_set_->wait(is_waiting_ ? std::chrono::nanoseconds(kRetry) : std::chrono::nanoseconds(-1));
    }
  }
}

/// \return whether there may be more to take.
bool Pump::pass() {
  const std::lock_guard lock(mutex_);
  is_waiting_ = false;
  bool more = false;
  for (auto & [name, topic] : topics_) {
    more = serve(topic) || more;
  }
  return more;
}

bool Pump::serve(Topic & topic) {
  topic.is_stalled = false;
  for (auto & [gid, outlet] : topic.outlets) {
    flush(topic, outlet);
    topic.is_stalled = topic.is_stalled || is_full(outlet);
    is_waiting_ = is_waiting_ || !outlet.queue.empty();
  }
  bool more = false;
  for (auto & [grade, inlet] : topic.inlets) {
    more = drain(topic, grade, inlet) || more;
  }
  for (auto & [grade, inlet] : topic.inlets) {
    attach(inlet, !topic.is_stalled);  // what is not taken from must not wake us
  }
  is_waiting_ = is_waiting_ || topic.is_stalled;
  forget_strangers(topic);
  return more && !topic.is_stalled;
}

void Pump::attach(Inlet & inlet, bool wanted) {
  if (inlet.is_attached != wanted) {
    inlet.is_attached = wanted;
    wanted ? wait_set_->attach(inlet.subscription) : wait_set_->detach(inlet.subscription);
  }
}

bool Pump::drain(Topic & topic, Grade grade, Inlet & inlet) {
  for (int i = 0; i < kTurn && !topic.is_stalled; ++i) {
    Item item;
    item.grade = grade;
    try {
      if (!inlet.subscription->has_data() || !take(topic, inlet, item)) {
        return false;
      }
      topic.is_stalled = !route(topic, std::move(item));
    } catch (const std::bad_alloc &) {
      topic.is_stalled = true;
    }
  }
  return true;
}

bool Pump::take(Topic & topic, Inlet & inlet, Item & item) {
  if (direction_ == Direction::kOut) {
    item.sample = inlet.subscription->take();
    item.info = item.sample.info;
    return static_cast<bool>(item.sample);
  }
  if (!topic.spare) {
    topic.spare = make_message(*topic.type);
  }
  if (!inlet.subscription->take_into(topic.spare.get(), item.info)) {
    return false;
  }
  item.own = std::move(topic.spare);
  return true;
}

/// \return false when its outlet wants no more now.
bool Pump::route(Topic & topic, Item item) {
  const auto [found, is_stranger] = topic.outlets.try_emplace(item.info.publisher);
  Outlet & outlet = found->second;
  if (is_stranger) {
    stranger_();
  }
  const std::int64_t stamp = item.info.source_timestamp;
  if (outlet.publisher) {
    const bool was_carried = stamp <= outlet.carried && Clock::now() < outlet.carried_until;
    if (outlet.grade != item.grade || was_carried) {
      return true;  // another subscription brings it, or has brought it
    }
  }
  outlet.last_stamp = std::max(outlet.last_stamp, stamp);
  item.size = serialized_size(*topic.type, item.message());
  enqueue(topic, outlet, std::move(item));
  flush(topic, outlet);
  is_waiting_ = is_waiting_ || !outlet.queue.empty();
  return !is_full(outlet);
}

void Pump::enqueue(Topic & topic, Outlet & outlet, Item item) {
  outlet.queued_bytes += item.size;
  outlet.queue.push_back(std::move(item));
  const auto is_too_much = [&outlet] {
    return outlet.queue.size() > outlet.qos.depth && (outlet.queue.size() > kKept || outlet.queued_bytes > kKeptBytes);
  };
  while (!keeps_all(outlet.qos) && is_too_much()) {
    outlet.queued_bytes -= outlet.queue.front().size;
    outlet.queue.pop_front();
    ++topic.counts.lost;
  }
}

void Pump::flush(Topic & topic, Outlet & outlet) {
  if (outlet.queue.empty() || !outlet.publisher) {
    return;
  }
  if (!outlet.is_open) {
    const auto now = Clock::now();
    const bool has_readers = outlet.readers > 0 && outlet.publisher->subscription_count() >= outlet.readers;
    const bool keeps_history = outlet.readers == 0 && outlet.qos.durability == Durability::kTransientLocal;
    outlet.is_open = now >= outlet.not_before && (has_readers || keeps_history || now - outlet.made > kPatience);
  }
  while (outlet.is_open && !outlet.queue.empty() && publish(topic, outlet, outlet.queue.front())) {
    outlet.queued_bytes -= outlet.queue.front().size;
    outlet.queue.pop_front();
  }
}

/// \return false when it is to be tried again.
bool Pump::publish(Topic & topic, Outlet & outlet, Item & item) {
  PublishResult result = PublishResult::kOk;
  if (item.own) {
    result = outlet.publisher->publish(item.own);
    if (item.own && !topic.spare && result == PublishResult::kOk) {
      topic.spare = std::move(item.own);
    }
  } else {
    result = outlet.publisher->publish(item.sample.message);
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

void Pump::forget_strangers(Topic & topic) {
  for (auto one = topic.outlets.begin(); one != topic.outlets.end();) {
    const Outlet & outlet = one->second;
    if (!outlet.publisher && Clock::now() - outlet.made > kStrangersStay) {
      topic.counts.lost += outlet.queue.size();
      one = topic.outlets.erase(one);
    } else {
      ++one;
    }
  }
}

}  // namespace tandem::gateway
