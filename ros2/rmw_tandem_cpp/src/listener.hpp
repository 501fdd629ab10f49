// Callbacks for new messages, and a clock for events: what would else be noticed by waiting.
#pragma once

#include <rmw/event_callback_type.h>

#include <memory>
#include <mutex>

#include "events.hpp"
#include "waitable.hpp"

namespace tandem_rmw {

/// Calls the callbacks from one thread, which runs from the first callback on. Thread-safe.
class Listener {
 public:
  explicit Listener(transport::Context & context) : context_(context) {}
  ~Listener();
  Listener(const Listener &) = delete;
  Listener & operator=(const Listener &) = delete;

  /// Null: none any more; then none is being called when this returns, unless by this thread. A callback is told at once of
  /// what is there already and was told to none before.
  void set_callback(const std::shared_ptr<Inbox> & inbox, rmw_event_callback_t callback, const void * user_data);
  /// Notifies the source when time may have changed its status, until forget().
  void watch(EventSource & source);
  void forget(EventSource & source);

 private:
  struct State;
  std::shared_ptr<State> state(bool is_wanted);

  transport::Context & context_;
  std::mutex mutex_;
  std::shared_ptr<State> state_;  // guarded by mutex_
};

}  // namespace tandem_rmw
