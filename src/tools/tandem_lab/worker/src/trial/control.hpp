// What the runner and a peer say to each other: words on standard input, events on standard output, signals.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>

#include "trial/measure.hpp"

namespace lab {

/// One for a process, made before any other thread: it takes SIGINT and SIGTERM for itself. After the end of the
/// standard input, or a signal, the process has ten seconds to end; then it is ended.
class Control {
 public:
  static constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

  Control();
  ~Control();
  Control(const Control &) = delete;
  Control & operator=(const Control &) = delete;

  // From any thread, without locks.
  bool is_stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }
  /// Messages that a subscriber waits for; kUnknown before the word came.
  std::uint64_t expected() const noexcept { return expected_.load(std::memory_order_relaxed); }
  /// When that word came, ns. Meaningful once expected() is known.
  std::int64_t expected_since() const noexcept { return expected_since_.load(std::memory_order_relaxed); }

  /// \return false when `stop` came first.
  bool wait_for_go();
  void wait_for_stop();

  /// Woken by each word from now on; null: none. It must live until it is replaced.
  void wake_with(Inlet * inlet);

 private:
  void run();
  bool read_words();
  void hear(std::string_view line);
  void stop();
  void notify();

  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> expected_{kUnknown};
  std::atomic<std::int64_t> expected_since_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool go_ = false;
  Inlet * inlet_ = nullptr;
  std::string unfinished_;  // of the control thread
  int signals_ = -1;
  int ended_ = -1;
  std::thread thread_;
};

/// Prints {"event": name, "at": at, …more}. One thread at a time.
void emit(std::string_view event, std::int64_t at,
          const nlohmann::ordered_json & more = nlohmann::ordered_json::object());

}  // namespace lab
