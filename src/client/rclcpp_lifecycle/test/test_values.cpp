// States and transitions as values, and what is asked of types.
#include "managed_node.hpp"
#include "rclcpp_lifecycle/type_traits/is_manageable_node.hpp"

using rclcpp_lifecycle::State;
using rclcpp_lifecycle::Transition;

namespace {

struct ResettableState : State {
  using State::reset;
  using State::State;
};
struct ResettableTransition : Transition {
  using Transition::reset;
  using Transition::Transition;
};

TEST(States, AreNumberAndLabel) {
  const State state(7, "mine");
  EXPECT_EQ(state.id(), 7);
  EXPECT_EQ(state.label(), "mine");
  EXPECT_EQ(State().id(), 0);
  EXPECT_EQ(State().label(), "unknown");
  State copy(state);
  copy = copy;  // NOLINT: assigning to itself is what is tested
  EXPECT_EQ(copy.label(), "mine");
  EXPECT_THROW(State(1, ""), std::runtime_error);
}

TEST(States, CopyWhatAHandleHolds) {
  std::string label = "of a handle";
  const rcl_lifecycle_state_t handle{label.c_str(), 3, nullptr, 0};
  const State state(&handle);
  label[0] = 'x';
  EXPECT_EQ(state.id(), 3);
  EXPECT_EQ(state.label(), "of a handle");
  EXPECT_THROW(State(static_cast<const rcl_lifecycle_state_t *>(nullptr)), std::runtime_error);
  const rcl_lifecycle_state_t without_label{nullptr, 3, nullptr, 0};
  EXPECT_THROW(State{&without_label}, std::runtime_error);
}

TEST(States, HaveNothingAfterReset) {
  ResettableState state(1, "one");
  state.reset();
  EXPECT_THROW(state.id(), std::runtime_error);
  EXPECT_THROW(state.label(), std::runtime_error);
}

TEST(Transitions, HaveStatesIfTheyWereMadeWithThem) {
  const Transition bare(12);
  EXPECT_EQ(bare.id(), 12);
  EXPECT_EQ(bare.label(), "");
  EXPECT_THROW(bare.start_state(), std::runtime_error);
  EXPECT_THROW(bare.goal_state(), std::runtime_error);
  Transition transition(12, "go", State(1, "here"), State(2, "there"));
  const Transition copy = transition;
  EXPECT_EQ(copy.label(), "go");
  EXPECT_EQ(copy.start_state().label(), "here");
  EXPECT_EQ(copy.goal_state().id(), 2);
  transition = bare;
  EXPECT_THROW(transition.start_state(), std::runtime_error);
}

TEST(Transitions, CopyWhatAHandleHolds) {
  rcl_lifecycle_state_t here{"here", 1, nullptr, 0};
  const rcl_lifecycle_transition_t handle{"go", 9, &here, nullptr};
  const Transition transition(&handle);
  EXPECT_EQ(transition.id(), 9);
  EXPECT_EQ(transition.start_state().label(), "here");
  EXPECT_THROW(transition.goal_state(), std::runtime_error);
  EXPECT_THROW(Transition(static_cast<const rcl_lifecycle_transition_t *>(nullptr)), std::runtime_error);
}

TEST(Transitions, HaveNothingAfterReset) {
  ResettableTransition transition(1, "one", State(1, "a"), State(2, "b"));
  transition.reset();
  EXPECT_THROW(transition.id(), std::runtime_error);
  EXPECT_THROW(transition.label(), std::runtime_error);
  EXPECT_THROW(transition.start_state(), std::runtime_error);
}

struct Manageable {
  void on_activate();
  void on_deactivate();
};
static_assert(is_manageable_node<Manageable>::value, "");
static_assert(!is_manageable_node<int>::value, "");
static_assert(!is_manageable_node<rclcpp_lifecycle::LifecycleNode>::value, "its callbacks take a state");
static_assert(!std::is_base_of<rclcpp::Node, rclcpp_lifecycle::LifecycleNode>::value, "overloads tell them apart");

}  // namespace
