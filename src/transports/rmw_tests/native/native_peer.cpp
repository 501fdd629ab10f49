// A native Tandem node: publishes what it hears on /to_native on /from_native, and says what it heard; serves /set_bool, and
// answers the contrary; serves the action /native_fibonacci; has the parameter "speed". Ends with its input, whose lines are
//   echo TYPE IN OUT           publishes what it hears on IN on OUT, whatever the type; says "ready IN"
//   filter TOPIC EXPRESSION    says "filtered NUMBER" for each std_msgs/UInt64 that the content filter lets through; "ready TOPIC"
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_action/rclcpp_action.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "std_msgs/msg/u_int64.hpp"
#include "std_srvs/srv/set_bool.hpp"
#include "test_msgs/action/fibonacci.hpp"

namespace {

using sensor_msgs::msg::Image;
using std_msgs::msg::UInt64;
using std_srvs::srv::SetBool;
using test_msgs::action::Fibonacci;
using Goal = rclcpp_action::ServerGoalHandle<Fibonacci>;

/// A goal of a negative order goes on until it is cancelled.
void execute(const std::shared_ptr<Goal> & goal) {
  const int order = goal->get_goal()->order;
  const auto feedback = std::make_shared<Fibonacci::Feedback>();
  const auto result = std::make_shared<Fibonacci::Result>();
  auto & numbers = feedback->sequence;
  numbers = {0, 1};
  for (int i = 1; (order < 0 || i < order) && !goal->is_canceling(); ++i) {
    if (order >= 0) numbers.push_back(numbers[numbers.size() - 1] + numbers[numbers.size() - 2]);
    goal->publish_feedback(feedback);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  result->sequence = numbers;
  if (goal->is_canceling()) {
    goal->canceled(result);
  } else {
    goal->succeed(result);
  }
}

class Peer {
 public:
  explicit Peer(const rclcpp::Node::SharedPtr & node) : node_(node) {
    const auto images = node->create_publisher<Image>("/from_native", 10);
    keep(node->create_subscription<Image>("/to_native", 10, [images](std::shared_ptr<const Image> image) {
      std::cout << image->header.frame_id << ' ' << image->data.size() << std::endl;
      images->publish(*image);
    }));
    keep(node->create_service<SetBool>(
        "/set_bool", [](const std::shared_ptr<SetBool::Request> request, std::shared_ptr<SetBool::Response> response) {
          response->success = !request->data;
          response->message = "native";
        }));
    keep(rclcpp_action::create_server<Fibonacci>(
        node, "/native_fibonacci",
        [](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal>) {
          return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
        },
        [](std::shared_ptr<Goal>) { return rclcpp_action::CancelResponse::ACCEPT; },
        [](std::shared_ptr<Goal> goal) { std::thread(execute, goal).detach(); }));
    node->declare_parameter("speed", 1.5);
  }

  void obey(const std::string & line) {
    std::istringstream words(line);
    std::string command, topic;
    words >> command;
    if (command == "echo") {
      std::string type, out;
      words >> type >> topic >> out;
      const auto publisher = node_->create_generic_publisher(out, type, 100);
      keep(node_->create_generic_subscription(
          topic, type, 100,
          [publisher](std::shared_ptr<rclcpp::SerializedMessage> message) { publisher->publish(*message); }));
    } else if (command == "filter") {
      rclcpp::SubscriptionOptions options;
      words >> topic >> std::ws;
      std::getline(words, options.content_filter_options.filter_expression);
      keep(node_->create_subscription<UInt64>(
          topic, 100,
          [](std::shared_ptr<const UInt64> message) { std::cout << "filtered " << message->data << std::endl; },
          options));
    }
    std::cout << "ready " << topic << std::endl;
  }

 private:
  void keep(const std::shared_ptr<void> & end) { ends_.push_back(end); }

  const rclcpp::Node::SharedPtr node_;
  std::vector<std::shared_ptr<void>> ends_;
};

}  // namespace

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const auto node = std::make_shared<rclcpp::Node>("native_peer");
  Peer peer(node);
  std::thread input([&peer] {
    for (std::string line; std::getline(std::cin, line);) peer.obey(line);
    rclcpp::shutdown();
  });
  rclcpp::spin(node);
  input.join();
  return 0;
}
