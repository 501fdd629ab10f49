// Timers in the order in which they are due.
#include "rclcpp/experimental/timers_manager.hpp"

#include <pthread.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "waiting/signals_blocked.hpp"

namespace rclcpp::experimental {
namespace {

using std::chrono::nanoseconds;

/// Longer than a year is "for ever", and would overflow the clock.
constexpr nanoseconds kForEver = std::chrono::hours(24 * 365);

bool is_it(const std::weak_ptr<TimerBase> & weak, const TimerBase::SharedPtr & timer) {
  return !weak.owner_before(timer) && !timer.owner_before(weak);
}

}  // namespace

TimersManager::TimersManager(Context::SharedPtr context, OnReady on_ready_callback)
    : context_(std::move(context)), on_ready_(std::move(on_ready_callback)) {}

TimersManager::~TimersManager() {
  stop();
  clear();
}

void TimersManager::add_timer(TimerBase::SharedPtr timer) {
  if (!timer) throw std::invalid_argument("a null pointer was given to a timers manager");
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto is_here = [&](const auto & weak) { return is_it(weak, timer); };
    if (std::any_of(timers_.begin(), timers_.end(), is_here)) return;
    timers_.push_back(timer);
  }
  timer->set_on_reset_callback([this](size_t) { look_again(); });
  look_again();
}

void TimersManager::remove_timer(TimerBase::SharedPtr timer) {
  if (!timer) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto is_gone = [&](const auto & weak) { return weak.expired() || is_it(weak, timer); };
    timers_.erase(std::remove_if(timers_.begin(), timers_.end(), is_gone), timers_.end());
  }
  timer->clear_on_reset_callback();  // without the lock, which that callback takes
  look_again();
}

void TimersManager::clear() {
  for (const auto & timer : timers()) remove_timer(timer);
}

void TimersManager::look_again() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    next_ = kUnknown;
    ++changes_;
  }
  changed_.notify_one();
}

std::vector<TimerBase::SharedPtr> TimersManager::timers() {
  std::vector<TimerBase::SharedPtr> all;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto & weak : timers_) {
    if (auto timer = weak.lock()) all.push_back(std::move(timer));
  }
  return all;
}

void TimersManager::start() {
  const std::lock_guard<std::mutex> thread_lock(thread_mutex_);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (is_running_) throw std::runtime_error("the thread of a timers manager was started while it runs already");
    is_running_ = true;
  }
  const detail::SignalsBlocked blocked;
  thread_ = std::thread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "ros_timers");
}

void TimersManager::stop() {
  const std::lock_guard<std::mutex> thread_lock(thread_mutex_);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_running_ = false;
    ++changes_;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void TimersManager::run() {
  while (context_->is_valid()) {
    std::shared_ptr<void> data;
    const auto due = take_due(data);
    {
      std::unique_lock<std::mutex> lock(mutex_);
      if (!is_running_) return;
      if (!due) {
        const auto is_changed = [this, before = changes_] { return changes_ != before; };
        if (next_ != kUnknown) changed_.wait_until(lock, std::min(next_, Steady::now() + kForEver), is_changed);
        continue;
      }
    }
    if (on_ready_) {
      on_ready_(due.get(), data);
    } else {
      due->execute_callback(data);
    }
  }
}

/// Begins the next period of the timer that is due for longest. \return null when none is; then next_ is up to date, or there
/// was a change.
TimerBase::SharedPtr TimersManager::take_due(std::shared_ptr<void> & data) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (Steady::now() < next_) return nullptr;
  const std::uint64_t before = changes_;
  lock.unlock();
  const auto all = timers();  // their destructors may be user code: dropped without the lock
  TimerBase::SharedPtr head;
  nanoseconds rest = nanoseconds::max();
  for (const auto & timer : all) {
    const nanoseconds its_rest = timer->time_to_wait();
    if (its_rest < rest) {
      rest = its_rest;
      head = timer;
    }
  }
  if (rest <= nanoseconds::zero()) {
    data = head->call();
    if (data) return head;
    rest = nanoseconds::zero();  // it was cancelled in between
  }
  lock.lock();
  if (changes_ == before) next_ = rest < kForEver ? Steady::now() + rest : kNever;
  return nullptr;
}

void TimersManager::require_no_thread(const char * caller) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_running_) {
    throw std::runtime_error(std::string(caller) + "() of a timers manager was called while its thread runs");
  }
}

size_t TimersManager::get_number_ready_timers() {
  require_no_thread("get_number_ready_timers");
  const auto all = timers();
  const auto is_ready = [](const auto & timer) { return timer->is_ready(); };
  return static_cast<size_t>(std::count_if(all.begin(), all.end(), is_ready));
}

bool TimersManager::execute_head_timer() {
  require_no_thread("execute_head_timer");
  std::shared_ptr<void> data;
  const auto due = take_due(data);
  if (due) due->execute_callback(data);
  return due != nullptr;
}

std::optional<nanoseconds> TimersManager::get_head_timeout() {
  require_no_thread("get_head_timeout");
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (timers_.empty()) return nanoseconds::max();
    if (next_ == kNever) return std::nullopt;
    if (next_ != kUnknown) return next_ - Steady::now();
  }
  const auto all = timers();
  nanoseconds rest = nanoseconds::max();
  for (const auto & timer : all) rest = std::min(rest, timer->time_to_wait());
  if (rest == nanoseconds::max()) return std::nullopt;
  return rest;
}

void TimersManager::execute_ready_timer(const TimerBase * timer_id, const std::shared_ptr<void> & data) {
  const auto all = timers();
  const auto is_it = [&](const auto & timer) { return timer.get() == timer_id; };
  const auto found = std::find_if(all.begin(), all.end(), is_it);
  if (found != all.end()) (*found)->execute_callback(data);
}

}  // namespace rclcpp::experimental
