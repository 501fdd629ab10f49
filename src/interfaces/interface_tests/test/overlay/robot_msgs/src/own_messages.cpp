#include <iostream>
#include <memory>

#include "robot_msgs/msg/track.hpp"
#include "robot_msgs/srv/reset.hpp"

int main() {
  auto track = std::make_unique<robot_msgs::msg::Track>();
  track->points[1].set__x(0.5).set__y(-2);
  std::cout << robot_msgs::msg::to_yaml(*track, true) << "\n";
  auto request = std::make_shared<robot_msgs::srv::Reset::Request>();
  std::cout << request->origin.z << "\n";
}
