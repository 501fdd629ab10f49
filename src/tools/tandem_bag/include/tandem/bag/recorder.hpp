// Records topics and services of a domain to a bag.
//
//   discovery thread   looks at the graph, makes subscriptions
//   taking thread      takes messages and serializes them into the cache, from where they lie in shared memory
//   writing thread     compresses and writes
//
// In shared memory the taking thread looks every two milliseconds and is never waited for or woken: a publisher makes no system call
// more than without a recorder. A recorder that cannot follow loses messages and counts them; nobody else notices.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp/context.hpp"
#include "tandem/bag/topic_filter.hpp"
#include "tandem/bag/writer.hpp"

namespace tandem::bag {

struct RecorderOptions {
  WriterOptions writer;
  Selection selection;
  bool include_unpublished_topics = false;
  bool ignore_leaf_topics = false;  ///< topics without a subscription
  bool no_discovery = false;        ///< only topics that are there at the start
  std::chrono::milliseconds polling_interval{100};
  std::map<std::string, Qos> qos_overrides;          ///< by topic
  std::uint64_t max_cache_size = 100 * 1024 * 1024;  ///< bytes of messages on their way to the disk, or of a snapshot
  bool start_paused = false;
  bool use_sim_time = false;  ///< log times are those of /clock; nothing is recorded before its first message
  bool snapshot_mode = false;
  std::string node_name = "rosbag2_recorder";
};

/// Messages of a topic that are not in the bag.
struct Lost {
  std::string topic;
  std::uint64_t in_transport = 0;  ///< overtaken by their publisher, or lost on the way
  std::uint64_t in_recorder = 0;   ///< there was no room in the cache, or on the disk
};

class Recorder {
 public:
  /// Makes the bag and begins. `context` is initialised. \throws Error; rclcpp's exceptions when the domain cannot be joined.
  Recorder(const RecorderOptions & options, const std::shared_ptr<rclcpp::Context> & context);
  /// As stop(), without a word.
  ~Recorder();
  Recorder(const Recorder &) = delete;
  Recorder & operator=(const Recorder &) = delete;

  /// Whether it goes on: false once the bag cannot be written any more.
  bool is_recording() const;
  void pause();
  void resume();
  bool is_paused() const;
  /// Goes on in another file.
  void split();
  /// Writes what the cache holds. \return false if not in snapshot mode, or if there is nothing.
  bool take_snapshot();
  /// Writes what was taken and completes the bag. \throws Error why the recording ended, if it did so by itself.
  void stop();

  /// Topics that have lost messages.
  std::vector<Lost> lost() const;
  std::uint64_t message_count() const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::bag
