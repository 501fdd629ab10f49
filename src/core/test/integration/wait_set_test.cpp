// Sleeping and waking.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "layout/layout.hpp"
#include "payload.hpp"
#include "station.hpp"
#include "system/file.hpp"

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
  const auto in = std::move(*participant_->create_subscription(subscription_options("topic", {.transient = true})));
  set->attach(*in);
  Station other(Place::kElsewhere);
  ASSERT_TRUE(other.join(0));
  ASSERT_TRUE(other.create_publisher("p", "topic", {.transient = true}));
  ASSERT_TRUE(other.publish("p", 1, 64));
  while (!in->has_data()) {
    ASSERT_TRUE(set->wait(seconds(60)));
  }
  EXPECT_TRUE(in->take());
}

/// The hints beside all bells of this process, as any peer may write them.
class Hints {
 public:
  explicit Hints(const std::string & folder) {
    for (const auto & file : std::filesystem::directory_iterator(folder + "/0")) {
      if (file.path().extension() == ".bell") {
        file_ = File(open(file.path().c_str(), O_RDWR | O_CLOEXEC));
      }
    }
    page_ = Mapping(file_, sizeof(BellPage), Mapping::Access::kWrite);
  }
  void fill(std::uint64_t bits) {
    for (auto & bell : reinterpret_cast<BellPage *>(page_.base())->bells) {
      for (auto & word : bell.hints) {
        word.store(bits);
      }
    }
  }

 private:
  File file_;
  Mapping page_;
};

TEST_F(WaitSetTest, NamesInTurnsThoseThatHaveData) {
  const auto set = wait_set();
  std::vector<std::unique_ptr<Publisher>> out;
  std::vector<std::unique_ptr<Subscription>> in;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::string topic = "topic" + std::to_string(i);
    out.push_back(publisher(topic));
    in.push_back(subscription(topic));
    set->attach(*in.back(), i);
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    match(*out[i], *in[i]);
  }
  EXPECT_FALSE(set->next_ready());
  for (const std::size_t i : {3U, 97U, 50U}) {
    ASSERT_TRUE(out[i]->publish_copy("x", 1));
    ASSERT_TRUE(out[i]->publish_copy("x", 1));
  }
  std::multiset<std::uint64_t> named;
  ASSERT_TRUE(set->wait(seconds(60)));
  while (const auto key = set->next_ready()) {
    named.insert(*key);
    ASSERT_TRUE(in[*key]->take());
    if (named.size() == 3) {
      EXPECT_EQ(std::set<std::uint64_t>(named.begin(), named.end()).size(), 3U) << "each once before one comes again";
    }
  }
  EXPECT_EQ(named, (std::multiset<std::uint64_t>{3, 3, 50, 50, 97, 97}));
  EXPECT_FALSE(set->wait(seconds(0)));
}

TEST_F(WaitSetTest, FindsTheOneOfManyPublishersThatPublishes) {
  const auto set = wait_set();
  const auto in = subscription("topic");
  set->attach(*in, 7);
  std::vector<std::unique_ptr<Publisher>> out;
  for (int i = 0; i < 500; ++i) {  // more than there are hints
    out.push_back(publisher("topic"));
  }
  ASSERT_TRUE(wait_until([&] { return in->matched_count() == out.size(); }));
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_TRUE(out[i]->publish_copy(&i, sizeof i));
    ASSERT_TRUE(set->wait(seconds(60)));
    EXPECT_EQ(set->next_ready(), 7U);
    const Sample sample = in->take();
    ASSERT_EQ(counter_of(sample.data(), sample.size()), i);
    EXPECT_FALSE(set->next_ready());
    out[i].reset();  // while others have data, too
  }
}

TEST_F(WaitSetTest, FindsAMessageWhoseHintIsMissing) {
  const auto set = wait_set();
  const auto out = publisher("topic");
  const auto in = subscription("topic");
  set->attach(*in);
  match(*out, *in);
  Hints hints(folder_.path());
  set->wait(seconds(0));
  ASSERT_TRUE(out->publish_copy("x", 1));
  hints.fill(0);  // as if the publisher had been killed before it left one
  EXPECT_TRUE(set->wait(seconds(60)));
  EXPECT_TRUE(in->take());
}

TEST_F(WaitSetTest, ForgesNothingFromHintsOfGarbage) {
  const auto set = wait_set();
  const auto out = publisher("topic");
  const auto in = subscription("topic");
  set->attach(*in);
  match(*out, *in);
  Hints hints(folder_.path());
  for (const std::uint64_t bits : {~std::uint64_t{0}, std::uint64_t{0x5a5a5a5a5a5a5a5a}}) {
    hints.fill(bits);
    EXPECT_FALSE(set->wait(seconds(0)));
    EXPECT_FALSE(set->next_ready());
    hints.fill(bits);
    ASSERT_TRUE(out->publish_copy("x", 1));
    EXPECT_TRUE(set->wait(seconds(60)));
    EXPECT_TRUE(in->take());
    EXPECT_FALSE(set->wait(seconds(0)));
  }
}

// Two threads ask one wait-set: what the first has been told of, and has not taken, the second does not sleep on.
TEST_F(WaitSetTest, LosesNothingBetweenTwoThreads) {
  const auto set = wait_set();
  const auto out = publisher("topic");
  const auto in = subscription("topic");
  set->attach(*in);
  match(*out, *in);
  const auto rounds = static_cast<std::uint64_t>(20'000 * scale());
  std::atomic<std::uint64_t> taken = 0;
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) {
      set->next_ready();
    }
  });
  std::thread waiter([&] {
    while (taken < rounds) {
      EXPECT_TRUE(set->wait(seconds(60)));
      while (in->take()) {
        ++taken;
      }
    }
  });
  for (std::uint64_t i = 0; i < rounds; ++i) {
    ASSERT_TRUE(out->publish_copy("x", 1));
    while (taken <= i) {
      std::this_thread::yield();
    }
  }
  waiter.join();
  done = true;
  other.join();
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
