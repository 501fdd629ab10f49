// Sleeping and waking.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "agent.hpp"
#include "payload.hpp"

namespace tandem::test {
namespace {

using std::chrono::seconds;

class WaitSetTest : public testing::Test {
 protected:
  std::unique_ptr<WaitSet> wait_set() { return std::move(*participant_->create_wait_set()); }
  std::unique_ptr<Publisher> publisher(const std::string & topic) {
    return std::move(*participant_->create_publisher(publisher_options(topic)));
  }
  std::unique_ptr<Subscription> subscription(const std::string & topic) {
    return std::move(*participant_->create_subscription(subscription_options(topic)));
  }
  static void match(const Publisher & publisher, const Subscription & subscription) {
    ASSERT_TRUE(wait_until([&] { return publisher.matched_count() == 1 && subscription.matched_count() == 1; }));
  }

  Folder folder_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
};

TEST_F(WaitSetTest, TimesOut) {
  const auto set = wait_set();
  set->wait(seconds(0));
  EXPECT_FALSE(set->wait(seconds(0)));
  EXPECT_FALSE(set->wait(std::chrono::milliseconds(5)));
  const auto in = subscription("topic");
  set->attach(*in);
  set->wait(seconds(0));  // attaching may wake it once
  EXPECT_FALSE(set->wait(std::chrono::milliseconds(5)));
}

TEST_F(WaitSetTest, ReturnsForDataUntilItIsTaken) {
  const auto set = wait_set();
  const auto out = publisher("topic");
  const auto in = subscription("topic");
  set->attach(*in);
  match(*out, *in);
  set->wait(seconds(0));
  ASSERT_TRUE(out->publish_copy("x", 1));
  EXPECT_TRUE(set->wait(seconds(60)));
  EXPECT_TRUE(set->wait(seconds(0)));
  EXPECT_TRUE(in->take());
  EXPECT_FALSE(set->wait(seconds(0)));
}

TEST_F(WaitSetTest, IsWokenFromAThreadAndRemembersIt) {
  const auto set = wait_set();
  set->wake();
  EXPECT_TRUE(set->wait(seconds(60)));
  EXPECT_FALSE(set->wait(seconds(0)));
  std::thread other([&] { set->wake(); });
  EXPECT_TRUE(set->wait(seconds(-1)));
  other.join();
}

WaitSet * signalled = nullptr;

TEST_F(WaitSetTest, IsWokenFromASignalHandler) {
  const auto set = wait_set();
  signalled = set.get();
  struct sigaction action {};
  action.sa_handler = [](int) { signalled->wake(); };
  struct sigaction before {};
  sigaction(SIGUSR1, &action, &before);
  const pthread_t waiter = pthread_self();
  std::thread other([&] { pthread_kill(waiter, SIGUSR1); });
  EXPECT_TRUE(set->wait(seconds(-1)));
  other.join();
  sigaction(SIGUSR1, &before, nullptr);
}

TEST_F(WaitSetTest, WatchesSeveralSubscriptions) {
  const auto set = wait_set();
  const auto out1 = publisher("one");
  const auto out2 = publisher("two");
  const auto in1 = subscription("one");
  const auto in2 = subscription("two");
  set->attach(*in1);
  set->attach(*in2);
  match(*out1, *in1);
  match(*out2, *in2);
  for (int round = 0; round < 100; ++round) {
    auto & out = round % 2 == 0 ? *out1 : *out2;
    auto & in = round % 2 == 0 ? *in1 : *in2;
    std::thread other([&] { EXPECT_TRUE(out.publish_copy("x", 1)); });
    while (!in.has_data()) {
      set->wait(seconds(-1));
    }
    EXPECT_TRUE(in.take());
    other.join();
  }
}

TEST_F(WaitSetTest, LetsASubscriptionMoveAndDetachAndDie) {
  const auto first = wait_set();
  const auto second = wait_set();
  const auto out = publisher("topic");
  auto in = subscription("topic");
  first->attach(*in);
  match(*out, *in);
  second->attach(*in);
  first->wait(seconds(0));
  second->wait(seconds(0));
  ASSERT_TRUE(out->publish_copy("x", 1));
  EXPECT_FALSE(first->wait(seconds(0)));
  EXPECT_TRUE(second->wait(seconds(60)));
  first->detach(*in);  // no longer its own: changes nothing
  EXPECT_TRUE(second->wait(seconds(0)));
  second->detach(*in);
  EXPECT_FALSE(second->wait(seconds(0)));
  second->attach(*in);
  EXPECT_TRUE(second->wait(seconds(60)));
  in.reset();
  second->wait(seconds(0));
  EXPECT_FALSE(second->wait(seconds(0)));
}

TEST_F(WaitSetTest, DestroyedSetsLeaveTheirSubscriptionsUsable) {
  const auto out = publisher("topic");
  const auto in = subscription("topic");
  match(*out, *in);
  for (int round = 0; round < 200; ++round) {  // more than there are bells
    const auto set = wait_set();
    set->attach(*in);
    ASSERT_TRUE(out->publish_copy("x", 1));
    ASSERT_TRUE(set->wait(seconds(60)));
    ASSERT_TRUE(in->take());
  }
  ASSERT_TRUE(out->publish_copy("x", 1));
  EXPECT_TRUE(in->take());
}

TEST_F(WaitSetTest, WakesForHistoryOfAPublisherThatIsFoundLater) {
  const auto set = wait_set();
  const auto in = std::move(*participant_->create_subscription(subscription_options("topic", "transient")));
  set->attach(*in);
  Child other("agent");
  ASSERT_EQ(other.ask("join 0"), "ok");
  ASSERT_EQ(other.ask("pub p topic transient"), "ok");
  ASSERT_EQ(other.ask("publish p 1 64"), "ok");
  while (!in->has_data()) {
    ASSERT_TRUE(set->wait(seconds(60)));
  }
  EXPECT_TRUE(in->take());
}

// Each answer needs both sides to sleep and to be woken; a lost wake-up costs a second each, and would be seen as a hang
// of this many seconds by the watchdog's limit in the worst case. The model shows that there is none.
TEST_F(WaitSetTest, PlaysPingPongBetweenProcesses) {
  setenv("TANDEM_SPIN_US", "0", 1);
  const auto set = wait_set();
  unsetenv("TANDEM_SPIN_US");
  const auto out = publisher("ping");
  const auto in = subscription("pong");
  set->attach(*in);
  Child other("echo");
  ASSERT_EQ(other.read_line(), "ready");
  match(*out, *in);
  const auto rounds = static_cast<std::uint64_t>(2000 * scale()) + 20;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    ASSERT_TRUE(out->publish_copy(&i, sizeof i));
    Sample sample;
    while (!(sample = in->take())) {
      ASSERT_TRUE(set->wait(seconds(60))) << "round " << i;
    }
    ASSERT_EQ(counter_of(sample.data(), sample.size()), i);
  }
}

}  // namespace
}  // namespace tandem::test
