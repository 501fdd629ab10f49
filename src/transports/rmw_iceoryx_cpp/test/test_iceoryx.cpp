// What is iceoryx' own: RouDi absent, started, killed, with small memory; zero-copy. What every transport does is the
// conformance suite's. Run it in iceoryx_sandbox --without-roudi.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <thread>

#include "../../tandem_transport/test/transport_test.hpp"
#include "../roudi/pools.hpp"
#include "std_msgs/msg/string.hpp"
#include "tandem/detail/make_message_type.hpp"
#include "tandem/message_memory.hpp"
#include "tandem/plugin.hpp"
#include "tandem/transport.hpp"

namespace {

using tandem::test::eventually;
using namespace tandem::transport;  // NOLINT: what is tested

constexpr std::uint32_t kDomain = 51;
constexpr auto kLimit = std::chrono::seconds(60);  // a loaded machine is many times slower than ours

struct Small {
  std::uint64_t value = 7;
  TANDEM_MESSAGE_MEMORY
};
struct Medium {
  std::array<std::uint64_t, 1024 * 64> words;
  TANDEM_MESSAGE_MEMORY
};
struct Large {
  std::array<std::uint64_t, 1024 * 1024> words;
  TANDEM_MESSAGE_MEMORY
};

const tandem::MessageType & small_type() {
  static const auto type = tandem::detail::make_message_type<Small>({"test/msg/Small", {1}, nullptr, 0});
  return type;
}
const tandem::MessageType & medium_type() {
  static const auto type = tandem::detail::make_message_type<Medium>({"test/msg/Medium", {3}, nullptr, 0});
  return type;
}
const tandem::MessageType & large_type() {
  static const auto type = tandem::detail::make_message_type<Large>({"test/msg/Large", {2}, nullptr, 0});
  return type;
}

/// The processes of this name; in a space of process ids of our own they are ours.
std::set<pid_t> processes_named(const std::string & name) {
  std::set<pid_t> found;
  for (const auto & entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "comm");
    std::string comm;
    if (std::getline(file, comm) && comm == name) {
      found.insert(std::stoi(entry.path().filename()));
    }
  }
  return found;
}

void signal_all(const std::string & name, int number) {
  for (const pid_t process : processes_named(name)) {
    kill(process, number);
  }
}

class Iceoryx : public testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("IN_ICEORYX_SANDBOX") == nullptr) {
      GTEST_SKIP() << "run it in iceoryx_sandbox --without-roudi: iceoryx has one RouDi on a machine";
    }
    setenv("TANDEM_ICEORYX_ROUDI", "start", 1);
    unsetenv("TANDEM_TRANSPORT_TUNING");
  }
  void TearDown() override {
    signal_all("tandem_roudi", SIGTERM);
    EXPECT_TRUE(eventually([] { return processes_named("iox-roudi").empty(); })) << "RouDi does not end";
  }

  static std::shared_ptr<Context> context() { return load("rmw_iceoryx_cpp").create_context(kDomain); }
  static TopicOptions options(const std::string & topic) { return {{"/", "test"}, topic, {}}; }

  static std::string error_of(const std::function<void()> & action) {
    try {
      action();
    } catch (const Error & error) {
      return error.what();
    }
    return {};
  }
};

testing::AssertionResult arrives(Publisher & publisher, Subscription & subscription, std::uint64_t value) {
  Small message;
  message.value = value;
  if (publisher.publish(&message) != PublishResult::kOk) {
    return testing::AssertionFailure() << "it was not published";
  }
  const Sample sample = subscription.take();
  if (!sample || static_cast<const Small *>(sample.message)->value != value) {
    return testing::AssertionFailure() << "it did not come";
  }
  return testing::AssertionSuccess();
}

TEST_F(Iceoryx, AbsentRoudiIsAnErrorThatSaysWhatToDo) {
  unsetenv("TANDEM_ICEORYX_ROUDI");
  const std::string error = error_of([] { context(); });
  EXPECT_NE(error.find("RouDi"), std::string::npos) << error;
  EXPECT_NE(error.find("TANDEM_ICEORYX_ROUDI=start"), std::string::npos) << error;
  std::ofstream("/tmp/roudi") << "left by one that was killed";
  EXPECT_EQ(error_of([] { context(); }), error);
  setenv("TANDEM_ICEORYX_ROUDI", "yes", 1);
  EXPECT_NE(error_of([] { context(); }).find("'yes'"), std::string::npos);
}

TEST_F(Iceoryx, RoudiIsStartedWhenAskedForAndUsedByAll) {
  auto first = context();
  EXPECT_EQ(processes_named("iox-roudi").size(), 1u);
  auto second = context();
  EXPECT_EQ(processes_named("iox-roudi").size(), 1u);
  const auto publisher = first->create_publisher(small_type(), options("/a"));
  const auto subscription = second->create_subscription(small_type(), options("/a"));
  ASSERT_TRUE(eventually([&] { return publisher->subscription_count() == 1; }));
  EXPECT_TRUE(arrives(*publisher, *subscription, 1));
}

