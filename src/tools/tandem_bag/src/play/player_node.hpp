// The player as others see it: a node with services and events.
#pragma once

#include <memory>
#include <string>

#include "node/serving_node.hpp"
#include "rclcpp/publisher.hpp"
#include "rosbag2_interfaces/msg/read_split_event.hpp"
#include "tandem/bag/player.hpp"

namespace tandem::bag {

class PlayerNode : public ServingNode {
 public:
  PlayerNode(const std::string & name, const std::shared_ptr<rclcpp::Context> & context);

  /// `player` outlives end().
  void serve(Player & player);
  void tell_split(const std::string & closed, const std::string & opened);

 private:
  std::shared_ptr<rclcpp::Publisher<rosbag2_interfaces::msg::ReadSplitEvent>> splits_;
};

}  // namespace tandem::bag
