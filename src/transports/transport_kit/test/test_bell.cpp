// The bell and the wait-set: nothing that rings is missed.
#include <gtest/gtest.h>

#include <thread>

#include "tandem/kit/bell.hpp"

namespace tandem::transport {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds kEndless{-1};

/// Data is a number that counts up.
class Counter : public RingingSubscription {
 public:
  void put() {
    there_.fetch_add(1, std::memory_order_relaxed);
    ring();
  }
  Sample do_take() override {
    taken_.fetch_add(1, std::memory_order_relaxed);
    return {};
  }
  bool do_take_into(void *, MessageInfo &) override { return false; }
  bool has_data() const override { return there_.load(std::memory_order_relaxed) > taken_.load(); }
  std::size_t publisher_count() const override { return 0; }
  std::uint64_t lost() const override { return 0; }
  std::uint64_t copied() const override { return 0; }
  Gid gid() const override { return {}; }

 private:
  std::atomic<std::uint64_t> there_{0};
  std::atomic<std::uint64_t> taken_{0};
};

TEST(BellWaitSet, TimesOutAndWakes) {
  BellWaitSet set;
  EXPECT_FALSE(set.wait(nanoseconds(0)));
  EXPECT_FALSE(set.wait(milliseconds(5)));
  set.wake();
  EXPECT_TRUE(set.wait(kEndless));
  EXPECT_FALSE(set.wait(nanoseconds(0)));
}

TEST(BellWaitSet, CountsOneThatComesAndGoesOnce) {
  class Asked final : public Counter {
   public:
    bool has_data() const override { return ++asked, false; }
    mutable int asked = 0;
  };
  BellWaitSet set;
  const auto counter = std::make_shared<Asked>();
  for (int i = 0; i < 10; ++i) {
    set.attach(counter);
    set.detach(counter);
  }
  set.attach(counter);
  EXPECT_FALSE(set.wait(nanoseconds(0)));
  EXPECT_EQ(counter->asked, 1);
}

TEST(BellWaitSet, SeesDataFromBeforeAttaching) {
  BellWaitSet set;
  const auto counter = std::make_shared<Counter>();
  counter->put();
  EXPECT_FALSE(set.wait(nanoseconds(0)));
  set.attach(counter);
  EXPECT_TRUE(set.wait(kEndless));
  counter->take();
  EXPECT_FALSE(set.wait(nanoseconds(0)));
  set.detach(counter);
  counter->put();
  EXPECT_FALSE(set.wait(nanoseconds(0)));
}

TEST(BellWaitSet, AttachingMoves) {
  BellWaitSet first;
  BellWaitSet second;
  const auto counter = std::make_shared<Counter>();
  first.attach(counter);
  second.attach(counter);
  first.detach(counter);  // no longer its own
  counter->put();
  EXPECT_FALSE(first.wait(nanoseconds(0)));
  EXPECT_TRUE(second.wait(kEndless));
}

TEST(BellWaitSet, EndsBeforeItsSubscriptions) {
  const auto counter = std::make_shared<Counter>();
  for (int i = 0; i < 3; ++i) {
    BellWaitSet set;
    set.attach(counter);
  }
  counter->put();
  BellWaitSet another;
  EXPECT_FALSE(another.wait(nanoseconds(0)));
  EXPECT_TRUE(counter->rings(nullptr));
}

TEST(BellWaitSet, AttachedMayEnd) {
  BellWaitSet set;
  set.attach(std::make_shared<Counter>());
  EXPECT_FALSE(set.wait(nanoseconds(0)));
}

// One round trip after the other: a wake-up that gets lost leaves both waiting for ever.
TEST(BellWaitSet, NoRingIsLost) {
  constexpr int kRounds = 20000;
  BellWaitSet here;
  BellWaitSet there;
  const auto ping = std::make_shared<Counter>();
  const auto pong = std::make_shared<Counter>();
  there.attach(ping);
  here.attach(pong);
  std::thread other([&] {
    for (int i = 0; i < kRounds; ++i) {
      there.wait(kEndless);
      ping->take();
      pong->put();
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    ping->put();
    ASSERT_TRUE(here.wait(kEndless));
    pong->take();
  }
  other.join();
}

TEST(BellWaitSet, NoRingIsLostWhileAttaching) {
  constexpr int kRounds = 500;
  for (int i = 0; i < kRounds; ++i) {
    BellWaitSet set;
    const auto counter = std::make_shared<Counter>();
    std::thread attaching([&] { set.attach(counter); });
    std::thread putting([&] { counter->put(); });
    ASSERT_TRUE(set.wait(kEndless));
    attaching.join();
    putting.join();
  }
}

}  // namespace
}  // namespace tandem::transport
