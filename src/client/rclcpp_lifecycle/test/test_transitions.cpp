// The state machine: every transition with every result, what is refused, and what is told of it.
#include <atomic>
#include <set>
#include <thread>

#include "lifecycle_msgs/msg/transition_event.hpp"
#include "managed_node.hpp"

using test::CallbackReturn;
using test::ManagedNode;
using test::StateId;
using test::TransitionId;

namespace {

enum class End { kSuccess, kFailure, kError, kOtherNumber, kException, kNoException };
constexpr End kAllEnds[] = {End::kSuccess,     End::kFailure,   End::kError,
                            End::kOtherNumber, End::kException, End::kNoException};

CallbackReturn end_with(End end) {
  switch (end) {
    case End::kSuccess: return CallbackReturn::SUCCESS;
    case End::kFailure: return CallbackReturn::FAILURE;
    case End::kError: return CallbackReturn::ERROR;
    case End::kOtherNumber: return static_cast<CallbackReturn>(7);
    case End::kException: throw std::runtime_error("as the test wants");
    case End::kNoException: throw 5;  // NOLINT: what is thrown need not be an exception
  }
  return CallbackReturn::ERROR;
}

bool is_error(End end) { return end != End::kSuccess && end != End::kFailure; }

/// A transition that can be asked for.
struct Asked {
  std::uint8_t id;
  const char * label;
  std::uint8_t from;
  const char * between;
  std::uint8_t to;
  std::uint8_t after_failure;
};
constexpr auto kUnconfigured = StateId::PRIMARY_STATE_UNCONFIGURED;
constexpr auto kInactive = StateId::PRIMARY_STATE_INACTIVE;
constexpr auto kActive = StateId::PRIMARY_STATE_ACTIVE;
constexpr auto kFinalized = StateId::PRIMARY_STATE_FINALIZED;
constexpr Asked kAllAsked[] = {
    {TransitionId::TRANSITION_CONFIGURE, "configure", kUnconfigured, "configuring", kInactive, kUnconfigured},
    {TransitionId::TRANSITION_CLEANUP, "cleanup", kInactive, "cleaningup", kUnconfigured, kInactive},
    {TransitionId::TRANSITION_ACTIVATE, "activate", kInactive, "activating", kActive, kInactive},
    {TransitionId::TRANSITION_DEACTIVATE, "deactivate", kActive, "deactivating", kInactive, kActive},
    {TransitionId::TRANSITION_UNCONFIGURED_SHUTDOWN, "shutdown", kUnconfigured, "shuttingdown", kFinalized, kFinalized},
    {TransitionId::TRANSITION_INACTIVE_SHUTDOWN, "shutdown", kInactive, "shuttingdown", kFinalized, kFinalized},
    {TransitionId::TRANSITION_ACTIVE_SHUTDOWN, "shutdown", kActive, "shuttingdown", kFinalized, kFinalized},
};
const std::map<std::uint8_t, std::string> kPrimary{
    {kUnconfigured, "unconfigured"}, {kInactive, "inactive"}, {kActive, "active"}, {kFinalized, "finalized"}};

class Transitions : public test::Rclcpp {
 protected:
  std::shared_ptr<ManagedNode> node_in(std::uint8_t state) {
    auto node = std::make_shared<ManagedNode>("managed", rclcpp::NodeOptions(), false);
    test::bring(*node, state);
    return node;
  }
};

TEST_F(Transitions, LeadWhereTheResultOfTheCallbackSays) {
  for (const Asked & asked : kAllAsked) {
    for (const End end : kAllEnds) {
      SCOPED_TRACE(std::string(asked.label) + " " + std::to_string(static_cast<int>(end)));
      const auto node = node_in(asked.from);
      node->deeds[asked.label] = [end] { return end_with(end); };
      const auto before = node->calls().size();
      auto result = CallbackReturn::SUCCESS;
      const auto & after = node->trigger_transition(asked.id, result);
      EXPECT_EQ(after.id(), node->get_current_state().id());
      const std::string call = std::string(asked.label) + " from " + kPrimary.at(asked.from) + " in " + asked.between;
      ASSERT_EQ(node->calls().size(), before + (is_error(end) ? 2 : 1));
      EXPECT_EQ(node->calls()[before], call);
      if (is_error(end)) {
        EXPECT_EQ(node->calls()[before + 1], "error from " + kPrimary.at(asked.from) + " in errorprocessing");
        EXPECT_EQ(after.id(), kUnconfigured);
      } else {
        EXPECT_EQ(after.id(), end == End::kSuccess ? asked.to : asked.after_failure);
      }
      if (end != End::kOtherNumber) {
        EXPECT_EQ(result, end == End::kSuccess   ? CallbackReturn::SUCCESS
                          : end == End::kFailure ? CallbackReturn::FAILURE
                                                 : CallbackReturn::ERROR);
      }
    }
  }
}

TEST_F(Transitions, LeadFromAnErrorWhereOnErrorSays) {
  for (const Asked & asked : kAllAsked) {
    for (const End end : kAllEnds) {
      SCOPED_TRACE(std::string(asked.label) + " " + std::to_string(static_cast<int>(end)));
      const auto node = node_in(asked.from);
      node->deeds[asked.label] = [] { return CallbackReturn::ERROR; };
      node->deeds["error"] = [end] { return end_with(end); };
      auto result = CallbackReturn::SUCCESS;
      EXPECT_EQ(node->trigger_transition(asked.id, result).id(), end == End::kSuccess ? kUnconfigured : kFinalized);
      EXPECT_EQ(result, CallbackReturn::ERROR);
    }
  }
}

TEST_F(Transitions, ThatAStateDoesNotHaveAreRefused) {
  for (const auto & [state, label] : kPrimary) {
    const auto node = node_in(state);
    const auto calls = node->calls().size();
    for (unsigned id = 0; id < 256; ++id) {
      const bool has = std::any_of(std::begin(kAllAsked), std::end(kAllAsked), [&, own = state](const Asked & asked) {
        return asked.from == own && asked.id == id;
      });
      if (has) continue;
      auto result = CallbackReturn::FAILURE;
      const std::string log = written(
          [&] { node->trigger_transition(rclcpp_lifecycle::Transition(static_cast<std::uint8_t>(id)), result); });
      EXPECT_NE(log.find("there is no transition " + std::to_string(id) + " from the state '" + label),
                std::string::npos);
      EXPECT_EQ(result, CallbackReturn::FAILURE);
    }
    EXPECT_EQ(node->get_current_state().id(), state);
    EXPECT_EQ(node->calls().size(), calls);
  }
}

TEST_F(Transitions, HaveCallsOfTheirOwn) {
  const auto node = node_in(kUnconfigured);
  auto result = CallbackReturn::ERROR;
  EXPECT_EQ(node->configure(result).label(), "inactive");
  EXPECT_EQ(result, CallbackReturn::SUCCESS);
  EXPECT_EQ(node->activate(result).label(), "active");
  EXPECT_EQ(node->deactivate(result).label(), "inactive");
  EXPECT_EQ(node->cleanup(result).label(), "unconfigured");
  EXPECT_EQ(node->shutdown(result).label(), "finalized");
  EXPECT_EQ(node->shutdown().label(), "finalized");
  EXPECT_EQ(node->configure().label(), "finalized");
  for (const auto state : {kInactive, kActive}) EXPECT_EQ(node_in(state)->shutdown().label(), "finalized");
}

TEST_F(Transitions, AreRefusedUntilTheCallbackHasReturned) {
  const auto node = node_in(kUnconfigured);
  node->deeds["configure"] = [&] {
    EXPECT_EQ(node->get_available_transitions().size(), 3u);
    for (const auto id : {TransitionId::TRANSITION_ACTIVATE, TransitionId::TRANSITION_CONFIGURE,
                          TransitionId::TRANSITION_ON_CONFIGURE_SUCCESS, TransitionId::TRANSITION_ON_CONFIGURE_ERROR}) {
      EXPECT_EQ(node->trigger_transition(id).label(), "configuring");
    }
    std::thread([&] { EXPECT_EQ(node->shutdown().label(), "configuring"); }).join();
    return CallbackReturn::SUCCESS;
  };
  EXPECT_EQ(node->configure().label(), "inactive");
  EXPECT_EQ(node->calls().size(), 1u);
}

TEST_F(Transitions, OfManyThreadsAreTakenOneAfterAnother) {
  const auto node = node_in(kUnconfigured);
  constexpr int kThreads = 4;
  constexpr int kRounds = 200;
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  const auto deed = [&] {
    most = std::max(most.load(), ++inside);
    --inside;
    return CallbackReturn::SUCCESS;
  };
  node->deeds = {{"configure", deed}, {"cleanup", deed}};
  std::atomic<int> taken{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        auto result = CallbackReturn::FAILURE;
        node->configure(result);
        taken += result == CallbackReturn::SUCCESS;
        result = CallbackReturn::FAILURE;
        node->cleanup(result);
        taken += result == CallbackReturn::SUCCESS;
        EXPECT_FALSE(node->get_current_state().label().empty());
      }
    });
  }
  for (auto & thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_GT(taken, 0);
  EXPECT_EQ(node->calls().size(), static_cast<std::size_t>(taken));
  EXPECT_EQ(node->get_current_state().id(), taken % 2 == 0 ? kUnconfigured : kInactive);
}

