// A native Tandem node: publishes what it hears on /to_native on /from_native, and says what it heard; serves /set_bool, and
// answers the contrary. Ends with its input.
#include <iostream>
#include <thread>

#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "std_srvs/srv/set_bool.hpp"

using sensor_msgs::msg::Image;
using std_srvs::srv::SetBool;

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const auto node = std::make_shared<rclcpp::Node>("native_peer");
  const auto publisher = node->create_publisher<Image>("/from_native", 10);
  const auto subscription = node->create_subscription<Image>("/to_native", 10, [&](std::shared_ptr<const Image> image) {
    std::cout << image->header.frame_id << ' ' << image->data.size() << std::endl;
    publisher->publish(*image);
  });
  const auto service = node->create_service<SetBool>(
      "/set_bool", [](const std::shared_ptr<SetBool::Request> request, std::shared_ptr<SetBool::Response> response) {
        response->success = !request->data;
        response->message = "native";
      });
  std::thread input([] {
    std::cin.get();
    rclcpp::shutdown();
  });
  rclcpp::spin(node);
  input.join();
  return 0;
}
