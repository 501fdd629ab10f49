// The node of a worker process and what spins it.
#pragma once

#include <memory>
#include <rclcpp/rclcpp.hpp>

namespace bench {

struct Ros {
  Ros() {
    rclcpp::init(0, nullptr);
    node = std::make_shared<rclcpp::Node>("bench");
    executor = std::make_unique<rclcpp::executors::SingleThreadedExecutor>();
    executor->add_node(node);
  }
  std::shared_ptr<rclcpp::Node> node;
  std::unique_ptr<rclcpp::executors::SingleThreadedExecutor> executor;
};

/// Made at first use.
inline Ros & ros() {
  static Ros ros;
  return ros;
}

}  // namespace bench