TEST_F(Transitions, CallWhatWasRegistered) {
  const auto node = node_in(kUnconfigured);
  std::vector<std::string> called;
  const auto note = [&](const char * name, CallbackReturn result) {
    return [&called, name, result](const rclcpp_lifecycle::State & previous) {
      called.push_back(name + (" " + previous.label()));
      return result;
    };
  };
  EXPECT_TRUE(node->register_on_configure(note("configure", CallbackReturn::SUCCESS)));
  EXPECT_TRUE(node->register_on_activate(note("activate", CallbackReturn::SUCCESS)));
  EXPECT_TRUE(node->register_on_deactivate(note("deactivate", CallbackReturn::SUCCESS)));
  EXPECT_TRUE(node->register_on_cleanup(note("cleanup", CallbackReturn::ERROR)));
  EXPECT_TRUE(node->register_on_error(note("error", CallbackReturn::SUCCESS)));
  EXPECT_TRUE(node->register_on_shutdown(note("shutdown", CallbackReturn::SUCCESS)));
  node->configure();
  node->activate();
  node->deactivate();
  node->cleanup();
  node->shutdown();
  EXPECT_EQ(called, (std::vector<std::string>{"configure unconfigured", "activate inactive", "deactivate active",
                                              "cleanup inactive", "error inactive", "shutdown unconfigured"}));
  EXPECT_TRUE(node->calls().empty());
}

