#include "node/serving_node.hpp"

namespace tandem::bag {
namespace {

rclcpp::NodeOptions node_options(const std::shared_ptr<rclcpp::Context> & context) {
  rclcpp::NodeOptions options;
  options.context(context).enable_rosout(false).start_parameter_services(false).start_parameter_event_publisher(false);
  return options;
}

rclcpp::ExecutorOptions executor_options(const std::shared_ptr<rclcpp::Context> & context) {
  rclcpp::ExecutorOptions options;
  options.context = context;
  return options;
}

}  // namespace

ServingNode::ServingNode(const std::string & name, const std::shared_ptr<rclcpp::Context> & context)
    : node_(std::make_shared<rclcpp::Node>(name, node_options(context))), executor_(executor_options(context)) {
  executor_.add_node(node_);
}

ServingNode::~ServingNode() { end(); }

transport::NodeName ServingNode::name() const { return {node_->get_namespace(), node_->get_name()}; }

void ServingNode::begin() {
  thread_ = std::thread([this] {
    while (!is_ending_) {
      executor_.spin_once(std::chrono::milliseconds(100));
    }
  });
}

void ServingNode::end() {
  is_ending_ = true;
  if (thread_.joinable()) {
    executor_.cancel();
    thread_.join();
  }
}

}  // namespace tandem::bag
