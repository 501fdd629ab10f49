// Choosing, running and waiting. Which nodes and groups an executor serves: executor_entities.cpp; waitables:
// executor_waitables.cpp.
#include "executors/executor_core.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "rclcpp/exceptions.hpp"
#include "transport/transport_error.hpp"

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
  waitable.reset();
  data.reset();
  receiver.reset();
  sample = {};
  group.reset();
  garbage.clear();
}

std::uint64_t ExecutorCore::begin_round() {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  return ++last_round_;
}

bool ExecutorCore::next(Executable & out, std::uint64_t round) {
  const bool is_found = look(out, round);
  if (!is_found) out.garbage.clear();  // now: the thread may go to sleep
  return is_found;
}

bool ExecutorCore::look(Executable & out, std::uint64_t round) {
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    if (wakeup_->take_entities_changed()) collect(out.garbage);
    if (waitables_.empty()) {
      waitables_due_ = kNever;
      return next_of_any(out, round);
    }
  }
  const std::lock_guard<std::mutex> waitables_lock(waitables_mutex_);
  ask_waitables(out.garbage);
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    if (!next_of_any(out, round)) return false;
  }
  if (!out.waitable) return true;
  try {
    out.data = out.waitable->take_data();
  } catch (...) {
    release(out.group);
    throw;
  }
  return true;
}

/// The kinds take turns, so that neither a short timer nor a flood of messages starves the others. A look that finds
/// nothing, because all groups are busy, changes nothing of whose turn it is.
bool ExecutorCore::next_of_any(Executable & out, std::uint64_t round) {
  using Next = bool (ExecutorCore::*)(Executable &, std::uint64_t);
  constexpr std::array<Next, 3> kKinds{&ExecutorCore::next_timer, &ExecutorCore::next_waitable,
                                       &ExecutorCore::next_receiver};
  const std::size_t first = turn_;
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    const std::size_t kind = (first + i) % kKinds.size();
    if (!(this->*kKinds[kind])(out, round)) continue;
    turn_ = (kind + 1) % kKinds.size();
    return true;
  }
  return false;
}

// ---- timers --------------------------------------------------------------------------------------------------------

bool ExecutorCore::next_timer(Executable & out, std::uint64_t round) {
  if (timers_.empty()) return false;
  if (wakeup_->take_timers_changed() || timers_pending_) arrange_timers(out.garbage);
  const std::int64_t now = steady_now();
  std::vector<std::size_t> had_its_turn;  // timers that have run in this round
  bool found = false;
  while (!found && earliest() <= now) {
    const std::size_t index = pop_timer();
    auto & entry = timers_[index];
    auto timer = entry.member.lock();
    if (!timer) continue;
    if (const auto rest = timer->time_to_wait(); rest > std::chrono::nanoseconds::zero()) {
      push_timer(index, saturating_add(now, rest.count()));
    } else if (!is_free(entry.group)) {
      parked_timers_.push_back(index);
    } else if (round != 0 && entry.round == round) {
      had_its_turn.push_back(index);
    } else if ((out.data = timer->call())) {
      push_timer(index, saturating_add(now, timer->time_to_wait().count()));
      entry.round = round;
      hold(out, entry.group);
      out.timer = timer;
      found = true;
    }
    out.garbage.push_back(std::move(timer));
  }
  for (const std::size_t index : had_its_turn) push_timer(index, now);
  return found;
}

/// Builds the heap again, after timers were added, removed or reset, or simulated time has made one due.
void ExecutorCore::arrange_timers(std::vector<std::shared_ptr<void>> & garbage) {
  timers_pending_ = false;
  heap_.clear();
  parked_timers_.clear();
  const std::int64_t now = steady_now();
  for (std::size_t i = 0; i < timers_.size(); ++i) {
    auto timer = timers_[i].member.lock();
    if (!timer) continue;
    push_timer(i, saturating_add(now, timer->time_to_wait().count()));
    garbage.push_back(std::move(timer));
  }
}