TEST_F(Transitions, SucceedWithoutCallbacks) {
  rclcpp_lifecycle::LifecycleNode node("plain");
  EXPECT_EQ(node.configure().label(), "inactive");
  EXPECT_EQ(node.activate().label(), "active");
  EXPECT_EQ(node.shutdown().label(), "finalized");
}

TEST_F(Transitions, AreListed) {
  const auto node = node_in(kUnconfigured);
  std::vector<std::string> states;
  for (const auto & state : node->get_available_states()) states.push_back(std::to_string(state.id()) + state.label());
  EXPECT_EQ(states, (std::vector<std::string>{"0unknown", "1unconfigured", "2inactive", "3active", "4finalized",
                                              "10configuring", "11cleaningup", "12shuttingdown", "13activating",
                                              "14deactivating", "15errorprocessing"}));
  std::vector<std::string> available;
  for (const auto & transition : node->get_available_transitions()) {
    available.push_back(transition.label() + " " + transition.start_state().label() + " " +
                        transition.goal_state().label());
  }
  EXPECT_EQ(available,
            (std::vector<std::string>{"configure unconfigured configuring", "shutdown unconfigured shuttingdown"}));
  std::set<std::uint8_t> graph;
  for (const auto & transition : node->get_transition_graph()) graph.insert(transition.id());
  EXPECT_EQ(graph, (std::set<std::uint8_t>{1,  2,  3,  4,  5,  6,  7,  10, 11, 12, 20, 21, 22,
                                           30, 31, 32, 40, 41, 42, 50, 51, 52, 60, 61, 62}));
  EXPECT_EQ(node->get_transition_graph().size(), 25u);
}