TEST_F(Iceoryx, RoudiEndsWhenNobodyUsesIt) {
  auto user = context();
  user.reset();
  EXPECT_TRUE(
      eventually([] { return processes_named("iox-roudi").empty() && processes_named("tandem_roudi").empty(); }));
  user = context();  // and starts anew
  EXPECT_EQ(processes_named("iox-roudi").size(), 1u);
}

TEST_F(Iceoryx, LoansArriveWhereTheyLie) {
  const auto user = context();
  const auto publisher = user->create_publisher(medium_type(), options("/a"));
  const auto subscription = user->create_subscription(medium_type(), options("/a"));
  ASSERT_TRUE(publisher->can_loan());
  for (std::uint64_t i = 0; i < 10; ++i) {
    auto loan = publisher->borrow();
    ASSERT_TRUE(loan);
    const void * place = loan.data();
    static_cast<Medium *>(loan.data())->words[1000] = i;
    ASSERT_EQ(publisher->publish(std::move(loan)), PublishResult::kOk);
    const Sample sample = subscription->take();
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample.message, place);
    EXPECT_EQ(static_cast<const Medium *>(sample.message)->words[1000], i);
  }
  EXPECT_EQ(publisher->copied() + subscription->copied(), 0u);
}

TEST_F(Iceoryx, SmallPoolsAreSaidToBeTooSmall) {
  setenv("TANDEM_TRANSPORT_TUNING", "vendor", 1);  // 4 MB at most
  const auto user = context();
  const std::string error = error_of([&] { user->create_publisher(large_type(), options("/large")); });
  EXPECT_NE(error.find("/large"), std::string::npos) << error;
  EXPECT_NE(error.find("8388608"), std::string::npos) << error;
  const auto publisher = user->create_publisher(tandem::message_type<std_msgs::msg::String>(), options("/variable"));
  std_msgs::msg::String message;
  message.data = std::string(5'000'000, 'x');
  testing::internal::CaptureStderr();
  EXPECT_EQ(publisher->publish(&message), PublishResult::kPoolExhausted);
  EXPECT_EQ(publisher->publish(&message), PublishResult::kPoolExhausted);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("[WARN] [rmw_iceoryx_cpp]: topic '/variable'"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  message.data = "short";
  EXPECT_EQ(publisher->publish(&message), PublishResult::kOk);
}

TEST_F(Iceoryx, WhatIsConnectedOutlivesAKilledRoudi) {
  testing::internal::CaptureStderr();
  auto user = context();
  auto publisher = user->create_publisher(small_type(), options("/a"));
  auto subscription = user->create_subscription(small_type(), options("/a"));
  ASSERT_TRUE(arrives(*publisher, *subscription, 1));
  signal_all("iox-roudi", SIGKILL);
  ASSERT_TRUE(eventually([] { return processes_named("tandem_roudi").empty(); }));
  EXPECT_TRUE(arrives(*publisher, *subscription, 2));
  const std::string error = error_of([&] { user->create_publisher(small_type(), options("/b")); });
  EXPECT_NE(error.find("/b"), std::string::npos) << error;
  EXPECT_NE(error.find("RouDi"), std::string::npos) << error;
  std::this_thread::sleep_for(std::chrono::seconds(1));  // for what would be said too often
  publisher.reset();
  subscription.reset();
  user.reset();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("RouDi"), std::string::npos);
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  // When everything of the old one is gone, a new one serves this process as well.
  user = context();
  publisher = user->create_publisher(small_type(), options("/a"));
  subscription = user->create_subscription(small_type(), options("/a"));
  EXPECT_TRUE(arrives(*publisher, *subscription, 3));
}

TEST_F(Iceoryx, NewConnectionsWithoutRoudiAreRefusedWithALine) {
  const auto user = context();
  const auto publisher = user->create_publisher(small_type(), options("/a"));
  signal_all("iox-roudi", SIGKILL);
  ASSERT_TRUE(eventually([] { return processes_named("tandem_roudi").empty(); }));
  testing::internal::CaptureStderr();
  const auto subscription = user->create_subscription(small_type(), options("/a"));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("[WARN] [rmw_iceoryx_cpp]: topic '/a': RouDi"), std::string::npos) << said;
  EXPECT_EQ(publisher->subscription_count(), 0u);
  EXPECT_EQ(subscription->publisher_count(), 0u);
}

TEST_F(Iceoryx, ManySubscriptions) {
  constexpr std::size_t kMany = 300;  // of one wait-set; iceoryx' own takes 256
  const auto user = context();
  const auto set = user->create_wait_set();
  std::vector<std::shared_ptr<Subscription>> subscriptions;
  for (std::size_t i = 0; i < kMany; ++i) {
    subscriptions.push_back(user->create_subscription(small_type(), options("/" + std::to_string(i % 2))));
    set->attach(subscriptions.back());
  }
  const auto publisher = user->create_publisher(small_type(), options("/1"));
  const Small message;
  ASSERT_EQ(publisher->publish(&message), PublishResult::kOk);
  EXPECT_TRUE(set->wait(kLimit));
  for (std::size_t i = 0; i < kMany; ++i) {
    EXPECT_EQ(static_cast<bool>(subscriptions[i]->take()), i % 2 == 1);
  }
}

