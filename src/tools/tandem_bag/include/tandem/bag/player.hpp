// Plays a bag: publishes its messages as they were recorded, at the times that lie between them.
//
//   reading thread   reads ahead from the disk
//   playing thread   deserializes the next message into shared memory, sleeps until it is due, publishes
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp/context.hpp"
#include "tandem/bag/topic_filter.hpp"

namespace tandem::bag {

using std::chrono::nanoseconds;

struct PlayerOptions {
  std::filesystem::path bag;
  Selection selection;                        ///< empty: everything
  std::map<std::string, std::string> remaps;  ///< of topics and services
  double rate = 1;                            ///< greater than 0
  bool loop = false;
  bool start_paused = false;
  nanoseconds start_offset{0};  ///< from the begin of the bag
  nanoseconds delay{0};         ///< before each loop
  nanoseconds duration{-1};     ///< of the bag's time; negative: no limit
  std::int64_t until = -1;      ///< ns since the epoch, of the bag's time; negative: no limit. The later of both counts
  double clock_frequency = 0;   ///< Hz of /clock; 0: it is not published
  std::vector<std::string> clock_topics;  ///< /clock is published before each of their messages
  bool clock_topics_all = false;
  std::map<std::string, Qos> qos_overrides;  ///< by topic
  bool disable_loans = false;
  bool publish_service_requests = false;  ///< recorded requests are sent, instead of the events that tell of them
  bool requests_of_clients = false;       ///< those that clients told of; else those of servers
  std::size_t read_ahead = 1000;          ///< messages
  std::chrono::milliseconds wait_for_all_acked{-1};  ///< at the end; 0: without end; negative: not at all
  std::string node_name = "rosbag2_player";
};

/// Thread-safe.
class Player {
 public:
  /// Opens the bag and makes publishers. \throws Error; rclcpp's exceptions when the domain cannot be joined.
  Player(const PlayerOptions & options, const std::shared_ptr<rclcpp::Context> & context);
  /// Stops.
  ~Player();
  Player(const Player &) = delete;
  Player & operator=(const Player &) = delete;

  /// Plays as the options say, or with another part of the bag. \return false while it plays.
  bool play();
  bool play(nanoseconds start_offset, nanoseconds duration, std::int64_t until);
  /// Ends playing.
  void stop();
  bool is_playing() const;
  /// \return false at the timeout. \throws Error why playing ended early.
  bool wait(std::chrono::milliseconds timeout);

  void pause();
  void resume();
  bool is_paused() const;
  double rate() const;
  /// \return false unless the rate is above zero.
  bool set_rate(double rate);
  /// Publishes the next message of a paused player. \return false if it is not paused, or at the end.
  bool play_next() { return burst(1) == 1; }
  /// The same for several, all that are left for 0. \return how many.
  std::uint64_t burst(std::uint64_t count);
  /// Goes on at a time of the bag, in ns since the epoch. \return false for a time after its end, and when not playing.
  bool seek(std::int64_t time);
  /// The bag's time.
  std::int64_t now() const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
  const PlayerOptions options_;
};

}  // namespace tandem::bag
