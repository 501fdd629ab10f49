// The recorder as others see it: a node with services and events.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "node/serving_node.hpp"
#include "rclcpp/publisher.hpp"
#include "rosbag2_interfaces/msg/messages_lost_event.hpp"
#include "rosbag2_interfaces/msg/write_split_event.hpp"
#include "tandem/bag/recorder.hpp"

namespace tandem::bag {

class RecorderNode : public ServingNode {
 public:
  RecorderNode(const std::string & name, const std::shared_ptr<rclcpp::Context> & context);

  /// `recorder` outlives end().
  void serve(Recorder & recorder);
  void tell_split(const std::string & closed, const std::string & opened);
  void tell_losses(const std::vector<Lost> & all);

 private:
  std::shared_ptr<rclcpp::Publisher<rosbag2_interfaces::msg::WriteSplitEvent>> splits_;
  std::shared_ptr<rclcpp::Publisher<rosbag2_interfaces::msg::MessagesLostEvent>> losses_;
};

}  // namespace tandem::bag
