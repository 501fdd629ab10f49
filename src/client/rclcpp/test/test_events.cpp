// Deadline, lifespan, liveliness, and the events of publishers and subscriptions.
#include "support.hpp"

#include <unistd.h>

#include <atomic>

#include "other_process.hpp"

using namespace std::chrono_literals;
using rclcpp::Duration;
using rclcpp::LivelinessPolicy;
using rclcpp::QoS;
using test::Block;
using test::Other;

namespace {

class Events : public test::WithNode {
 protected:
  template <class T = Block>
  std::shared_ptr<rclcpp::Publisher<T>> publisher(const QoS & qos,
                                                  const rclcpp::PublisherEventCallbacks & events = {}) {
    rclcpp::PublisherOptions options;
    options.event_callbacks = events;
    return node_->create_publisher<T>("topic", qos, options);
  }
  template <class T = Block>
  std::shared_ptr<rclcpp::Subscription<T>> subscription(const QoS & qos,
                                                        const rclcpp::SubscriptionEventCallbacks & events = {}) {
    rclcpp::SubscriptionOptions options;
    options.event_callbacks = events;
    return node_->create_subscription<T>(
        "topic", qos, [this](const T &) { ++received_; }, options);
  }

  int received_ = 0;
};

/// Whether the transport has an event; where it has none, setting its callback says so.
#define SKIP_UNSUPPORTED(statement)                                \
  try {                                                            \
    statement;                                                     \
  } catch (const rclcpp::UnsupportedEventTypeException & error) {  \
    GTEST_SKIP() << error.what();                                  \
  } catch (const rclcpp::exceptions::RCLInvalidArgument & error) { \
    GTEST_SKIP() << error.what();                                  \
  }

TEST_F(Events, ADeadlineThatBeginsWhileAnExecutorSleepsIsMissed) {
  std::atomic<int> missed{0};
  rclcpp::PublisherEventCallbacks of_publisher;
  of_publisher.deadline_callback = [&](rclcpp::QOSDeadlineOfferedInfo & info) { missed = info.total_count; };
  std::shared_ptr<rclcpp::Publisher<Block>> pub;
  SKIP_UNSUPPORTED(pub = publisher(QoS(1).deadline(Duration(50ms)), of_publisher));
  std::thread spinning([this] { executor_->spin(); });
  std::this_thread::sleep_for(10ms);  // it may be asleep now; if not, the test is only easier to pass
  pub->publish(Block());
  EXPECT_TRUE(test::eventually([&] { return missed > 0; }));
  executor_->cancel();
  spinning.join();
}

TEST_F(Events, DeadlinesAreMissedAtBothEnds) {
  const QoS qos = QoS(10).deadline(Duration(100ms));
  int offered = 0, requested = 0, changes = 0;
  rclcpp::PublisherEventCallbacks of_publisher;
  of_publisher.deadline_callback = [&](rclcpp::QOSDeadlineOfferedInfo & info) { offered = info.total_count; };
  rclcpp::SubscriptionEventCallbacks of_subscription;
  of_subscription.deadline_callback = [&](rclcpp::QOSDeadlineRequestedInfo & info) {
    requested = info.total_count;
    changes += info.total_count_change;
  };
  auto sub = subscription(qos, of_subscription);
  auto pub = publisher(qos, of_publisher);
  ASSERT_TRUE(matched(pub));
  pub->publish(Block());
  // Nothing comes any more, and the executor sleeps: it wakes for the deadlines by itself.
  const auto end = std::chrono::steady_clock::now() + test::kPatience;
  while ((offered < 2 || requested < 2) && std::chrono::steady_clock::now() < end) executor_->spin_once(10s);
  EXPECT_EQ(received_, 1);
  EXPECT_GE(offered, 2);
  EXPECT_GE(requested, 2);
  EXPECT_EQ(changes, requested);
}

TEST_F(Events, WithoutAMessageNoDeadlineIsMissed) {
  const QoS qos = QoS(10).deadline(Duration(1ms));
  bool is_missed = false;
  rclcpp::SubscriptionEventCallbacks events;
  events.deadline_callback = [&](rclcpp::QOSDeadlineRequestedInfo &) { is_missed = true; };
  auto sub = subscription(qos, events);
  auto pub = publisher(qos);
  ASSERT_TRUE(matched(pub));
  executor_->spin_once(20ms);
  EXPECT_FALSE(is_missed);
}

TEST_F(Events, MessagesBeyondTheirLifespanAreNotTaken) {
  const QoS qos = QoS(10).transient_local().lifespan(Duration(1ms));
  auto pub = publisher(qos);
  for (int i = 0; i < 3; ++i) pub->publish(Block());
  std::this_thread::sleep_for(20ms);  // longer than they live
  int lost = 0;
  rclcpp::SubscriptionEventCallbacks events;
  events.message_lost_callback = [&](rclcpp::QOSMessageLostInfo &) { ++lost; };
  auto late = subscription(QoS(10).transient_local(), events);
  ASSERT_TRUE(matched(pub));
  auto lasting = node_->create_publisher<Block>("topic", QoS(10).transient_local());
  lasting->publish(Block());
  ASSERT_TRUE(spin_until([&] { return received_ != 0; }));
  executor_->spin_some();
  EXPECT_EQ(received_, 1);
  EXPECT_EQ(lost, 0);
}

TEST_F(Events, CallbacksForNewOnesAreToldWithoutAnExecutor) {
  std::atomic<std::size_t> at_publisher{0}, at_subscription{0};
  rclcpp::PublisherEventCallbacks of_publisher;
  of_publisher.matched_callback = [](rclcpp::MatchedInfo &) {};
  rclcpp::SubscriptionEventCallbacks of_subscription;
  of_subscription.matched_callback = of_publisher.matched_callback;
  std::shared_ptr<rclcpp::Publisher<Block>> pub;
  SKIP_UNSUPPORTED(pub = publisher(QoS(1), of_publisher));
  pub->set_on_new_qos_event_callback([&](std::size_t count) { at_publisher += count; }, RCL_PUBLISHER_MATCHED);
  auto sub = subscription(QoS(1), of_subscription);
  sub->set_on_new_qos_event_callback([&](std::size_t count) { at_subscription += count; }, RCL_SUBSCRIPTION_MATCHED);
  EXPECT_TRUE(test::eventually([&] { return at_publisher > 0 && at_subscription > 0; }));
  pub->clear_on_new_qos_event_callback(RCL_PUBLISHER_MATCHED);
  EXPECT_THROW(pub->set_on_new_qos_event_callback(nullptr, RCL_PUBLISHER_MATCHED), std::invalid_argument);
  EXPECT_THROW(sub->set_on_new_qos_event_callback(nullptr, RCL_SUBSCRIPTION_MATCHED), std::invalid_argument);
  const std::string text = written([&] {
    pub->set_on_new_qos_event_callback([](std::size_t) {}, RCL_PUBLISHER_OFFERED_DEADLINE_MISSED);
    sub->clear_on_new_qos_event_callback(RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED);
  });
  EXPECT_NE(text.find("topic '/ns/topic'"), std::string::npos) << text;
}

TEST_F(Events, MatchesAreTold) {
  std::vector<rclcpp::MatchedInfo> of_pub, of_sub;
  rclcpp::PublisherEventCallbacks of_publisher;
  of_publisher.matched_callback = [&](rclcpp::MatchedInfo & info) { of_pub.push_back(info); };
  rclcpp::SubscriptionEventCallbacks of_subscription;
  of_subscription.matched_callback = [&](rclcpp::MatchedInfo & info) { of_sub.push_back(info); };
  auto pub = publisher(QoS(1), of_publisher);
  auto sub = subscription(QoS(1), of_subscription);
  ASSERT_TRUE(spin_until([&] { return !of_pub.empty() && !of_sub.empty(); }));
  for (const auto & info : {of_pub.back(), of_sub.back()}) {
    EXPECT_EQ(info.total_count, 1u);
    EXPECT_EQ(info.total_count_change, 1u);
    EXPECT_EQ(info.current_count, 1u);
    EXPECT_EQ(info.current_count_change, 1);
  }
  sub.reset();
  ASSERT_TRUE(spin_until([&] { return of_pub.back().current_count == 0; }));
  EXPECT_EQ(of_pub.back().total_count, 1u);
  EXPECT_EQ(of_pub.back().current_count_change, -1);
}

TEST_F(Events, IncompatibleQosIsToldToBothWithItsPolicy) {
  struct Pair {
    QoS offered, requested;
    rmw_qos_policy_kind_t policy;
  };
  const Pair pairs[] = {
      {QoS(1).best_effort(), QoS(1).reliable(), RMW_QOS_POLICY_RELIABILITY},
      {QoS(1), QoS(1).transient_local(), RMW_QOS_POLICY_DURABILITY},
      {QoS(1).deadline(Duration(2s)), QoS(1).deadline(Duration(1s)), RMW_QOS_POLICY_DEADLINE},
      {QoS(1), QoS(1).deadline(Duration(1s)), RMW_QOS_POLICY_DEADLINE},
      {QoS(1).liveliness(LivelinessPolicy::Automatic), QoS(1).liveliness(LivelinessPolicy::ManualByTopic),
       RMW_QOS_POLICY_LIVELINESS},
      {QoS(1).liveliness_lease_duration(Duration(2s)), QoS(1).liveliness_lease_duration(Duration(1s)),
       RMW_QOS_POLICY_LIVELINESS},
  };
  for (const Pair & pair : pairs) {
    testing::internal::CaptureStderr();
    rclcpp::QOSOfferedIncompatibleQoSInfo offered{};
    rclcpp::QOSRequestedIncompatibleQoSInfo requested{};
    rclcpp::PublisherEventCallbacks of_publisher;
    of_publisher.incompatible_qos_callback = [&](rclcpp::QOSOfferedIncompatibleQoSInfo & info) { offered = info; };
    rclcpp::SubscriptionEventCallbacks of_subscription;
    of_subscription.incompatible_qos_callback = [&](rclcpp::QOSRequestedIncompatibleQoSInfo & info) {
      requested = info;
    };
    try {
      auto pub = publisher(pair.offered, of_publisher);
      auto sub = subscription(pair.requested, of_subscription);
      EXPECT_TRUE(spin_until([&] { return offered.total_count == 1 && requested.total_count == 1; }));
      EXPECT_EQ(offered.last_policy_kind, pair.policy);
      EXPECT_EQ(requested.last_policy_kind, pair.policy);
      EXPECT_EQ(pub->get_subscription_count(), 0u);
      EXPECT_EQ(rclcpp::qos_check_compatible(pair.offered, pair.requested).compatibility,
                rclcpp::QoSCompatibility::Error);
    } catch (const rclcpp::exceptions::RCLInvalidArgument &) {  // a policy that the transport lacks
    }
    testing::internal::GetCapturedStderr();
  }
}

TEST_F(Events, AnIncompatibleTypeIsTold) {
  testing::internal::CaptureStderr();
  rclcpp::IncompatibleTypeInfo of_pub{}, of_sub{};
  rclcpp::PublisherEventCallbacks of_publisher;
  of_publisher.incompatible_type_callback = [&](rclcpp::IncompatibleTypeInfo & info) { of_pub = info; };
  rclcpp::SubscriptionEventCallbacks of_subscription;
  of_subscription.incompatible_type_callback = [&](rclcpp::IncompatibleTypeInfo & info) { of_sub = info; };
  SKIP_UNSUPPORTED(publisher(QoS(1), of_publisher));
  auto pub = publisher(QoS(1), of_publisher);
  auto sub = subscription<Other>(QoS(1), of_subscription);
  EXPECT_TRUE(spin_until([&] { return of_pub.total_count == 1 && of_sub.total_count == 1; }));
  testing::internal::GetCapturedStderr();
}

TEST_F(Events, ManualLivelinessIsLostAndRegained) {
  const QoS qos = QoS(10).liveliness(LivelinessPolicy::ManualByTopic).liveliness_lease_duration(Duration(200ms));
  int lost = 0;
  rclcpp::QOSLivelinessChangedInfo seen{};
  rclcpp::PublisherEventCallbacks of_publisher;
  of_publisher.liveliness_callback = [&](rclcpp::QOSLivelinessLostInfo & info) { lost = info.total_count; };
  rclcpp::SubscriptionEventCallbacks of_subscription;
  of_subscription.liveliness_callback = [&](rclcpp::QOSLivelinessChangedInfo & info) { seen = info; };
  std::shared_ptr<rclcpp::Publisher<Block>> pub;
  SKIP_UNSUPPORTED(pub = publisher(qos, of_publisher));
  auto sub = subscription(qos, of_subscription);
  ASSERT_TRUE(matched(pub));
  pub->publish(Block());
  ASSERT_TRUE(spin_until([&] {
    if (lost == 0) return pub->assert_liveliness() && seen.alive_count == 1;
    return seen.alive_count == 1;
  }));
  ASSERT_TRUE(spin_until([&] { return lost >= 1 && seen.not_alive_count == 1; }));
  EXPECT_EQ(seen.alive_count, 0);
  EXPECT_EQ(seen.not_alive_count_change, 1);
  ASSERT_TRUE(spin_until([&] { return pub->assert_liveliness() && seen.alive_count == 1; }));
  EXPECT_EQ(seen.not_alive_count, 0);
  pub.reset();
  ASSERT_TRUE(spin_until([&] { return seen.alive_count == 0; }));
}

TEST_F(Events, LostMessagesAreTold) {
  rclcpp::QOSMessageLostInfo lost{};
  rclcpp::SubscriptionEventCallbacks events;
  events.message_lost_callback = [&](rclcpp::QOSMessageLostInfo & info) { lost = info; };
  auto sub = subscription(QoS(1), events);
  auto pub = publisher(QoS(10));
  ASSERT_TRUE(matched(pub));
  for (int i = 0; i < 5; ++i) pub->publish(Block());
  ASSERT_TRUE(spin_until([&] { return lost.total_count + static_cast<size_t>(received_) == 5; }));
  EXPECT_GE(lost.total_count, 1u);
}

TEST_F(Events, AreWaitables) {
  rclcpp::SubscriptionEventCallbacks events;
  rclcpp::MatchedInfo seen{};
  events.matched_callback = [&](rclcpp::MatchedInfo & info) { seen = info; };
  auto sub = subscription(QoS(1), events);
  ASSERT_EQ(sub->get_event_handlers().size(), 1u);
  const auto handler = sub->get_event_handlers().at(RCL_SUBSCRIPTION_MATCHED);
  std::atomic<size_t> calls{0};
  handler->set_on_ready_callback([&](size_t count, int id) {
    EXPECT_EQ(id, static_cast<int>(rclcpp::EventHandlerBase::EntityType::Event));
    calls += count;
  });
  rclcpp::WaitSet wait_set;
  wait_set.add_subscription(sub);
  auto pub = publisher(QoS(1));
  auto result = wait_set.wait(test::kPatience);
  ASSERT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
  EXPECT_EQ(result.next_ready_waitable(), handler);
  handler->execute(handler->take_data());
  EXPECT_EQ(seen.current_count, 1u);
  EXPECT_TRUE(test::eventually([&] { return calls != 0; }));
  handler->clear_on_ready_callback();
  wait_set.remove_subscription(sub);
}

TEST_F(Events, TheGraphTellsTheTimes) {
  const QoS qos = QoS(7).deadline(Duration(5s)).liveliness_lease_duration(Duration(6s)).lifespan(Duration(8s));
  auto pub = publisher(qos);
  ASSERT_TRUE(test::eventually([&] { return node_->get_publishers_info_by_topic("topic").size() == 1; }));
  const QoS told = node_->get_publishers_info_by_topic("topic").front().qos_profile();
  EXPECT_EQ(told.deadline(), Duration(5s));
  EXPECT_EQ(told.lifespan(), Duration(8s));
  EXPECT_EQ(told.liveliness_lease_duration(), Duration(6s));
  EXPECT_EQ(told.liveliness(), LivelinessPolicy::Automatic);
}

QoS qos_of_victim() { return QoS(10).deadline(Duration(100ms)).liveliness_lease_duration(Duration(1s)); }

// Run by the next test, in a process of its own.
TEST_F(Events, DISABLED_Publish) {
  const auto pub = publisher(qos_of_victim());
  const pid_t parent = getppid();
  while (getppid() == parent) {
    pub->publish(Block());
    std::this_thread::sleep_for(10ms);
  }
}

TEST_F(Events, KilledPublisherMissesDeadlinesAndIsNotAliveAnyMore) {
  int missed = 0;
  rclcpp::QOSLivelinessChangedInfo seen{};
  rclcpp::SubscriptionEventCallbacks events;
  events.deadline_callback = [&](rclcpp::QOSDeadlineRequestedInfo & info) { missed += info.total_count_change; };
  events.liveliness_callback = [&](rclcpp::QOSLivelinessChangedInfo & info) { seen = info; };
  test::OtherProcess victim("Events.DISABLED_Publish");
  const auto sub = subscription(qos_of_victim(), events);
  ASSERT_TRUE(spin_until([&] { return received_ > 3 && seen.alive_count == 1; }));
  EXPECT_EQ(seen.not_alive_count, 0);
  victim.kill();
  missed = 0;
  EXPECT_TRUE(spin_until([&] { return missed > 0 && seen.alive_count == 0; }));
}

}  // namespace
