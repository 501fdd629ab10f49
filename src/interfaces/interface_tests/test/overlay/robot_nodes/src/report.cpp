#include <iostream>

#include <robot_msgs/msg/track.h>  // the name for C, as stock sources have it
#include <base_msgs/msg/point3.hpp>
#include <robot_msgs/msg/track.hpp>

int main() {
  const robot_msgs::msg::Track::ConstSharedPtr track(new robot_msgs::msg::Track());
  const base_msgs::msg::Point3 & point = track->points.back();
  std::cout << sizeof(point) << " " << sizeof(*track) << " " << point.z << " "
            << (track->kind == robot_msgs::msg::Track::KIND_CAR) << "\n";
}