TEST_F(Transitions, StillHappenAfterShutdownOfTheContext) {
  const auto node = node_in(kInactive);
  rclcpp::shutdown();
  EXPECT_EQ(node->shutdown().label(), "finalized");
}

/// What was told of transitions, "unconfigured>configuring by configure".
class TransitionEvents : public test::WithNode {
 protected:
  using Event = lifecycle_msgs::msg::TransitionEvent;

  void SetUp() override {
    WithNode::SetUp();
    managed_ = std::make_shared<ManagedNode>("managed", "/ns", rclcpp::NodeOptions(), GetWithServices());
    events_ = node_->create_subscription<Event>("managed/transition_event", 100,
                                                [this](Event::ConstSharedPtr event) { told_.push_back(*event); });
    ASSERT_TRUE(test::eventually([&] { return node_->count_publishers("managed/transition_event") == 1; }));
    ASSERT_TRUE(test::eventually([&] { return events_->get_publisher_count() == 1; }));
  }
  void TearDown() override {
    events_.reset();
    managed_.reset();
    WithNode::TearDown();
  }
  virtual bool GetWithServices() const { return true; }

  std::vector<std::string> told(std::size_t count) {
    EXPECT_TRUE(spin_until([&] { return told_.size() >= count; }));
    std::vector<std::string> texts;
    for (const Event & event : told_) {
      texts.push_back(std::string(event.start_state.label.c_str()) + ">" + event.goal_state.label.c_str() + " by " +
                      event.transition.label.c_str());
    }
    return texts;
  }

  std::shared_ptr<ManagedNode> managed_;
  rclcpp::Subscription<Event>::SharedPtr events_;
  std::vector<Event> told_;
};

TEST_F(TransitionEvents, TellOfEachStep) {
  managed_->deeds["activate"] = [] { return CallbackReturn::FAILURE; };
  managed_->deeds["cleanup"] = [] { return CallbackReturn::ERROR; };
  managed_->configure();
  managed_->activate();
  managed_->deactivate();  // refused
  managed_->cleanup();
  managed_->shutdown();
  EXPECT_EQ(told(9), (std::vector<std::string>{
                         "unconfigured>configuring by configure", "configuring>inactive by transition_success",
                         "inactive>activating by activate", "activating>inactive by transition_failure",
                         "inactive>cleaningup by cleanup", "cleaningup>errorprocessing by transition_error",
                         "errorprocessing>unconfigured by transition_success", "unconfigured>shuttingdown by shutdown",
                         "shuttingdown>finalized by transition_success"}));
  EXPECT_EQ(told_[0].transition.id, TransitionId::TRANSITION_CONFIGURE);
  EXPECT_EQ(told_[0].start_state.id, kUnconfigured);
  EXPECT_EQ(told_[0].goal_state.id, StateId::TRANSITION_STATE_CONFIGURING);
  EXPECT_GT(told_[0].stamp.sec, 0);
}

class TransitionEventsWithoutServices : public TransitionEvents {
  bool GetWithServices() const override { return false; }
};

TEST_F(TransitionEventsWithoutServices, AreTheOnlyThingThatOthersSee) {
  managed_->configure();
  EXPECT_EQ(told(2).size(), 2u);
  const auto services = managed_->get_service_names_and_types_by_node("managed", "/ns");
  for (const char * name :
       {"change_state", "get_state", "get_available_states", "get_available_transitions", "get_transition_graph"}) {
    EXPECT_EQ(services.count(std::string("/ns/managed/") + name), 0u) << name;
  }
}

}  // namespace
