// A container whose executor runs callbacks in the order of their events.
#include "container.hpp"
#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"

int main(int argc, char ** argv) {
  return rclcpp_components::run_container_with<rclcpp::experimental::executors::EventsExecutor>(argc, argv);
}
