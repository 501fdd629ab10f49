// Events of rmw.h: what has happened to a publisher or a subscription since it was asked last.
#pragma once

#include <rmw/event.h>
#include <rmw/event_callback_type.h>

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

#include "waitable.hpp"

namespace tandem_rmw {

class EventSource;
class Listener;

#ifdef TANDEM_RMW_HAS_EVENT_TYPE_MAX
inline constexpr std::size_t kEventTypes = RMW_EVENT_TYPE_MAX;  ///< their number; 0 is none
#else
inline constexpr std::size_t kEventTypes = RMW_EVENT_INVALID;  ///< their number
#endif
inline bool is_event_type(rmw_event_type_t type) { return type < kEventTypes && type != RMW_EVENT_INVALID; }

/// Events of one type of one endpoint. Thread-safe.
class Event {
 public:
  Event() = default;

  bool has_changed() const;
  /// Fills rmw.h's struct of the event's type.
  void take(void * info);
  /// When time alone may change it.
  std::chrono::steady_clock::time_point next_look() const;
  /// Whether that may change without a notification.
  bool is_timed() const;
  /// How much has happened since this was asked last. At first: since the endpoint was made.
  std::size_t news();
  Sleepers & sleepers();
  EventSource & source() { return *source_; }

  const std::uint64_t identity = new_identity();

 private:
  friend class EventSource;
  EventSource * source_ = nullptr;
  rmw_event_callback_t callback_ = nullptr;  // guarded by the source's calling mutex, as user_data_
  const void * user_data_ = nullptr;
  rmw_event_type_t type_ = RMW_EVENT_INVALID;
  tandem::Status taken_;  // guarded by the source's mutex, as told_
  tandem::Status told_;
};

class EventSource : public std::enable_shared_from_this<EventSource> {
 public:
  /// \param status  of the endpoint, from any thread; does not keep it. \param is_timed  each message changes when time alone
  /// may change it.
  EventSource(Listener & listener, std::function<tandem::Status()> status, bool is_timed);
  ~EventSource() { ++list_changes; }

  /// Null for a type that this implementation does not know.
  Event * event(rmw_event_type_t type);
  /// The status has, or may have changed: calls the callbacks of what has happened, then wakes who waits.
  void notify();
  /// Null: none any more; then none is being called when this returns, unless by this thread. A callback is told at once of
  /// what has happened already.
  void set_callback(Event & event, rmw_event_callback_t callback, const void * user_data);
  /// Of all events, likewise.
  void remove_callbacks();
  /// When time alone may change the status.
  std::chrono::steady_clock::time_point next_look() const;
  /// The same if there is a callback to tell, else never.
  std::chrono::steady_clock::time_point next_call();
  Sleepers & sleepers() { return sleepers_; }

 private:
  friend class Event;
  Listener & listener_;
  const std::function<tandem::Status()> status_;
  const bool is_timed_;
  std::mutex mutex_;
  std::recursive_mutex calling_;  // while callbacks are called; before mutex_
  Sleepers sleepers_;
  std::array<Event, kEventTypes> events_;  ///< by their type
};

/// Makes rmw.h's handle of an event. \return RMW_RET_UNSUPPORTED for a type that the endpoint does not have.
rmw_ret_t init_event(rmw_event_t & event, EventSource & source, rmw_event_type_t type, bool is_publisher);

}  // namespace tandem_rmw
