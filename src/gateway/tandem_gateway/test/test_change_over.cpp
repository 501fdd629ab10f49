// Which subscription of the gateway carries the messages of a publisher while another one takes over.
#include <gtest/gtest.h>

#include <thread>

#include "endpoints/topic_update.hpp"

namespace tandem::gateway {
namespace {

/// One that is matched, and has as many messages as it is told.
class FakeSubscription final : public transport::Subscription {
 public:
  std::size_t waiting = 0;

  bool has_data() const override { return waiting != 0; }
  std::size_t publisher_count() const override { return 1; }
  std::uint64_t lost() const override { return 0; }
  std::uint64_t copied() const override { return 0; }
  transport::Gid gid() const override { return {}; }

 private:
  transport::Sample do_take() override { return {}; }
  bool do_take_into(void *, transport::MessageInfo &) override { return false; }
};

class FakePublisher final : public transport::Publisher {
 public:
  bool can_loan() const override { return false; }
  transport::Loan borrow() override { return {}; }
  std::size_t subscription_count() const override { return 1; }
  bool wait_for_all_acked(std::chrono::nanoseconds) override { return true; }
  std::uint64_t failed_borrows() const override { return 0; }
  std::uint64_t copied() const override { return 0; }
  transport::Gid gid() const override { return {}; }

 private:
  transport::PublishResult do_publish(transport::Loan &&, transport::RequestId *) override { return {}; }
  transport::PublishResult do_publish(const void *, transport::RequestId *) override { return {}; }
  transport::PublishResult do_publish(transport::OwnedMessage &, transport::RequestId *) override { return {}; }
};

constexpr Grade kGrade{transport::Reliability::kReliable, transport::Durability::kVolatile};

QueuedMessage message(std::uint64_t sequence) {
  QueuedMessage made;
  made.info.sequence = sequence;
  return made;
}

class ChangingTopic : public testing::Test {
 protected:
  ChangingTopic() {
    GatewaySubscription & subscription = topic.subscriptions[kGrade];
    subscription.number = 1;
    subscription.endpoint = present;
    proxy.publisher = std::make_shared<FakePublisher>();
    proxy.source_qos.reliability = transport::Reliability::kReliable;
    look();
    subscription.successor = std::make_unique<GatewaySubscription>();
    subscription.successor->number = 2;
    subscription.successor->endpoint = std::make_shared<FakeSubscription>();
  }
  /// As the gateway does it at each look at the graphs.
  void look() {
    choose_subscriptions(topic, Direction::kOut);
    replace_subscriptions(topic, garbage);
  }
  void look_later() {
    look();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // longer than the overlap on one host
    look();
  }

  const std::shared_ptr<FakeSubscription> present = std::make_shared<FakeSubscription>();
  Topic topic;
  Proxy & proxy = topic.proxies[{}];
  Garbage garbage;
};

TEST_F(ChangingTopic, CarriesWhatTheOldOneHasBeforeTheSuccessorTakesOver) {
  present->waiting = 3;
  look_later();
  EXPECT_EQ(proxy.carrier, 1U);
  EXPECT_EQ(topic.subscriptions.at(kGrade).endpoint, present) << "what waits in it would be lost";
  present->waiting = 0;
  look();
  EXPECT_EQ(proxy.carrier, 2U);
  EXPECT_NE(topic.subscriptions.at(kGrade).endpoint, present);
  EXPECT_EQ(garbage.size(), 1U);
}

TEST_F(ChangingTopic, WaitsForWhatTheSuccessorDoesNotHave) {
  look();
  proxy.note_carried({7, 0});
  proxy.ahead.push(message(9));  // the successor came too late for 8
  look_later();
  EXPECT_EQ(proxy.carrier, 1U);
  proxy.note_carried({8, 0});
  look();
  EXPECT_EQ(proxy.carrier, 2U);
  ASSERT_EQ(proxy.queue.size(), 1U);
  EXPECT_EQ(proxy.queue.front().info.sequence, 9U);
  EXPECT_EQ(proxy.last->sequence, 9U);
}

TEST_F(ChangingTopic, DropsWhatBothHaveBrought) {
  look();
  proxy.ahead.push(message(8));
  proxy.ahead.push(message(9));
  proxy.note_carried({9, 0});
  EXPECT_TRUE(proxy.ahead.empty());
}

TEST_F(ChangingTopic, GoesOnWithTheSuccessorOfOneThatIsGone) {
  look();
  proxy.ahead.push(message(4));
  auto & subscription = topic.subscriptions.at(kGrade);
  const auto successor = std::move(subscription.successor);
  subscription = std::move(*successor);
  look();
  EXPECT_EQ(proxy.carrier, 2U);
  EXPECT_EQ(proxy.queue.size(), 1U);
}

}  // namespace
}  // namespace tandem::gateway
