// A node whose services are answered by a thread of its own.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rclcpp/executors/single_threaded_executor.hpp"
#include "rclcpp/node.hpp"
#include "tandem/transport.hpp"

namespace tandem::bag {

class ServingNode {
 public:
  ServingNode(const std::string & name, const std::shared_ptr<rclcpp::Context> & context);
  ~ServingNode();
  ServingNode(const ServingNode &) = delete;
  ServingNode & operator=(const ServingNode &) = delete;

  transport::NodeName name() const;
  rclcpp::Logger logger() const { return node_->get_logger(); }
  rclcpp::Node & node() { return *node_; }
  /// Services made before are answered from now on.
  void begin();
  /// No service is answered any more. Others of this class's functions may be called still.
  void end();

  /// A service below the node's name. `answer(request, response)` is called by the serving thread.
  template <class Service, class Answer>
  void serve(const std::string & service, Answer answer) {
    services_.push_back(node_->create_service<Service>(
        "~/" + service,
        [answer](const std::shared_ptr<typename Service::Request> request,
                 std::shared_ptr<typename Service::Response> response) { answer(*request, *response); }));
  }

 private:
  std::shared_ptr<rclcpp::Node> node_;
  std::vector<std::shared_ptr<rclcpp::ServiceBase>> services_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::atomic<bool> is_ending_ = false;
  std::thread thread_;
};

}  // namespace tandem::bag
