// wire_action serve|send ACTION: one of our servers or clients of example_interfaces/Fibonacci, on rclcpp_action.
//
// Prints `ready` when it is there, a client when it has a server too. A server computes goals of an order from 0, executes
// one of -1 until it is cancelled, and rejects others. A client reads an order a line, and prints `feedback NUMBER` (the
// last of the sequence) for each feedback and, in the end, `result STATUS [NUMBER,...]` or `rejected`. It cancels a goal of
// the order -1 after the first feedback, and prints `cancelling COUNT`. Both end with their input.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "example_interfaces/action/fibonacci.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_action/rclcpp_action.hpp"

namespace {

using example_interfaces::action::Fibonacci;
using ServerHandle = rclcpp_action::ServerGoalHandle<Fibonacci>;
using Client = rclcpp_action::Client<Fibonacci>;
using ClientHandle = rclcpp_action::ClientGoalHandle<Fibonacci>;

constexpr std::chrono::milliseconds kStep{5};
constexpr int kUntilCancelled = -1;

void execute(const std::shared_ptr<ServerHandle> & goal) {
  const int order = goal->get_goal()->order;
  const auto feedback = std::make_shared<Fibonacci::Feedback>();
  const auto result = std::make_shared<Fibonacci::Result>();
  auto & numbers = feedback->sequence;
  numbers = {0, 1};
  for (int i = 1; (order == kUntilCancelled || i < order) && !goal->is_canceling(); ++i) {
    if (order != kUntilCancelled) numbers.push_back(numbers[numbers.size() - 1] + numbers[numbers.size() - 2]);
    goal->publish_feedback(feedback);
    std::this_thread::sleep_for(kStep);
  }
  result->sequence = numbers;
  if (goal->is_canceling()) {
    goal->canceled(result);
  } else {
    goal->succeed(result);
  }
}

rclcpp_action::Server<Fibonacci>::SharedPtr serve(const rclcpp::Node::SharedPtr & node, const std::string & action) {
  return rclcpp_action::create_server<Fibonacci>(
      node, action,
      [](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal> goal) {
        return goal->order < kUntilCancelled ? rclcpp_action::GoalResponse::REJECT
                                             : rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](std::shared_ptr<ServerHandle>) { return rclcpp_action::CancelResponse::ACCEPT; },
      [](std::shared_ptr<ServerHandle> goal) { std::thread(execute, goal).detach(); });
}

void print_result(const ClientHandle::WrappedResult & result) {
  std::string text = "result " + std::to_string(static_cast<int>(result.code)) + " [";
  for (const auto number : result.result->sequence) text += (text.back() == '[' ? "" : ",") + std::to_string(number);
  std::cout << text << ']' << std::endl;
}

void send(const std::shared_ptr<Client> & client, int order) {
  Client::SendGoalOptions options;
  const auto is_first = std::make_shared<std::once_flag>();
  options.goal_response_callback = [](ClientHandle::SharedPtr handle) {
    if (!handle) std::cout << "rejected" << std::endl;
  };
  options.feedback_callback = [client, order, is_first](ClientHandle::SharedPtr handle,
                                                        const std::shared_ptr<const Fibonacci::Feedback> feedback) {
    std::cout << "feedback " << feedback->sequence.back() << std::endl;
    if (order != kUntilCancelled) return;
    std::call_once(*is_first, [&] {
      client->async_cancel_goal(handle, [](Client::CancelResponse::SharedPtr answer) {
        std::cout << "cancelling " << answer->goals_canceling.size() << std::endl;
      });
    });
  };
  options.result_callback = print_result;
  Fibonacci::Goal goal;
  goal.order = order;
  client->async_send_goal(goal, options);
}

}  // namespace

int main(int argc, char ** argv) {
  if (argc != 3) {
    std::cerr << "usage: wire_action serve|send ACTION\n";
    return 2;
  }
  rclcpp::init(argc, argv);
  const auto node = std::make_shared<rclcpp::Node>("wire_action");
  const bool is_server = std::string(argv[1]) == "serve";
  const auto server = is_server ? serve(node, argv[2]) : nullptr;
  auto client = is_server ? nullptr : rclcpp_action::create_client<Fibonacci>(node, argv[2]);
  std::thread spinning([&] { rclcpp::spin(node); });
  if (client) client->wait_for_action_server();
  std::cout << "ready" << std::endl;
  for (int order = 0; std::cin >> order;) send(client, order);
  rclcpp::shutdown();
  spinning.join();
  std::_Exit(0);  // goals may be executed still
}