/// Leaves out a timer that is never due, because it is cancelled or simulated time has to pass first. Resetting it, and a
/// jump that makes it due, call Wakeup::timers_changed().
void ExecutorCore::push_timer(std::size_t timer, std::int64_t due) {
  if (due == kNever) return;
  heap_.push_back({due, timer});
  std::push_heap(heap_.begin(), heap_.end());
}

std::size_t ExecutorCore::pop_timer() {
  std::pop_heap(heap_.begin(), heap_.end());
  const std::size_t timer = heap_.back().timer;
  heap_.pop_back();
  return timer;
}

/// \return the earliest time at which a timer that is not parked may be due, in ns of the steady clock.
std::int64_t ExecutorCore::earliest() const { return heap_.empty() ? kNever : heap_.front().due; }

// ---- receivers -----------------------------------------------------------------------------------------------------

bool ExecutorCore::next_receiver(Executable & out, std::uint64_t round) {
  if (names_ready_ && !any_asked_) return next_named(out, round);
  if (!names_ready_) return next_asked(out, round);
  named_first_ = !named_first_;
  return named_first_ ? next_named(out, round) || next_asked(out, round)
                      : next_asked(out, round) || next_named(out, round);
}

/// Subscriptions go before services and clients, as in ROS 2: so a message that was published before a request is handled
/// before it. A service or client that is ready lets pass, once, whatever else is ready.
bool ExecutorCore::lets_others_pass(ReceiverEntry & entry) {
  if (entry.is_subscription) return false;
  entry.has_let_pass = !entry.has_let_pass;
  return entry.has_let_pass;
}

/// Chooses among those that the wait-set does not name, by asking each.
bool ExecutorCore::next_asked(Executable & out, std::uint64_t round) {
  ReceiverEntry * later = nullptr;
  const std::size_t count = receivers_.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (cursor_ >= count) cursor_ = 0;
    auto & entry = receivers_[cursor_++];
    const bool has_local = entry.local && entry.local->size() != 0;
    if (names_ready_ && !entry.listened && !has_local) continue;
    if (!is_free(entry.group)) {
      blocked_ = blocked_ || entry.listened || has_local;
      continue;
    }
    if (round != 0 && entry.round == round) continue;
    if (!has_local && !has_data(entry, out.garbage)) continue;
    if (!lets_others_pass(entry)) {
      if (choose(entry, out, round)) return true;
    } else if (later == nullptr) {
      later = &entry;
    }
  }
  if (later == nullptr) return false;
  later->has_let_pass = false;
  return choose(*later, out, round);
}

bool ExecutorCore::has_data(const ReceiverEntry & entry, std::vector<std::shared_ptr<void>> & garbage) {
  if (entry.listened) {
    auto receiver = entry.member.lock();
    const bool result = receiver && receiver->has_data();
    garbage.push_back(std::move(receiver));
    return result;
  }
  const auto transport = entry.transport.lock();
  return transport && transport->has_data();
}

/// Chooses among the receivers that the wait-set names.
bool ExecutorCore::next_named(Executable & out, std::uint64_t round) {
  if (attach_pending_) attach_ready_groups();
  const tandem::transport::Subscription * skipped = nullptr;  // the first one; when named again, all have been named
  while (const auto * named = wait_set_->next_ready()) {
    if (named == skipped) return false;
    const auto found = by_transport_.find(named);
    auto * const entry = found != by_transport_.end() ? &receivers_[found->second] : nullptr;
    if (entry != nullptr && !is_free(entry->group)) {
      park(*entry);
      continue;
    }
    if (entry != nullptr && (round == 0 || entry->round != round)) {
      if (lets_others_pass(*entry)) continue;  // it is named again after them
      if (choose(*entry, out, round)) return true;
    }
    if (skipped == nullptr) skipped = named;
  }
  return false;
}

bool ExecutorCore::choose(ReceiverEntry & entry, Executable & out, std::uint64_t round) {
  out.receiver = entry.member.lock();
  if (!out.receiver) return false;
  entry.round = round;
  hold(out, entry.group);
  return true;
}

