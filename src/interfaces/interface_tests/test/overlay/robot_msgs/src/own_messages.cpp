#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "robot_msgs/action/follow.hpp"
#include "robot_msgs/msg/scene.hpp"
#include "robot_msgs/msg/track.hpp"
#include "robot_msgs/srv/reset.hpp"
#include "sensor_msgs/msg/image.hpp"

namespace {

robot_msgs::msg::Scene look(const std::string & frame) {
  robot_msgs::msg::Scene scene;
  scene.header.frame_id = frame;
  auto image = std::make_shared<sensor_msgs::msg::Image>();
  image->encoding = "rgb8";
  image->data.resize(3 * 2, 7);
  scene.images.push_back(*image);
  std::vector<base_msgs::msg::Point3> corners(2);
  corners[1].x = 2;
  scene.points = corners;
  return scene;
}

}  // namespace

int main() {
  auto track = std::make_unique<robot_msgs::msg::Track>();
  track->points[1].set__x(0.5).set__y(-2);
  std::cout << robot_msgs::msg::to_yaml(*track, true) << "\n";
  auto request = std::make_shared<robot_msgs::srv::Reset::Request>();
  std::cout << request->origin.z << "\n";

  using Follow = robot_msgs::action::Follow;
  auto feedback = std::make_shared<Follow::Feedback>();
  feedback->scene = look("camera");
  const std::string frame = feedback->scene.header.frame_id;
  std::cout << frame << " " << feedback->scene.images[0].data.size() << " " << feedback->scene.points.back().x << " "
            << feedback->scene.labels[1] << " " << feedback->scene.limits.speed << "\n";
  Follow::Goal goal;
  goal.track = *track;
  std::cout << goal.distance << " " << Follow::Result::LOST << " " << robot_msgs::msg::Limits::MAX_SPEED << "\n";
}
