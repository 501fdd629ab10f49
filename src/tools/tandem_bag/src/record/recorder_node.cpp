#include "record/recorder_node.hpp"

#include "rosbag2_interfaces/srv/is_paused.hpp"
#include "rosbag2_interfaces/srv/pause.hpp"
#include "rosbag2_interfaces/srv/resume.hpp"
#include "rosbag2_interfaces/srv/snapshot.hpp"
#include "rosbag2_interfaces/srv/split_bagfile.hpp"

namespace tandem::bag {
namespace {

using namespace rosbag2_interfaces;  // NOLINT: of this file

}  // namespace

RecorderNode::RecorderNode(const std::string & name, const std::shared_ptr<rclcpp::Context> & context)
    : ServingNode(name, context),
      splits_(node().create_publisher<msg::WriteSplitEvent>("events/write_split", 1)),
      losses_(node().create_publisher<msg::MessagesLostEvent>("events/rosbag2_messages_lost", 1)) {}

void RecorderNode::serve(Recorder & recorder) {
  ServingNode::serve<srv::IsPaused>("is_paused",
                                    [&](const auto &, auto & response) { response.paused = recorder.is_paused(); });
  ServingNode::serve<srv::Pause>("pause", [&](const auto &, auto &) { recorder.pause(); });
  ServingNode::serve<srv::Resume>("resume", [&](const auto &, auto &) { recorder.resume(); });
  ServingNode::serve<srv::SplitBagfile>("split_bagfile", [&](const auto &, auto &) { recorder.split(); });
  ServingNode::serve<srv::Snapshot>(
      "snapshot", [&](const auto &, auto & response) { response.success = recorder.take_snapshot(); });
  begin();
}

void RecorderNode::tell_split(const std::string & closed, const std::string & opened) {
  msg::WriteSplitEvent event;
  event.closed_file = closed;
  event.opened_file = opened;
  event.node_name = node().get_fully_qualified_name();
  splits_->publish(event);
}

void RecorderNode::tell_losses(const std::vector<Lost> & all) {
  msg::MessagesLostEvent event;
  event.node_name = node().get_fully_qualified_name();
  event.messages_lost_statistics.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    event.messages_lost_statistics[i].topic_name = all[i].topic;
    event.messages_lost_statistics[i].messages_lost_in_transport = all[i].in_transport;
    event.messages_lost_statistics[i].messages_lost_in_recorder = all[i].in_recorder;
  }
  losses_->publish(event);
}

}  // namespace tandem::bag
