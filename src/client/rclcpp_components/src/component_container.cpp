// A container with one thread.
#include "container.hpp"

int main(int argc, char ** argv) {
  return rclcpp_components::run_container_with<rclcpp::executors::SingleThreadedExecutor>(argc, argv);
}
