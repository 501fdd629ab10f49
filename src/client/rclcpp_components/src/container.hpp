// What the programs with containers have in common.
#pragma once

#include <cstdio>
#include <exception>
#include <memory>

#include "rclcpp_components/component_manager.hpp"

namespace rclcpp_components {

/// Spins the manager that `make` returns in the executor, until Ctrl-C. \return the exit status.
template <class Make>
int run_container(int argc, char ** argv, Make make) {
  try {
    rclcpp::init(argc, argv);
    const auto [executor, manager] = make();
    executor->add_node(manager);
    executor->spin();
    executor->remove_node(manager);
  } catch (const std::exception & error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  rclcpp::shutdown();
  return 0;
}

/// All nodes in one executor.
template <class ExecutorT>
int run_container_with(int argc, char ** argv) {
  return run_container(argc, argv, [] {
    const auto executor = std::make_shared<ExecutorT>();
    return std::make_pair(executor, std::make_shared<ComponentManager>(executor));
  });
}

}  // namespace rclcpp_components
