#include "entities/clock.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

#include "base/errors.hpp"
#include "rcl/time.h"

namespace tandem_py {
namespace {

// What a jump's callbacks have thrown in this thread, until the call that made the time jump passes it on.
thread_local std::optional<py::error_already_set> * thrown = nullptr;

/// Calls Python from within a change of the time.
template <class Call>
void call_python(Call call) {
  const py::gil_scoped_acquire acquire;
  try {
    call();
  } catch (py::error_already_set & error) {
    if (thrown != nullptr && !*thrown) {
      thrown->emplace(std::move(error));
    } else {
      error.discard_as_unraisable("a callback of a jump of the time");
    }
  }
}

/// Changes the time without the GIL, and passes on what callbacks throw.
template <class Change>
void change_time(Change change) {
  std::optional<py::error_already_set> error;
  rcl_ret_t result = RCL_RET_OK;
  auto * const before = thrown;
  thrown = &error;
  {
    const WithoutGil without_gil;
    result = change();
  }
  thrown = before;
  if (error) throw std::move(*error);
  if (result != RCL_RET_OK) throw_error("RCLError", "the time of this clock cannot be set");
}

struct TimePoint {
  std::int64_t nanoseconds;
  int clock_type;
};

/// What a thread waits for that sleeps by a clock: a time of it, or set().
class ClockEvent {
 public:
  template <class Clock>
  void wait_until(std::int64_t nanoseconds) {
    const WithoutGil without_gil;
    std::unique_lock<std::mutex> lock(mutex_);
    const typename Clock::time_point until{
        std::chrono::duration_cast<typename Clock::duration>(std::chrono::nanoseconds(nanoseconds))};
    changed_.wait_until(lock, until, [this] { return is_set_; });
  }
  /// Of a clock of ROS time: while it is simulated, until set() alone.
  void wait_until_ros(const ClockHandle & clock, const TimePoint & until) {
    if (!clock.clock()->ros_time_is_active()) return wait_until<std::chrono::system_clock>(until.nanoseconds);
    const WithoutGil without_gil;
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return is_set_; });
  }
  bool is_set() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return is_set_;
  }
  void set(bool value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_set_ = value;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_set_ = false;
};

}  // namespace

void ClockHandle::set_override_enabled(bool is_enabled) {
  rcl_clock_t * const handle = clock()->get_clock_handle();
  change_time(
      [=] { return is_enabled ? rcl_enable_ros_time_override(handle) : rcl_disable_ros_time_override(handle); });
}

void ClockHandle::set_override(std::int64_t nanoseconds) {
  rcl_clock_t * const handle = clock()->get_clock_handle();
  change_time([=] { return rcl_set_ros_time_override(handle, nanoseconds); });
}

void ClockHandle::add_callback(const py::object & handle, bool on_clock_change, std::int64_t min_forward,
                               std::int64_t min_backward) {
  PyObject * const python = handle.ptr();  // kept by callbacks_
  const auto before = [python] {
    call_python([&] {
      const py::object callback = py::handle(python).attr("_pre_callback");
      if (!callback.is_none()) callback();
    });
  };
  const auto after = [python](const rcl_time_jump_t & jump) {
    call_python([&] {
      const py::object callback = py::handle(python).attr("_post_callback");
      if (callback.is_none()) return;
      py::dict values;
      values["clock_change"] = static_cast<int>(jump.clock_change);
      values["delta"] = jump.delta.nanoseconds;
      callback(values);
    });
  };
  const auto changed = clock();
  rclcpp::JumpHandler::SharedPtr handler;
  {
    const WithoutGil without_gil;  // a thread that changes the time may wait for the GIL
    handler = changed->create_jump_callback(before, after, {on_clock_change, {min_forward}, {min_backward}});
  }
  callbacks_.push_back({handle, std::move(handler)});
}

void ClockHandle::remove_callback(const py::object & handle) {
  for (auto found = callbacks_.begin(); found != callbacks_.end(); ++found) {
    if (!found->handle.is(handle)) continue;
    auto removed = std::move(*found);
    callbacks_.erase(found);
    drop(removed.handler);  // waits for a callback that runs
    return;
  }
  throw_error("RCLError", "this callback is none of the clock's");
}

void ClockHandle::destroy() {
  auto removed = std::move(callbacks_);
  callbacks_.clear();
  for (auto & callback : removed) drop(callback.handler);
  drop(clock_);
}

void add_clock(py::module_ & module) {
  py::class_<TimePoint>(module, "rcl_time_point_t")
      .def(py::init([](std::int64_t nanoseconds, int type) {
        return TimePoint{nanoseconds, type};
      }))
      .def_readonly("nanoseconds", &TimePoint::nanoseconds)
      .def_property_readonly("clock_type",
                             [module](const TimePoint & self) { return module.attr("ClockType")(self.clock_type); });
  py::class_<ClockHandle, Destroyable, std::shared_ptr<ClockHandle>>(module, "Clock")
      .def(py::init<int>())
      .def("get_now",
           [](const ClockHandle & self) {
             const auto now = self.clock()->now();
             return TimePoint{now.nanoseconds(), now.get_clock_type()};
           })
      .def("get_ros_time_override_is_enabled",
           [](const ClockHandle & self) { return self.clock()->ros_time_is_active(); })
      .def("set_ros_time_override_is_enabled", &ClockHandle::set_override_enabled)
      .def("set_ros_time_override",
           [](ClockHandle & self, const TimePoint & time) { self.set_override(time.nanoseconds); })
      .def("add_clock_callback", &ClockHandle::add_callback)
      .def("remove_clock_callback", &ClockHandle::remove_callback);
  py::class_<ClockEvent>(module, "ClockEvent")
      .def(py::init<>())
      .def("wait_until_steady",
           [](ClockEvent & self, const ClockHandle &, const TimePoint & until) {
             self.wait_until<std::chrono::steady_clock>(until.nanoseconds);
           })
      .def("wait_until_system",
           [](ClockEvent & self, const ClockHandle &, const TimePoint & until) {
             self.wait_until<std::chrono::system_clock>(until.nanoseconds);
           })
      .def("wait_until_ros", &ClockEvent::wait_until_ros)
      .def("is_set", &ClockEvent::is_set)
      .def("set", [](ClockEvent & self) { self.set(true); })
      .def("clear", [](ClockEvent & self) { self.set(false); });
}

}  // namespace tandem_py
