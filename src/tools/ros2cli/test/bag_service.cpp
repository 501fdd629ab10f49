// A service for the tests of `ros2 bag`: /switch tells of its calls on /switch/_service_event. Says "ready" and each request.
#include <cstdio>
#include <memory>

#include "rclcpp/rclcpp.hpp"
#include "std_srvs/srv/set_bool.hpp"

int main(int argc, char ** argv) {
  using std_srvs::srv::SetBool;
  rclcpp::init(argc, argv);
  const auto node = std::make_shared<rclcpp::Node>("switch");
  const auto service = node->create_service<SetBool>(
      "/switch", [](const SetBool::Request::SharedPtr request, SetBool::Response::SharedPtr response) {
        std::printf("request %d\n", request->data ? 1 : 0);
        std::fflush(stdout);
        response->success = true;
      });
  service->configure_introspection(node->get_clock(), rclcpp::QoS(10), RCL_SERVICE_INTROSPECTION_CONTENTS);
  std::printf("ready\n");
  std::fflush(stdout);
  rclcpp::spin(node);
  rclcpp::shutdown();
}
