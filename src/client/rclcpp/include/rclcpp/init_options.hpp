// How a context is initialised.
#ifndef RCLCPP__INIT_OPTIONS_HPP_
#define RCLCPP__INIT_OPTIONS_HPP_

#include <cstddef>
#include <optional>

#include "rcl/allocator.h"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class InitOptions {
 public:
  InitOptions() = default;
  /// The allocator is ignored.
  explicit InitOptions(rcl_allocator_t /*allocator*/) {}

  /// Whether SIGINT and SIGTERM shut the context down.
  bool shutdown_on_signal = true;

  bool auto_initialize_logging() const { return auto_initialize_logging_; }
  InitOptions & auto_initialize_logging(bool initialize_logging) {
    auto_initialize_logging_ = initialize_logging;
    return *this;
  }

  /// Overrides ROS_DOMAIN_ID; 0 .. 232.
  InitOptions & set_domain_id(size_t domain_id) {
    domain_id_ = domain_id;
    return *this;
  }
  InitOptions & use_default_domain_id() {
    domain_id_.reset();
    return *this;
  }
  /// \throws exceptions::RCLError when it comes from ROS_DOMAIN_ID and that is not a number from 0 to 232.
  RCLCPP_PUBLIC size_t get_domain_id() const;

 private:
  bool auto_initialize_logging_ = true;
  std::optional<size_t> domain_id_;
};

}  // namespace rclcpp

#endif  // RCLCPP__INIT_OPTIONS_HPP_
