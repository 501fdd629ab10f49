#include "play/player_node.hpp"

#include "rosbag2_interfaces/srv/burst.hpp"
#include "rosbag2_interfaces/srv/get_rate.hpp"
#include "rosbag2_interfaces/srv/is_paused.hpp"
#include "rosbag2_interfaces/srv/pause.hpp"
#include "rosbag2_interfaces/srv/play.hpp"
#include "rosbag2_interfaces/srv/play_next.hpp"
#include "rosbag2_interfaces/srv/resume.hpp"
#include "rosbag2_interfaces/srv/seek.hpp"
#include "rosbag2_interfaces/srv/set_rate.hpp"
#include "rosbag2_interfaces/srv/stop.hpp"
#include "rosbag2_interfaces/srv/toggle_paused.hpp"

namespace tandem::bag {
namespace {

using namespace rosbag2_interfaces;  // NOLINT: of this file

/// Of a message Time or Duration.
template <class Time>
std::int64_t ns_of(const Time & time) {
  return std::int64_t{time.sec} * 1000000000 + time.nanosec;
}

void serve_playing(ServingNode & node, Player & player) {
  node.serve<srv::Play>("play", [&](const srv::Play::Request & request, auto & response) {
    response.success =
        player.play(nanoseconds(ns_of(request.start_offset)), nanoseconds(ns_of(request.playback_duration)),
                    ns_of(request.playback_until_timestamp));
  });
  node.serve<srv::Stop>("stop", [&](const auto &, auto &) { player.stop(); });
  node.serve<srv::PlayNext>("play_next", [&](const auto &, auto & response) { response.success = player.play_next(); });
  node.serve<srv::Burst>("burst", [&](const auto & request, auto & response) {
    response.actually_burst = player.burst(request.num_messages);
  });
  node.serve<srv::Seek>(
      "seek", [&](const auto & request, auto & response) { response.success = player.seek(ns_of(request.time)); });
}

void serve_pace(ServingNode & node, Player & player) {
  node.serve<srv::Pause>("pause", [&](const auto &, auto &) { player.pause(); });
  node.serve<srv::Resume>("resume", [&](const auto &, auto &) { player.resume(); });
  node.serve<srv::TogglePaused>("toggle_paused",
                                [&](const auto &, auto &) { player.is_paused() ? player.resume() : player.pause(); });
  node.serve<srv::IsPaused>("is_paused", [&](const auto &, auto & response) { response.paused = player.is_paused(); });
  node.serve<srv::GetRate>("get_rate", [&](const auto &, auto & response) { response.rate = player.rate(); });
  node.serve<srv::SetRate>(
      "set_rate", [&](const auto & request, auto & response) { response.success = player.set_rate(request.rate); });
}

}  // namespace

PlayerNode::PlayerNode(const std::string & name, const std::shared_ptr<rclcpp::Context> & context)
    : ServingNode(name, context), splits_(node().create_publisher<msg::ReadSplitEvent>("events/read_split", 1)) {}

void PlayerNode::serve(Player & player) {
  serve_playing(*this, player);
  serve_pace(*this, player);
  begin();
}

void PlayerNode::tell_split(const std::string & closed, const std::string & opened) {
  msg::ReadSplitEvent event;
  event.closed_file = closed;
  event.opened_file = opened;
  event.node_name = node().get_fully_qualified_name();
  splits_->publish(event);
}

}  // namespace tandem::bag
