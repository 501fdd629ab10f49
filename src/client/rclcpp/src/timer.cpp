// When timers are due.
#include "rclcpp/timer.hpp"

#include <algorithm>
#include <stdexcept>

#include "rclcpp/callback_group.hpp"

namespace rclcpp {

TimerBase::TimerBase(Clock::SharedPtr clock, std::chrono::nanoseconds period, detail::TimerCallback callback,
                     bool autostart)
    : clock_(std::move(clock)), period_(period.count()), callback_(std::move(callback)), canceled_(!autostart) {
  if (!clock_) throw std::invalid_argument("clock cannot be null");
  if (period_ < 0) throw std::invalid_argument("timer period cannot be negative");
  next_call_ = clock_->now().nanoseconds() + period_;
}

TimerBase::~TimerBase() = default;

void TimerBase::cancel() { canceled_.store(true); }

void TimerBase::reset() {
  next_call_.store(clock_->now().nanoseconds() + period_);
  canceled_.store(false);
  notify();
}

std::chrono::nanoseconds TimerBase::time_until_trigger() const {
  if (canceled_.load()) return std::chrono::nanoseconds::max();
  return std::chrono::nanoseconds(next_call_.load() - clock_->now().nanoseconds());
}

std::shared_ptr<void> TimerBase::call() {
  if (canceled_.load()) return nullptr;
  const std::int64_t now = clock_->now().nanoseconds();
  std::int64_t due = next_call_.load();
  std::int64_t next = due + period_;
  if (next < now) next = period_ == 0 ? now : next + ((now - next) / period_ + 1) * period_;
  const std::int64_t expected = due;
  next_call_.compare_exchange_strong(due, next);  // fails when it was reset meanwhile: then that holds
  if (!callback_.takes_info) return {std::shared_ptr<void>(), this};  // owns nothing, allocates nothing
  const auto type = clock_->get_clock_type();
  return std::make_shared<TimerInfo>(TimerInfo{Time(expected, type), Time(now, type)});
}

void TimerBase::execute_callback(const std::shared_ptr<void> & data) {
  if (!callback_.takes_info) {
    callback_.function(*this, TimerInfo());
  } else if (data) {
    callback_.function(*this, *static_cast<const TimerInfo *>(data.get()));
  } else {
    const Time now = clock_->now();
    callback_.function(*this, {now, now});
  }
}

void TimerBase::set_group(const std::shared_ptr<CallbackGroup> & group) {
  const std::lock_guard<std::mutex> lock(group_mutex_);
  group_ = group;
}

void TimerBase::notify() {
  std::unique_lock<std::mutex> lock(group_mutex_);
  const auto group = group_.lock();
  lock.unlock();
  if (group) group->notify_timers_changed();
}

}  // namespace rclcpp
