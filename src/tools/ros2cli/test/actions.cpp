// A node /computer with the action /fibonacci, until it is killed. A goal of a negative order is rejected; one of an order
// above 90 is executed until it is cancelled; one of 13 is not cancelled.
#include <chrono>
#include <memory>
#include <thread>

#include "example_interfaces/action/fibonacci.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_action/rclcpp_action.hpp"

namespace {

using example_interfaces::action::Fibonacci;
using Handle = rclcpp_action::ServerGoalHandle<Fibonacci>;

void execute(const std::shared_ptr<Handle> & goal) {
  const auto order = goal->get_goal()->order;
  const auto feedback = std::make_shared<Fibonacci::Feedback>();
  const auto result = std::make_shared<Fibonacci::Result>();
  feedback->sequence = {0, 1};
  for (int i = 1; i < order || order == 13; ++i) {
    if (goal->is_canceling()) {
      result->sequence = feedback->sequence;
      return goal->canceled(result);
    }
    const auto size = feedback->sequence.size();
    if (order < 13) feedback->sequence.push_back(feedback->sequence[size - 1] + feedback->sequence[size - 2]);
    goal->publish_feedback(feedback);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (order > 90) i = 1;
  }
  result->sequence = feedback->sequence;
  goal->succeed(result);
}

}  // namespace

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const auto node = std::make_shared<rclcpp::Node>("computer");
  const auto server = rclcpp_action::create_server<Fibonacci>(
      node, "fibonacci",
      [](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal> goal) {
        return goal->order < 0 ? rclcpp_action::GoalResponse::REJECT : rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](std::shared_ptr<Handle> goal) {
        return goal->get_goal()->order == 13 ? rclcpp_action::CancelResponse::REJECT
                                             : rclcpp_action::CancelResponse::ACCEPT;
      },
      [](std::shared_ptr<Handle> goal) { std::thread(execute, goal).detach(); });
  rclcpp::spin(node);
  rclcpp::shutdown();
  return 0;
}
