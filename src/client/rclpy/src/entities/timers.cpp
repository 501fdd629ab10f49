// Timers and guard conditions.
#include <chrono>
#include <limits>
#include <memory>
#include <utility>

#include "base/errors.hpp"
#include "base/parts.hpp"
#include "entities/clock.hpp"
#include "node/context.hpp"
#include "node/node.hpp"
#include "rclcpp/timer.hpp"

namespace tandem_py {
namespace {

using std::chrono::nanoseconds;

class Timer : public rclcpp::TimerBase, public HasSlot {
 public:
  Timer(std::shared_ptr<rclcpp::Clock> clock, nanoseconds period, bool autostart, std::shared_ptr<Slot> slot)
      : TimerBase(std::move(clock), period, {[](TimerBase &, const rclcpp::TimerInfo &) {}, true}, autostart),
        HasSlot(std::move(slot)) {}
};

class TimerHandle : public ServedHandle {
 public:
  TimerHandle(std::shared_ptr<ClockHandle> clock, const std::shared_ptr<ContextHandle> &, std::int64_t period,
              bool autostart)
      : clock_(std::move(clock)), last_call_(clock_->clock()->now().nanoseconds()), timer_(make(period, autostart)) {}
  ~TimerHandle() override { destroy(); }

  void serve(NodeHandle &, const std::shared_ptr<rclcpp::CallbackGroup> & group) override {
    group_ = group;
    required(timer_).set_group(group);
    group->add_timer(timer_);
  }
  /// The times of the call: (expected, actual) in ns.
  py::object take(const std::shared_ptr<void> & data) override {
    const auto & info = *static_cast<const rclcpp::TimerInfo *>(data.get());
    last_call_ = info.actual_call_time.nanoseconds();
    return py::make_tuple(info.expected_call_time.nanoseconds(), last_call_);
  }
  void watch(const std::function<void()> & wake) override {
    required(timer_).set_on_reset_callback([wake](std::size_t) { wake(); });
  }
  bool is_ready() override { return timer().is_ready(); }

  void call() {
    const auto data = timer().call();
    if (!data) throw_error("TimerCancelledError", "failed to call the timer: it is cancelled");
    take(data);
  }
  /// The next period begins at once.
  void change_period(std::int64_t period) {
    const bool is_canceled = timer().is_canceled();
    drop(timer_);
    timer_ = make(period, !is_canceled);
    if (!group_) return;
    timer_->set_group(group_);
    group_->add_timer(timer_);
    group_->notify_entities_changed();
  }
  py::object time_until_next_call() const {
    const nanoseconds time = timer().time_until_trigger();
    if (time == nanoseconds::max()) return py::none();
    return py::int_(time.count());
  }
  std::int64_t time_since_last_call() const { return clock_->clock()->now().nanoseconds() - last_call_; }
  rclcpp::TimerBase & timer() const { return required(timer_); }

 private:
  void destroy() override {
    group_ = nullptr;
    drop(timer_);
  }
  /// A timer looks at jumps of the time: a thread that makes one may wait for the GIL.
  std::shared_ptr<Timer> make(std::int64_t period, bool autostart) const {
    const auto clock = clock_->clock();
    const WithoutGil without_gil;
    return std::make_shared<Timer>(clock, nanoseconds(period), autostart, slot());
  }

  const std::shared_ptr<ClockHandle> clock_;
  std::int64_t last_call_;  // ns of the clock; at first when it was made
  std::shared_ptr<Timer> timer_;
  std::shared_ptr<rclcpp::CallbackGroup> group_;
};

class GuardConditionHandle : public ServedHandle {
 public:
  explicit GuardConditionHandle(const std::shared_ptr<ContextHandle> & context)
      : condition_(std::make_shared<rclcpp::GuardCondition>(context->context())) {}

  void serve(NodeHandle & node, const std::shared_ptr<rclcpp::CallbackGroup> &) override {
    required(condition_)
        .set_on_trigger_callback([queue = std::weak_ptr<ReadyQueue>(node.queue()), slot = slot()](std::size_t) {
          if (const auto ready = queue.lock()) ready->push(slot);
        });
  }
  void stop_serving() override {
    if (condition_) condition_->set_on_trigger_callback(nullptr);
  }
  py::object take(const std::shared_ptr<void> &) override {
    required(condition_).take_trigger();
    return py::none();
  }
  void watch(const std::function<void()> & wake) override {
    required(condition_).set_on_trigger_callback([wake](std::size_t) { wake(); });
  }
  bool is_ready() override { return required(condition_).take_trigger(); }

  void trigger() {
    const auto condition = condition_;
    required(condition).trigger();
  }

 private:
  void destroy() override {
    stop_serving();
    drop(condition_);
  }

  std::shared_ptr<rclcpp::GuardCondition> condition_;
};

}  // namespace

void add_timers(py::module_ & module) {
  py::class_<TimerHandle, ServedHandle, std::shared_ptr<TimerHandle>>(module, "Timer")
      .def(py::init<std::shared_ptr<ClockHandle>, const std::shared_ptr<ContextHandle> &, std::int64_t, bool>(),
           py::arg("clock"), py::arg("context"), py::arg("period_ns"), py::arg("autostart") = true)
      .def("reset_timer", [](const TimerHandle & self) { self.timer().reset(); })
      .def("is_timer_ready", &TimerHandle::is_ready)
      .def("call_timer", &TimerHandle::call)
      .def("change_timer_period", &TimerHandle::change_period)
      .def("time_until_next_call", &TimerHandle::time_until_next_call)
      .def("time_since_last_call", &TimerHandle::time_since_last_call)
      .def("get_timer_period", [](const TimerHandle & self) { return self.timer().period().count(); })
      .def("cancel_timer", [](const TimerHandle & self) { self.timer().cancel(); })
      .def("is_timer_canceled", [](const TimerHandle & self) { return self.timer().is_canceled(); });
  py::class_<GuardConditionHandle, ServedHandle, std::shared_ptr<GuardConditionHandle>>(module, "GuardCondition")
      .def(py::init<const std::shared_ptr<ContextHandle> &>())
      .def("trigger_guard_condition", &GuardConditionHandle::trigger);
}

}  // namespace tandem_py
