// Endpoints, threads and reports of one run.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "communication/communication.hpp"
#include "communication/messages.hpp"
#include "experiment/child.hpp"
#include "options/options.hpp"
#include "output/outputs.hpp"

namespace performance_test {

/// Used once, by one thread.
class Experiment {
 public:
  /// \param child publishing process, or nullptr.
  /// \throws std::exception when an endpoint or a log cannot be made.
  Experiment(const Options & options, Communication & communication, PublishingChild * child);
  ~Experiment();

  /// Until the time is over or a signal ends it. \return the process's exit status.
  int run();

 private:
  struct Publishing;
  struct Receiving;

  void make_endpoints();
  /// \return false when they did not appear in time; says so on stderr.
  bool wait_for_matched();
  void start_threads();
  void publish_loop(Publishing & publishing);
  void receive_loop(Loop & loop);
  void intra_thread_loop();
  void send_one(Publishing & publishing, std::int64_t due_ns, std::int64_t next_due_ns);
  void on_message(Receiving & receiving, const void * message, const PublisherId & publisher);

  bool publishing_goes_on() const;
  /// Sleeps until the block is full. \return whether it is the last one.
  bool wait_for_block(std::int64_t block_end_ns, std::int64_t deadline_ns);
  void report(std::int64_t now, bool last);
  void collect(Interval & interval, Usage & usage);
  int finish();

  const Options options_;
  const MessageKind & kind_;
  Communication & communication_;
  PublishingChild * const child_;
  std::vector<std::unique_ptr<Publishing>> publishing_;
  std::vector<std::unique_ptr<Receiving>> receiving_;
  std::vector<std::unique_ptr<Loop>> loops_;  ///< one for each receiving thread
  std::vector<std::thread> publisher_threads_;
  std::vector<std::thread> receiver_threads_;
  std::atomic<bool> stop_publishing_{false};
  std::atomic<bool> failed_{false};

  std::vector<std::unique_ptr<Output>> outputs_;
  Block block_;
  Usage last_usage_;
  rusage child_usage_{};
  std::int64_t last_report_ns_ = 0;
  std::string reason_;
};

}  // namespace performance_test
