// Choosing, running and waiting.
#include "executor_core.hpp"

#include <algorithm>
#include <limits>

#include "rclcpp/exceptions.hpp"

namespace rclcpp::detail {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::int64_t steady_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kNever : sum;
}

}  // namespace

void Executable::clear() {
  timer.reset();
  subscription.reset();
  sample = {};
  group.reset();
  garbage.clear();
}

std::uint64_t ExecutorCore::begin_round() {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  return ++last_round_;
}

bool ExecutorCore::next(Executable & out, std::uint64_t round) {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  if (wakeup_->take_entities_changed()) collect(out.garbage);
  // In turns, so that neither a short timer nor a flood of messages starves the other.
  if (timer_was_last_) {
    if (next_subscription(out, round)) return timer_was_last_ = false, true;
    return next_timer(out, round);
  }
  if (next_timer(out, round)) return timer_was_last_ = true;
  return next_subscription(out, round);
}

bool ExecutorCore::next_timer(Executable & out, std::uint64_t round) {
  if (timers_.empty()) return false;
  if (wakeup_->take_timers_changed()) earliest_ = 0;
  const std::int64_t now = steady_now();
  if (now < earliest_) return false;

  TimerEntry * chosen = nullptr;
  TimerBase::SharedPtr chosen_timer;
  std::chrono::nanoseconds most_due{1};
  for (auto & entry : timers_) {
    auto timer = entry.member.lock();
    if (!timer) continue;
    const auto due = timer->time_until_trigger();
    if (due < most_due && is_free(entry.group) && (round == 0 || entry.round != round)) {
      most_due = due;
      chosen = &entry;
      chosen_timer = timer;
    }
    out.garbage.push_back(std::move(timer));
  }
  const bool found = chosen && chosen_timer->call();
  if (found) {
    chosen->round = round;
    hold(out, chosen->group);
    out.timer = std::move(chosen_timer);
  }
  earliest_ = earliest_timer(out.garbage);
  return found;
}

/// Of timers whose group is free; sets blocked_ when another one was left out.
std::int64_t ExecutorCore::earliest_timer(std::vector<std::shared_ptr<void>> & garbage) {
  const std::int64_t now = steady_now();
  std::int64_t earliest = kNever;
  for (auto & entry : timers_) {
    auto timer = entry.member.lock();
    if (!timer) continue;
    if (is_free(entry.group)) {
      earliest = std::min(earliest, saturating_add(now, timer->time_until_trigger().count()));
    } else {
      blocked_ = true;
    }
    garbage.push_back(std::move(timer));
  }
  return earliest;
}

bool ExecutorCore::next_subscription(Executable & out, std::uint64_t round) {
  const std::size_t count = subscriptions_.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (cursor_ >= count) cursor_ = 0;
    auto & entry = subscriptions_[cursor_++];
    if (!is_free(entry.group) || (round != 0 && entry.round == round)) continue;
    const auto transport = entry.transport.lock();
    if (!transport || !transport->has_data()) continue;
    auto subscription = entry.member.lock();
    if (!subscription) continue;
    if (!subscription->take_sample(out.sample)) {
      out.garbage.push_back(std::move(subscription));
      continue;
    }
    entry.round = round;
    hold(out, entry.group);
    out.subscription = std::move(subscription);
    return true;
  }
  return false;
}

void ExecutorCore::hold(Executable & out, const std::shared_ptr<CallbackGroup> & group) {
  if (group->type() != CallbackGroupType::MutuallyExclusive) return;
  group->can_be_taken_from().store(false);
  ++busy_groups_;
  out.group = group;
}

void ExecutorCore::release(const std::shared_ptr<CallbackGroup> & group) {
  if (!group) return;
  const std::lock_guard<std::mutex> lock(state_mutex_);
  group->can_be_taken_from().store(true);
  --busy_groups_;
  if (!blocked_) return;
  blocked_ = false;
  attach_pending_ = true;
  wakeup_->timers_changed();
}

void ExecutorCore::execute(Executable & executable) {
  executable.garbage.clear();
  struct Finish {
    ExecutorCore & core;
    Executable & executable;
    ~Finish() {
      executable.sample = {};
      core.release(executable.group);
      executable.clear();
    }
  } finish{*this, executable};
  if (executable.timer) {
    executable.timer->execute_callback();
  } else {
    executable.subscription->execute(executable.sample);
  }
}

bool ExecutorCore::wait_next(Executable & out, std::chrono::nanoseconds timeout,
                             const std::function<bool()> & keep_waiting) {
  const std::int64_t end = timeout.count() < 0 ? kNever : saturating_add(steady_now(), timeout.count());
  const std::lock_guard<std::mutex> wait_lock(wait_mutex_);
  while (keep_waiting()) {
    if (next(out)) return true;
    out.garbage.clear();
    std::int64_t until = end;
    if (!wait_set_) {  // set by the holder of wait_mutex_ only
      if (!make_wait_set()) return false;
      continue;  // who wanted to wake us before left only a flag: look again
    }
    {
      const std::lock_guard<std::mutex> lock(state_mutex_);
      prepare_wait(out.garbage);
      if (!timers_.empty()) until = std::min(until, earliest_);
    }
    out.garbage.clear();
    if (!keep_waiting()) return false;
    const std::int64_t now = steady_now();
    if (now >= end) return false;
    const std::int64_t rest = until == kNever ? -1 : std::max<std::int64_t>(0, until - now);
    wait_set_->wait(std::chrono::nanoseconds(rest));
  }
  return false;
}

/// \return false when the context has ended.
bool ExecutorCore::make_wait_set() {
  std::shared_ptr<tandem::transport::WaitSet> wait_set;
  try {
    wait_set = context_->transport()->create_wait_set();  // takes the context's lock, so none of ours that callers need
  } catch (const tandem::transport::Error & error) {
    throw exceptions::RCLError(RCL_RET_ERROR, error.what());
  } catch (const exceptions::RCLError &) {
    if (!context_->is_valid()) return false;
    throw;
  }
  wakeup_->set_wait_set(wait_set);
  const std::lock_guard<std::mutex> lock(state_mutex_);
  wait_set_ = std::move(wait_set);
  attach_pending_ = true;
  return true;
}

void ExecutorCore::prepare_wait(std::vector<std::shared_ptr<void>> & garbage) {
  if (attach_pending_ || busy_groups_ != 0) attach_ready_groups();
  if (busy_groups_ != 0 && !timers_.empty()) earliest_ = earliest_timer(garbage);
}

void ExecutorCore::attach_ready_groups() {
  attach_pending_ = false;
  for (auto & entry : subscriptions_) {
    const bool free = is_free(entry.group);
    if (!free) blocked_ = true;
    if (free == entry.attached) continue;
    const auto transport = entry.transport.lock();
    if (!transport) continue;
    if (free) {
      wait_set_->attach(transport);
    } else {
      wait_set_->detach(transport);
    }
    entry.attached = free;
  }
}

}  // namespace rclcpp::detail
