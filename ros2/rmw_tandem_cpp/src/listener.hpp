// Callbacks for new messages, and a clock for events: what would else be noticed by waiting.
#pragma once

#include <rmw/event_callback_type.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "events.hpp"
#include "waitable.hpp"

namespace tandem_rmw {

/// Calls the callbacks from one thread, which runs from the first callback on. While one is called, only its own endpoint is
/// locked. Thread-safe.
class Listener {
 public:
  explicit Listener(transport::Context & context) : context_(context) {}
  ~Listener();
  Listener(const Listener &) = delete;
  Listener & operator=(const Listener &) = delete;

  /// As Inbox::set_callback().
  void set_callback(const std::shared_ptr<Inbox> & inbox, rmw_event_callback_t callback, const void * user_data);
  /// Notifies the source when time may have changed its status, for as long as it lives and has callbacks.
  void watch(const std::shared_ptr<EventSource> & source);
  /// Looks again at what is watched. \pre watch() was called.
  void wake() { wait_set_->wake(); }

 private:
  struct Entry {
    std::weak_ptr<Inbox> inbox;
    std::shared_ptr<std::recursive_mutex> calling;  ///< the inbox's
  };
  void start();
  void run();

  transport::Context & context_;
  std::shared_ptr<transport::WaitSet> wait_set_;  ///< set once, by start()
  std::atomic<bool> is_over_{false};
  std::mutex mutex_;
  std::vector<Entry> inboxes_;                       ///< guarded by mutex_, as what follows; some without a callback
  std::vector<std::weak_ptr<EventSource>> sources_;  ///< likewise
  std::thread thread_;
};

}  // namespace tandem_rmw
