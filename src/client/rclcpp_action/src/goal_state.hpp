// The states of a goal.
//
//   ACCEPTED ── execute ──► EXECUTING ── succeed, abort ──► SUCCEEDED, ABORTED
//      └────── cancel_goal ──────┴──► CANCELING ── succeed, abort, canceled ──► SUCCEEDED, ABORTED, CANCELED
#pragma once

#include <atomic>
#include <cstdint>

#include "rcl_action/types.h"

namespace rclcpp_action::detail {

/// Thread-safe.
class GoalState {
 public:
  explicit GoalState(bool is_executing) : state_(is_executing ? GOAL_STATE_EXECUTING : GOAL_STATE_ACCEPTED) {}

  std::int8_t get() const { return state_.load(); }
  bool is_active() const { return get() < GOAL_STATE_SUCCEEDED; }
  bool is_cancelable() const { return get() < GOAL_STATE_CANCELING; }

  /// \return false, and nothing changes, when the state does not allow it.
  bool change(rcl_action_goal_event_t event) {
    std::int8_t before = state_.load();
    std::int8_t after = GOAL_STATE_UNKNOWN;
    do {
      after = next(before, event);
      if (after == GOAL_STATE_UNKNOWN) return false;
    } while (!state_.compare_exchange_weak(before, after));
    return true;
  }

 private:
  static std::int8_t next(std::int8_t state, rcl_action_goal_event_t event) {
    const bool is_running = state == GOAL_STATE_EXECUTING || state == GOAL_STATE_CANCELING;
    switch (event) {
      case GOAL_EVENT_EXECUTE: return state == GOAL_STATE_ACCEPTED ? GOAL_STATE_EXECUTING : GOAL_STATE_UNKNOWN;
      case GOAL_EVENT_CANCEL_GOAL: return state < GOAL_STATE_CANCELING ? GOAL_STATE_CANCELING : GOAL_STATE_UNKNOWN;
      case GOAL_EVENT_SUCCEED: return is_running ? GOAL_STATE_SUCCEEDED : GOAL_STATE_UNKNOWN;
      case GOAL_EVENT_ABORT: return is_running ? GOAL_STATE_ABORTED : GOAL_STATE_UNKNOWN;
      case GOAL_EVENT_CANCELED: return state == GOAL_STATE_CANCELING ? GOAL_STATE_CANCELED : GOAL_STATE_UNKNOWN;
      default: return GOAL_STATE_UNKNOWN;
    }
  }

  std::atomic<std::int8_t> state_;
};

}  // namespace rclcpp_action::detail
