// A container with an executor for each node, of one thread each or, with --use_multi_threaded_executor, of several.
#include <algorithm>
#include <string>

#include "container.hpp"
#include "rclcpp_components/component_manager_isolated.hpp"

namespace {

using rclcpp_components::ComponentManager;
using rclcpp_components::ComponentManagerIsolated;

}  // namespace

int main(int argc, char ** argv) {
  return rclcpp_components::run_container(argc, argv, [argc, argv] {
    const auto arguments = rclcpp::remove_ros_arguments(argc, argv);
    const bool several = std::count(arguments.begin(), arguments.end(), "--use_multi_threaded_executor") != 0;
    const auto executor = std::make_shared<rclcpp::executors::SingleThreadedExecutor>();
    std::shared_ptr<ComponentManager> manager;
    if (several) {
      manager = std::make_shared<ComponentManagerIsolated<rclcpp::executors::MultiThreadedExecutor>>(executor);
    } else {
      manager = std::make_shared<ComponentManagerIsolated<>>(executor);
    }
    return std::make_pair(executor, manager);
  });
}
