// When timers are due.
#include "rclcpp/timer.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "rclcpp/callback_group.hpp"

namespace rclcpp {
namespace {

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::int64_t checked(std::chrono::nanoseconds period) {
  if (period < std::chrono::nanoseconds::zero()) throw std::invalid_argument("timer period cannot be negative");
  return period.count();
}

}  // namespace

TimerBase::TimerBase(Clock::SharedPtr clock, std::chrono::nanoseconds period, detail::TimerCallback callback,
                     bool autostart)
    : clock_(std::move(clock)),
      period_(checked(period)),
      callback_(std::move(callback)),
      canceled_(!autostart),
      last_call_(clock_ ? clock_->now().nanoseconds() : throw std::invalid_argument("clock cannot be null")),
      next_call_(saturating_add(last_call_, period_)),
      jumps_(follow_jumps()) {}

TimerBase::~TimerBase() = default;

void TimerBase::cancel() { canceled_.store(true); }

void TimerBase::reset() {
  next_call_.store(saturating_add(clock_->now().nanoseconds(), period_));
  canceled_.store(false);
  notify();
  on_reset_.happened();
}

void TimerBase::set_on_reset_callback(std::function<void(size_t)> callback) {
  if (!callback) {
    throw std::invalid_argument("the callback for resets is null; clear_on_reset_callback() takes it away");
  }
  on_reset_.set([callback = std::move(callback)](size_t resets) {
    try {
      callback(resets);
    } catch (const std::exception & error) {
      RCLCPP_ERROR(get_logger("rclcpp"), "a timer's callback for resets threw an exception: %s", error.what());
    } catch (...) {
      RCLCPP_ERROR(get_logger("rclcpp"), "a timer's callback for resets threw something unknown");
    }
  });
}

void TimerBase::clear_on_reset_callback() { on_reset_.set(nullptr); }

std::chrono::nanoseconds TimerBase::time_until_trigger() const {
  if (canceled_.load()) return std::chrono::nanoseconds::max();
  return std::chrono::nanoseconds(next_call_.load() - clock_->now().nanoseconds());
}

std::chrono::nanoseconds TimerBase::time_to_wait() const {
  const auto rest = time_until_trigger();
  const bool is_due = rest <= std::chrono::nanoseconds::zero();
  return is_due || !clock_->ros_time_is_active() ? rest : std::chrono::nanoseconds::max();
}

std::shared_ptr<void> TimerBase::call() {
  if (canceled_.load()) return nullptr;
  const std::int64_t now = clock_->now().nanoseconds();
  std::int64_t due = next_call_.load();
  std::int64_t next = saturating_add(due, period_);
  if (next <= now) next = period_ == 0 ? now : next + ((now - next) / period_ + 1) * period_;
  const std::int64_t expected = due;
  last_call_.store(now);
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

// ---- simulated time ------------------------------------------------------------------------------------------------

JumpHandler::SharedPtr TimerBase::follow_jumps() {
  if (clock_->get_clock_type() != RCL_ROS_TIME) return nullptr;
  const rcl_jump_threshold_t every{true, {1}, {-1}};
  return clock_->create_jump_callback([this] { before_jump(); },
                                      [this](const rcl_time_jump_t & jump) { after_jump(jump); }, every);
}

void TimerBase::before_jump() { before_jump_ = clock_->now().nanoseconds(); }

void TimerBase::after_jump(const rcl_time_jump_t & jump) {
  const std::int64_t now = clock_->now().nanoseconds();
  const bool is_switch = jump.clock_change != RCL_ROS_TIME_NO_CHANGE;
  const bool had_time = now != 0 && before_jump_ != 0;  // else there was no message on /clock
  if (is_switch && had_time) {
    const std::int64_t rest = std::clamp<std::int64_t>(next_call_.load() - before_jump_, 0, period_);
    next_call_.store(saturating_add(now, rest));
    last_call_.store(now - (period_ - rest));
  } else if (!is_switch && now < last_call_.load() && now < next_call_.load()) {
    next_call_.store(saturating_add(now, period_));
    last_call_.store(now);
  }
  if (is_switch || is_ready()) notify();
}

void TimerBase::notify() {
  std::unique_lock<std::mutex> lock(group_mutex_);
  const auto group = group_.lock();
  lock.unlock();
  if (group) group->notify_timers_changed();
}

}  // namespace rclcpp
