// Clocks.
#pragma once

#include <list>
#include <memory>

#include "base/destroyable.hpp"
#include "rclcpp/clock.hpp"

namespace tandem_py {

class ClockHandle : public Destroyable {
 public:
  explicit ClockHandle(int type) : clock_(std::make_shared<rclcpp::Clock>(static_cast<rcl_clock_type_t>(type))) {}

  ~ClockHandle() override { destroy(); }

  const std::shared_ptr<rclcpp::Clock> & clock() const {
    required(clock_);
    return clock_;
  }
  void set_override_enabled(bool is_enabled);
  void set_override(std::int64_t nanoseconds);
  /// Calls `handle._pre_callback()` and `handle._post_callback(jump)` until it is removed.
  void add_callback(const py::object & handle, bool on_clock_change, std::int64_t min_forward,
                    std::int64_t min_backward);
  void remove_callback(const py::object & handle);

 private:
  struct Callback {
    py::object handle;
    rclcpp::JumpHandler::SharedPtr handler;
  };

  void destroy() override;

  std::shared_ptr<rclcpp::Clock> clock_;
  std::list<Callback> callbacks_;
};

void add_clock(py::module_ & module);

}  // namespace tandem_py
