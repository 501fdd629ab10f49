// Sleeping until there is data: waking, timing out, attaching and detaching.
#include <future>

#include "conformance.hpp"

namespace conformance {
namespace {

constexpr std::chrono::nanoseconds kForEver{-1};

TEST_F(Conformance, WaitTimesOut) {
  const auto set = context_->create_wait_set();
  EXPECT_FALSE(set->wait(std::chrono::nanoseconds(0)));
  EXPECT_FALSE(set->wait(std::chrono::milliseconds(5)));
  const auto sub = subscription(topic(), keep_last(1));
  set->attach(sub);
  EXPECT_FALSE(set->wait(std::chrono::milliseconds(5)));
}

TEST_F(Conformance, WakeEndsThePresentOrTheNextWait) {
  const auto set = context_->create_wait_set();
  set->wake();
  EXPECT_TRUE(set->wait(kForEver));
  EXPECT_FALSE(set->wait(std::chrono::nanoseconds(0)));
  for (int i = 0; i < 100; ++i) {
    auto waiter = std::async(std::launch::async, [&set] { return set->wait(kForEver); });
    set->wake();
    ASSERT_TRUE(waiter.get());
  }
}

TEST_F(Conformance, DataEndsTheWait) {
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = subscription(topic(), keep_last(10));
  const auto set = context_->create_wait_set();
  set->attach(sub);
  ASSERT_TRUE(matched(*pub, *sub));
  for (std::uint64_t value = 0; value < 200; ++value) {
    auto waiter = std::async(std::launch::async, [&] {
      Sample sample;
      while (!sample) {
        EXPECT_TRUE(set->wait(kForEver));
        sample = sub->take();
      }
      return value_of(sample);
    });
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
    ASSERT_EQ(waiter.get(), value);
  }
}

TEST_F(Conformance, DataThatWasThereBeforeAttachingEndsTheWait) {
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = subscription(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  ASSERT_TRUE(eventually([&] { return sub->has_data(); }));
  const auto set = context_->create_wait_set();
  set->attach(sub);
  EXPECT_TRUE(set->wait(kForEver));
  EXPECT_TRUE(set->wait(kForEver)) << "data that was not taken ends the next wait too";
}

TEST_F(Conformance, HistoryOfALateJoinerEndsTheWait) {
  NEEDS(Feature::kTransientLocal);
  const auto pub = publisher(topic(), transient_local(keep_last(3)));
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  const auto sub = subscription(topic(), transient_local(keep_last(3)));
  const auto set = context_->create_wait_set();
  set->attach(sub);
  while (!sub->has_data()) {
    ASSERT_TRUE(set->wait(patience));
  }
  EXPECT_EQ(take_values(*sub, 1), range(1, 1));
}

TEST_F(Conformance, ASubscriptionIsInOneWaitSetAtMost) {
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = subscription(topic(), keep_last(10));
  const auto first = context_->create_wait_set();
  const auto second = context_->create_wait_set();
  first->attach(sub);
  second->attach(sub);
  ASSERT_TRUE(matched(*pub, *sub));
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  EXPECT_TRUE(second->wait(kForEver));
  EXPECT_FALSE(first->wait(std::chrono::nanoseconds(0)));
  first->detach(sub);  // not there: nothing happens
  EXPECT_TRUE(second->wait(std::chrono::nanoseconds(0)));
  second->detach(sub);
  EXPECT_FALSE(second->wait(std::chrono::nanoseconds(0)));
  EXPECT_EQ(take_values(*sub, 1), range(1, 1));
}

TEST_F(Conformance, AttachedSubscriptionMayBeDestroyed) {
  const auto set = context_->create_wait_set();
  const auto pub = publisher(topic(), keep_last(10));
  auto sub = subscription(topic(), keep_last(10));
  set->attach(sub);
  ASSERT_TRUE(matched(*pub, *sub));
  auto waiter = std::async(std::launch::async, [&set] { return set->wait(kForEver); });
  sub.reset();
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  set->wake();
  EXPECT_TRUE(waiter.get());
  EXPECT_FALSE(set->wait(std::chrono::nanoseconds(0)));
}

TEST_F(Conformance, OneWaitSetForManySubscriptions) {
  constexpr std::uint64_t kCount = 20;
  const auto set = context_->create_wait_set();
  std::vector<std::shared_ptr<Publisher>> pubs;
  std::vector<std::shared_ptr<Subscription>> subs;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    pubs.push_back(publisher(topic(std::to_string(i)), keep_last(10)));
    subs.push_back(subscription(topic(std::to_string(i)), keep_last(10)));
    set->attach(subs.back());
  }
  for (std::uint64_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE(matched(*pubs[i], *subs[i]));
    ASSERT_EQ(publish(*pubs[i], i), PublishResult::kOk);
    while (!subs[i]->has_data()) {
      ASSERT_TRUE(set->wait(kForEver));
    }
    EXPECT_EQ(take_values(*subs[i], 1), range(i, i));
  }
  EXPECT_FALSE(set->wait(std::chrono::nanoseconds(0)));
}

TEST_F(Conformance, AWaitSetThatNamesNamesThoseThatHaveData) {
  const auto set = context_->create_wait_set();
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = subscription(topic(), keep_last(10));
  const auto idle = subscription(topic("idle"), keep_last(10));
  set->attach(sub);
  set->attach(idle);
  ASSERT_TRUE(matched(*pub, *sub));
  EXPECT_EQ(set->next_ready(), nullptr);
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  while (!sub->has_data()) {
    ASSERT_TRUE(set->wait(kForEver));
  }
  const auto * const expected = set->names_ready() ? sub.get() : nullptr;
  EXPECT_EQ(set->next_ready(), expected);
  EXPECT_EQ(set->next_ready(), expected) << "it has not been taken yet";
  EXPECT_EQ(take_values(*sub, 1), range(1, 1));
  EXPECT_EQ(set->next_ready(), nullptr);
}

}  // namespace
}  // namespace conformance
