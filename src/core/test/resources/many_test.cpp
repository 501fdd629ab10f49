// Many processes, topics, readers, wait-sets, loans and entries; deep histories; messages small and great. And what is
// said of one more than there can be.
#include <gtest/gtest.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "layout/layout.hpp"
#include "station.hpp"

namespace tandem::test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// A number from the environment, for torture; else `usual`, less for sanitizers, least for the emulator.
std::size_t amount(const char * name, std::size_t usual, std::size_t sanitized, std::size_t emulated) {
  if (const char * text = std::getenv(name)) {
    return std::strtoul(text, nullptr, 10);
  }
  return scale() < 0.06 ? emulated : scale() < 1 ? sanitized : usual;
}

/// Seconds of processor time that a process has used.
double processor_time(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string all;
  std::getline(file, all);
  std::istringstream words(all.substr(all.rfind(')') + 2));
  std::string word;
  for (int i = 0; i < 11; ++i) {
    words >> word;
  }
  double user = 0;
  double system = 0;
  words >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

class Many : public testing::Test {
 protected:
  Many() : user_(Place::kHere) { EXPECT_TRUE(user_.join(0)); }
  static void expect_refusal(const Outcome & outcome, const std::vector<std::string> & parts) {
    EXPECT_FALSE(outcome);
    for (const std::string & part : parts) {
      EXPECT_TRUE(outcome.says(part)) << outcome;
    }
  }
  template <class Error>
  static void expect_refusal(const Outcome & outcome, Error error, const std::vector<std::string> & parts) {
    EXPECT_TRUE(outcome.is(error)) << outcome;
    expect_refusal(outcome, parts);
  }

  Folder folder_;
  LogCapture log_;
  Station user_;
};

TEST_F(Many, ProcessesOnOneTopic) {
  const std::size_t count = amount("TANDEM_RESOURCES_PROCESSES", 40, 12, 6);
  ASSERT_TRUE(user_.create_publisher("p", "topic", {.depth = 20}));
  std::vector<std::unique_ptr<Station>> crowd;
  std::vector<Pending<Outcome>> joined;
  std::vector<Pending<Outcome>> subscribed;
  const auto start = Clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    crowd.push_back(std::make_unique<Station>(Place::kElsewhere));
    joined.push_back(crowd.back()->start<&User::join>(0));
    subscribed.push_back(crowd.back()->start<&User::create_subscription>("s", "topic", EndpointOptions{.depth = 20}));
  }
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(joined[i].get());
    EXPECT_TRUE(subscribed[i].get());
  }
  ASSERT_TRUE(wait_until([&] { return user_.matched("p") == count; }, 300)) << user_.matched("p");
  for (const auto & reader : crowd) {
    ASSERT_TRUE(reader->until_matched("s", 1));
  }
  const double matched = seconds_since(start);
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(user_.publish("p", 10, 1000));
    std::vector<Pending<Outcome>> awaiting;
    for (const auto & reader : crowd) {
      awaiting.push_back(reader->start<&User::await>("s", 10));
    }
    for (auto & one : awaiting) {
      EXPECT_TRUE(one.get());
    }
  }
  double idle = 0;
  if (std::getenv("TANDEM_RESOURCES_PROCESSES") != nullptr) {
    std::vector<double> before;
    for (const auto & reader : crowd) {
      before.push_back(processor_time(reader->child().pid()));
    }
    const auto rest = Clock::now();
    wait_until([] { return false; }, 10);  // to see what idleness costs
    for (std::size_t i = 0; i < count; ++i) {
      idle += processor_time(crowd[i]->child().pid()) - before[i];
    }
    idle /= seconds_since(rest);
  }
  crowd.front()->child().kill();
  EXPECT_TRUE(user_.until_matched("p", count - 1));
  std::cout << "figures: " << count << " processes on one topic, started and matched within " << matched
            << " s, idle together " << idle << " of a core" << std::endl;
  for (std::size_t i = 1; i < count; ++i) {
    EXPECT_EQ(crowd[i]->finish(), 0);
  }
  EXPECT_TRUE(wait_until([&] { return folder_.files(0, ".region").size() == 1; }));
}

TEST_F(Many, TopicsInOneProcess) {
  const std::size_t count = amount("TANDEM_RESOURCES_TOPICS", 300, 100, 50);
  const auto start = Clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    ASSERT_TRUE(user_.create_publisher("p" + n, "topic" + n, {.depth = 1}));
    ASSERT_TRUE(user_.create_subscription("s" + n, "topic" + n, {.depth = 1}));
  }
  ASSERT_TRUE(user_.settle());
  const double made = seconds_since(start);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_TRUE(user_.publish("p" + std::to_string(i), 1, 100));
  }
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(user_.await("s" + std::to_string(i), 1));
  }
  std::cout << "figures: " << count << " topics in one process, made and matched within " << made << " s" << std::endl;
}

