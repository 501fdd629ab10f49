// Goals' ids and states.
#include <gtest/gtest.h>

#include <unordered_set>
#include <vector>

#include "../src/goal_state.hpp"
#include "rcl_action/rcl_action.h"
#include "rclcpp_action/types.hpp"

namespace {

rclcpp_action::GoalUUID counting(std::uint8_t from) {
  rclcpp_action::GoalUUID id;
  for (auto & byte : id) byte = from++;
  return id;
}

TEST(GoalIds, AreWrittenAsUuids) {
  EXPECT_EQ(rclcpp_action::to_string(counting(0)), "00010203-0405-0607-0809-0a0b0c0d0e0f");
  EXPECT_EQ(rclcpp_action::to_string(counting(0xf0)), "f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
}

TEST(GoalIds, GoThroughThoseOfC) {
  rcl_action_goal_info_t info = rcl_action_get_zero_initialized_goal_info();
  info.stamp.sec = 5;
  rclcpp_action::convert(counting(7), &info);
  EXPECT_EQ(info.goal_id.uuid[15], 22);
  EXPECT_EQ(info.stamp.sec, 5);
  rclcpp_action::GoalUUID id{};
  rclcpp_action::convert(info, &id);
  EXPECT_EQ(id, counting(7));
}

TEST(GoalIds, HaveDifferentHashes) {
  std::unordered_set<std::size_t> hashes;
  for (std::uint8_t i = 0; i < 200; ++i) hashes.insert(std::hash<rclcpp_action::GoalUUID>()(counting(i)));
  EXPECT_EQ(hashes.size(), 200u);
}

/// What each event makes of each state; unknown: it is refused.
TEST(GoalStates, ChangeAsInRos2) {
  constexpr std::int8_t kNo = GOAL_STATE_UNKNOWN;
  constexpr std::int8_t kTable[GOAL_STATE_NUM_STATES][GOAL_EVENT_NUM_EVENTS] = {
      {kNo, kNo, kNo, kNo, kNo},
      {GOAL_STATE_EXECUTING, GOAL_STATE_CANCELING, kNo, kNo, kNo},
      {kNo, GOAL_STATE_CANCELING, GOAL_STATE_SUCCEEDED, GOAL_STATE_ABORTED, kNo},
      {kNo, kNo, GOAL_STATE_SUCCEEDED, GOAL_STATE_ABORTED, GOAL_STATE_CANCELED},
      {kNo, kNo, kNo, kNo, kNo},
      {kNo, kNo, kNo, kNo, kNo},
      {kNo, kNo, kNo, kNo, kNo},
  };
  using Events = std::vector<rcl_action_goal_event_t>;
  const Events ways[GOAL_STATE_NUM_STATES] = {{},
                                              {},
                                              {GOAL_EVENT_EXECUTE},
                                              {GOAL_EVENT_CANCEL_GOAL},
                                              {GOAL_EVENT_EXECUTE, GOAL_EVENT_SUCCEED},
                                              {GOAL_EVENT_CANCEL_GOAL, GOAL_EVENT_CANCELED},
                                              {GOAL_EVENT_EXECUTE, GOAL_EVENT_ABORT}};
  for (std::int8_t state = GOAL_STATE_ACCEPTED; state < GOAL_STATE_NUM_STATES; ++state) {
    for (int event = 0; event < GOAL_EVENT_NUM_EVENTS; ++event) {
      rclcpp_action::detail::GoalState goal(false);
      for (const auto step : ways[state]) ASSERT_TRUE(goal.change(step));
      ASSERT_EQ(goal.get(), state);
      const std::int8_t expected = kTable[state][event];
      EXPECT_EQ(goal.change(static_cast<rcl_action_goal_event_t>(event)), expected != kNo);
      EXPECT_EQ(goal.get(), expected != kNo ? expected : state);
    }
  }
}

}  // namespace