TEST_F(Iceoryx, ConnectionsThatRoudiHasNotAreLeftOutWithALine) {
  constexpr std::size_t kPublishers = 5;
  constexpr std::size_t kSubscriptions = 210;
  constexpr std::size_t kConnections = 1024;  // that RouDi has
  const auto user = context();
  std::vector<std::shared_ptr<Publisher>> publishers;
  std::vector<std::shared_ptr<Subscription>> subscriptions;
  testing::internal::CaptureStderr();
  for (std::size_t i = 0; i < kPublishers; ++i) {
    publishers.push_back(user->create_publisher(small_type(), options("/a")));
  }
  for (std::size_t i = 0; i < kSubscriptions; ++i) {
    subscriptions.push_back(user->create_subscription(small_type(), options("/a")));
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("[WARN] [rmw_iceoryx_cpp]: topic '/a': RouDi gave no port"), std::string::npos) << said;
  EXPECT_EQ(subscriptions.back()->publisher_count(), 0u);
  std::size_t connected = 0;
  for (const auto & publisher : publishers) {
    connected += publisher->subscription_count();
  }
  EXPECT_EQ(connected, kConnections);
  EXPECT_TRUE(arrives(*publishers.front(), *subscriptions.front(), 1));
}

// iceoryx' queue has room for 256: what is more waits at the publisher, which then wakes the reader that sleeps.
TEST_F(Iceoryx, SleepingKeepAllReaderGetsMoreThanAQueueHolds) {
  constexpr std::uint64_t kCount = 900;
  const auto user = context();
  TopicOptions all = options("/a");
  all.qos.history = History::kKeepAll;
  const auto publisher = user->create_publisher(small_type(), all);
  const auto subscription = user->create_subscription(small_type(), all);
  const auto set = user->create_wait_set();
  set->attach(subscription);
  Small message;
  for (message.value = 0; message.value < kCount; ++message.value) {
    ASSERT_EQ(publisher->publish(&message), PublishResult::kOk);
  }
  for (std::uint64_t value = 0; value < kCount;) {
    ASSERT_TRUE(set->wait(kLimit)) << "after " << value;
    while (const Sample sample = subscription->take()) {
      ASSERT_EQ(static_cast<const Small *>(sample.message)->value, value++);
    }
  }
  EXPECT_EQ(subscription->lost(), 0u);
}

TEST_F(Iceoryx, ChildOfForkMakesItsOwn) {
  const auto user = context();
  const auto publisher = user->create_publisher(small_type(), options("/a"));
  const auto subscription = user->create_subscription(small_type(), options("/a"));
  const pid_t child = fork();
  if (child == 0) {
    const auto own = context();
    const auto own_publisher = own->create_publisher(small_type(), options("/child"));
    const auto own_subscription = own->create_subscription(small_type(), options("/child"));
    const Small message;
    const bool is_right = publisher->publish(&message) == PublishResult::kClosed && !subscription->take() &&
                          arrives(*own_publisher, *own_subscription, 3);
    _exit(is_right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(arrives(*publisher, *subscription, 1));
}

TEST_F(Iceoryx, NothingStaysBehind) {
  const auto count = [](const char * folder) {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  };
  context();
  const auto threads = count("/proc/self/task");
  const auto files = count("/proc/self/fd");
  for (int i = 0; i < 5; ++i) {
    const auto user = context();
    const auto publisher = user->create_publisher(small_type(), options("/a"));
    const auto subscription = user->create_subscription(small_type(), options("/a"));
    EXPECT_TRUE(arrives(*publisher, *subscription, 1));
  }
  EXPECT_EQ(count("/proc/self/task"), threads);
  EXPECT_EQ(count("/proc/self/fd"), files);
}

TEST(Pools, FillTheBudgetAndLeaveOutWhatIsTooLarge) {
  for (const std::uint64_t megabytes : {1, 16, 64, 256, 1024, 4096}) {
    const std::uint64_t budget = megabytes * 1024 * 1024;
    const auto pools = iceoryx::pools_for(budget);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < pools.size(); ++i) {
      EXPECT_GE(pools[i].count, 1u);
      EXPECT_EQ(pools[i].size % 8, 0u);
      EXPECT_TRUE(i == 0 || pools[i - 1].size < pools[i].size);
      total += pools[i].size * pools[i].count;
    }
    EXPECT_LE(total, budget);
    EXPECT_GE(total, budget * 8 / 10);
  }
  EXPECT_GE(iceoryx::pools_for(std::uint64_t{1} << 30).back().size, std::uint64_t{64} << 20);
}

}  // namespace