void ExecutorCore::park(ReceiverEntry & entry) {
  const auto transport = entry.transport.lock();
  if (transport) wait_set_->detach(transport);
  entry.attached = false;
  parked_.push_back(static_cast<std::size_t>(&entry - receivers_.data()));
}

/// A group is free again: what has waited for it is looked at again.
void ExecutorCore::unpark() {
  for (const std::size_t timer : parked_timers_) push_timer(timer, 0);
  const bool timers = !parked_timers_.empty();
  parked_timers_.clear();
  const auto end =
      std::partition(parked_.begin(), parked_.end(), [this](std::size_t i) { return !is_free(receivers_[i].group); });
  for (auto it = end; it != parked_.end(); ++it) {
    auto & entry = receivers_[*it];
    const auto transport = entry.transport.lock();
    if (!transport) continue;
    wait_set_->attach(transport);
    entry.attached = true;
  }
  parked_.erase(end, parked_.end());
  const bool waitables = std::exchange(left_out_, false);
  if (timers || waitables || blocked_) wakeup_->wake();
  attach_pending_ = attach_pending_ || std::exchange(blocked_, false);
}

// ---- running and waiting -------------------------------------------------------------------------------------------

void ExecutorCore::hold(Executable & out, const std::shared_ptr<CallbackGroup> & group) {
  out.group = group;
  if (group->type() != CallbackGroupType::MutuallyExclusive) return;
  group->can_be_taken_from().store(false);
  ++busy_groups_;
}

void ExecutorCore::release(const std::shared_ptr<CallbackGroup> & group) {
  if (!group || group->type() != CallbackGroupType::MutuallyExclusive) return;
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    group->can_be_taken_from().store(true);
    --busy_groups_;
    unpark();
  }
  // It may have moved meanwhile: either the other executor sees it free, or it is told. Both orderings are seq_cst: the
  // other one stores its wakeup before it looks whether the group is free.
  if (!group->is_served_by(*wakeup_)) group->notify_entities_changed();
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
    executable.timer->execute_callback(executable.data);
  } else if (executable.waitable) {
    executable.waitable->execute(std::as_const(executable.data));
  } else if (executable.receiver->take_sample(executable.sample)) {  // false: another thread has taken it
    executable.receiver->execute(executable.sample);
  }
}

bool ExecutorCore::wait_next(Executable & out, std::chrono::nanoseconds timeout,
                             const std::function<bool()> & keep_waiting) {
  const std::int64_t end = timeout.count() < 0 ? kNever : saturating_add(steady_now(), timeout.count());
  const std::lock_guard<std::mutex> wait_lock(wait_mutex_);
  while (keep_waiting()) {
    if (next(out)) return true;
    std::int64_t until = end;
    if (!wait_set_) {  // set by the holder of wait_mutex_ only
      if (!make_wait_set()) return false;
      continue;  // until now wake() had no wait-set to wake and left a flag only, so look again
    }
    {
      const std::lock_guard<std::mutex> lock(state_mutex_);
      if (attach_pending_ || (busy_groups_ != 0 && !names_ready_)) attach_ready_groups();
      until = std::min({until, earliest(), waitables_due_});
    }
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
    // It takes the context's lock, so state_mutex_ is not held.
    wait_set = transport_call([&] { return context_->transport()->create_wait_set(); });
  } catch (const exceptions::RCLError &) {
    if (!context_->is_valid()) return false;
    throw;
  }
  wakeup_->set_wait_set(wait_set);
  const std::lock_guard<std::mutex> lock(state_mutex_);
  wait_set_ = std::move(wait_set);
  names_ready_ = wait_set_->names_ready();
  attach_pending_ = true;
  return true;
}

void ExecutorCore::attach_ready_groups() {
  attach_pending_ = false;
  for (auto & entry : receivers_) {
    if (entry.listened) continue;
    // With names_ready_, next_named() detaches those of busy groups.
    const bool free = names_ready_ || is_free(entry.group);
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