TEST_F(Many, ReadersOfAPublisherAndOneMore) {
  ASSERT_TRUE(user_.create_publisher("p", "topic", {.depth = 5}));
  const auto name = [](std::size_t i) { return "s" + std::to_string(i); };
  for (std::size_t i = 0; i <= kMaxReaders; ++i) {
    ASSERT_TRUE(user_.create_subscription(name(i), "topic", {.depth = 5}));
  }
  ASSERT_TRUE(user_.until_matched("p", kMaxReaders));
  ASSERT_TRUE(user_.publish("p", 5, 100));
  std::size_t outsider = kMaxReaders + 1;
  for (std::size_t i = 0; i <= kMaxReaders; ++i) {
    if (user_.matched(name(i)) == 0) {
      outsider = i;
    } else {
      EXPECT_TRUE(user_.await(name(i), 5));
    }
  }
  ASSERT_LE(outsider, kMaxReaders);
  EXPECT_TRUE(wait_until([&] { return log_.count({"'topic'", std::to_string(kMaxReaders), "Use fewer"}) == 1; }));
  user_.close(name(outsider == 0 ? 1 : 0));
  EXPECT_TRUE(user_.until_matched(name(outsider), 1));
  EXPECT_EQ(log_.lines().size(), 1U);
}

TEST_F(Many, MessagesOfHistory) {
  const auto most = static_cast<std::uint32_t>(amount("TANDEM_RESOURCES_DEPTH", 10000, 4000, 2000));
  for (const std::uint32_t depth : {1U, 2U, 255U, 256U, most}) {
    ASSERT_TRUE(user_.create_publisher("p", "topic", {.depth = depth, .transient = true}));
    ASSERT_TRUE(user_.create_subscription("s", "topic", {.depth = depth}));
    ASSERT_TRUE(user_.settle());
    ASSERT_TRUE(user_.publish("p", depth + 3, 32));
    EXPECT_EQ(user_.take("s", 1), Numbers{3}) << depth;  // three were lapped
    std::size_t got = 1;
    while (!user_.take("s", 1).empty()) {
      ++got;
    }
    EXPECT_EQ(got, depth);
    ASSERT_TRUE(user_.create_subscription("late", "topic", {.depth = depth, .transient = true}));
    EXPECT_TRUE(user_.settle());
    EXPECT_EQ(user_.take("late", 1), Numbers{3}) << depth;
    for (const char * name : {"p", "s", "late"}) {
      user_.close(name);
    }
  }
}

TEST_F(Many, MessagesOfHistoryHaveALimit) {
  ASSERT_TRUE(user_.create_publisher("p", "topic", {.depth = kMaxDepth}));
  ASSERT_TRUE(user_.create_subscription("s", "topic", {.depth = kMaxDepth}));
  for (const std::uint32_t depth : {0U, 16001U, 4294967295U}) {
    for (const Outcome & refused : {user_.create_publisher("x", "topic", {.depth = depth}),
                                    user_.create_subscription("x", "topic", {.depth = depth})}) {
      expect_refusal(refused, CreateError::kBadQos, {"topic 'topic'", std::to_string(depth), "1 to 16000"});
    }
  }
}

TEST_F(Many, SizesOfMessages) {
  const std::size_t greatest = amount("TANDEM_RESOURCES_GREATEST_MIB", 64, 16, 4) << 20;
  struct statvfs space {};
  ASSERT_EQ(statvfs("/dev/shm", &space), 0);
  if (space.f_bavail * space.f_frsize < 3 * greatest) {
    GTEST_SKIP() << "/dev/shm has no room for messages of " << (greatest >> 20) << " MiB";
  }
  Station reader(Place::kElsewhere);
  ASSERT_TRUE(reader.join(0));
  for (std::size_t size = 1; size <= greatest; size *= 2) {
    ASSERT_TRUE(user_.create_publisher("p", "topic", {.depth = 1}));
    ASSERT_TRUE(reader.create_subscription("s", "topic", {.depth = 1}));
    ASSERT_TRUE(user_.until_matched("p", 1) && reader.until_matched("s", 1));
    for (const std::size_t exact : {size - (size > 4 ? 1 : 0), size, size + 1}) {
      if (exact > greatest) {
        continue;
      }
      ASSERT_TRUE(user_.publish("p", 1, exact));
      ASSERT_NE(reader.keep("s", 1), Numbers{kTorn}) << exact;
      reader.drop_kept();
    }
    user_.close("p");
    reader.close("s");
    ASSERT_TRUE(wait_until([&] { return user_.in_use() == 0; }));
  }
}

