// A container with several threads: as many as the parameter thread_num says.
#include "container.hpp"

int main(int argc, char ** argv) {
  return rclcpp_components::run_container(argc, argv, [] {
    const auto manager = std::make_shared<rclcpp_components::ComponentManager>();
    const auto threads = static_cast<size_t>(manager->get_parameter("thread_num").as_int());
    const auto executor =
        std::make_shared<rclcpp::executors::MultiThreadedExecutor>(rclcpp::ExecutorOptions(), threads);
    manager->set_executor(executor);
    return std::make_pair(executor, manager);
  });
}