TEST_F(Many, BytesAtOnceHaveALimit) {
  ASSERT_TRUE(user_.create_publisher("p", "topic"));
  expect_refusal(user_.publish("p", 1, 4500000000), {"the shared memory is full"});
  EXPECT_TRUE(wait_until([&] { return log_.count({"'topic'", "no memory for 4500000000 bytes"}) == 1; }));
  EXPECT_EQ(log_.count({"TANDEM_REGION_SIZE"}), 1);
  ASSERT_TRUE(user_.publish("p", 1, 100));
}

TEST_F(Many, WaitSets) {
  constexpr std::size_t kMost = kBells - kFirstWaitSetBell;
  for (std::size_t i = 0; i < kMost; ++i) {
    const std::string n = std::to_string(i);
    ASSERT_TRUE(user_.create_wait_set("w" + n));
    ASSERT_TRUE(user_.create_subscription("s" + n, "topic"));
    user_.attach("w" + n, "s" + n);
  }
  expect_refusal(user_.create_wait_set("more"), CreateError::kTooMany,
                 {std::to_string(kMost) + " wait-sets", "Attach several"});
  ASSERT_TRUE(user_.create_publisher("p", "topic"));
  ASSERT_TRUE(user_.settle());
  ASSERT_TRUE(user_.publish("p", 1, 100));
  for (std::size_t i = 0; i < kMost; ++i) {
    EXPECT_TRUE(user_.wait("w" + std::to_string(i), 60s));
  }
  user_.close("w7");
  ASSERT_TRUE(user_.create_wait_set("more"));
}

TEST_F(Many, EntriesOfTheDirectory) {
  const auto participant = Participant::join(0);
  ASSERT_TRUE(participant);
  std::vector<std::uint64_t> nodes;
  std::optional<Failure<CreateError>> error;
  while (!error) {
    if (auto node = participant->add_node({"/", "node" + std::to_string(nodes.size())})) {
      nodes.push_back(*node);
    } else {
      error = node.error();
    }
  }
  EXPECT_EQ(nodes.size(), kDirectoryEntries);
  expect_refusal({false, static_cast<int>(error->code), error->message}, CreateError::kTooMany,
                 {std::to_string(kDirectoryEntries), "Use fewer"});
  expect_refusal(user_.create_publisher("p", "topic"), CreateError::kTooMany, {"topic 'topic'", "Use fewer"});
  expect_refusal(user_.create_subscription("s", "topic"), CreateError::kTooMany, {"topic 'topic'", "Use fewer"});
  // Room for two ends, but not for what connects them.
  participant->remove_node(nodes[1]);
  participant->remove_node(nodes[2]);
  ASSERT_TRUE(user_.create_publisher("p", "topic"));
  ASSERT_TRUE(user_.create_subscription("s", "topic"));
  EXPECT_TRUE(wait_until([&] { return log_.count({"'topic'", "directory of this process is full"}) == 1; }));
  participant->remove_node(nodes[3]);
  EXPECT_TRUE(user_.until_matched("p", 1) && user_.until_matched("s", 1));
  ASSERT_TRUE(user_.publish("p", 1, 100));
  EXPECT_TRUE(user_.await("s", 1));
  for (const std::uint64_t node : nodes) {
    participant->remove_node(node);
  }
}

TEST_F(Many, Loans) {
  ASSERT_TRUE(user_.create_publisher("p", "topic", {.loans = 3}));
  EXPECT_EQ(user_.borrow("p", 4, 100), 3U);
  EXPECT_EQ(user_.failed_borrows("p"), 1U);
  expect_refusal(user_.publish("p", 1, 100), {"borrow: ", "on loan or kept by a reader"});
  user_.drop_loans();
  ASSERT_TRUE(user_.publish("p", 1, 100));
}

TEST_F(Many, LettersOfAName) {
  const std::string longest(kMaxNameLength, 'n');
  ASSERT_TRUE(user_.create_publisher("p", longest));
  expect_refusal(user_.create_publisher("q", longest + "n"), CreateError::kBadName, {"1 to 1000 characters, not 1001"});
}

TEST_F(Many, BytesOfUserData) {
  const std::string longest(kMaxUserData, 'u');
  ASSERT_TRUE(user_.create_publisher("p", "topic", {.user_data = longest}));
  expect_refusal(user_.create_publisher("q", "topic", {.user_data = longest + "u"}), CreateError::kBadName,
                 {"'topic'", "8193 bytes, of which 8192 are possible"});
}

TEST_F(Many, Domains) {
  expect_refusal(user_.join(233), JoinError::kBadDomain, {"233", "ROS_DOMAIN_ID must be 0 to 232"});
  ASSERT_TRUE(user_.join(232));
}

}  // namespace
}  // namespace tandem::test
