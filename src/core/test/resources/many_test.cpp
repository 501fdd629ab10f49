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
#include <sstream>

#include "agent.hpp"
#include "layout/layout.hpp"

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
  Many() : agent_(false) { EXPECT_EQ(agent_("join 0"), "ok"); }
  void ok(const std::string & line) { ASSERT_EQ(agent_(line), "ok") << line; }
  static void expect_all(const std::string & text, const std::vector<std::string> & parts) {
    for (const std::string & part : parts) {
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  }

  Folder folder_;
  LogCapture log_;
  Station agent_;
};

TEST_F(Many, ProcessesOnOneTopic) {
  const std::size_t count = amount("TANDEM_RESOURCES_PROCESSES", 40, 12, 6);
  ok("pub p topic depth=20");
  std::vector<std::unique_ptr<Child>> crowd;
  const auto start = Clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    crowd.push_back(std::make_unique<Child>("subject"));
    crowd.back()->tell("join 0");
    crowd.back()->tell("sub s topic depth=20");
  }
  for (const auto & child : crowd) {
    EXPECT_EQ(child->read_line(), "ok");
    EXPECT_EQ(child->read_line(), "ok");
  }
  ASSERT_TRUE(wait_until([&] { return agent_("matched p") == std::to_string(count); }, 300)) << agent_("matched p");
  for (const auto & child : crowd) {
    ASSERT_TRUE(wait_until([&] { return child->ask("matched s") == "1"; }));
  }
  const double matched = seconds_since(start);
  for (int round = 0; round < 3; ++round) {
    ok("publish p 10 1000");
    for (const auto & child : crowd) {
      child->tell("await s 10");
    }
    for (const auto & child : crowd) {
      EXPECT_EQ(child->read_line(), "ok");
    }
  }
  double idle = 0;
  if (std::getenv("TANDEM_RESOURCES_PROCESSES") != nullptr) {
    std::vector<double> before;
    for (const auto & child : crowd) {
      before.push_back(processor_time(child->pid()));
    }
    const auto rest = Clock::now();
    wait_until([] { return false; }, 10);  // to see what idleness costs
    for (std::size_t i = 0; i < count; ++i) {
      idle += processor_time(crowd[i]->pid()) - before[i];
    }
    idle /= seconds_since(rest);
  }
  crowd.front()->kill();
  EXPECT_TRUE(agent_.until("matched p", std::to_string(count - 1)));
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
    ok("pub p" + n + " topic" + n + " depth=1");
    ok("sub s" + n + " topic" + n + " depth=1");
  }
  ASSERT_EQ(agent_("settle"), "ok");
  const double made = seconds_since(start);
  for (std::size_t i = 0; i < count; ++i) {
    ok("publish p" + std::to_string(i) + " 1 100");
  }
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(agent_("await s" + std::to_string(i) + " 1"), "ok");
  }
  std::cout << "figures: " << count << " topics in one process, made and matched within " << made << " s" << std::endl;
}

TEST_F(Many, ReadersOfAPublisherAndOneMore) {
  ok("pub p topic depth=5");
  const auto name = [](std::size_t i) { return "s" + std::to_string(i); };
  for (std::size_t i = 0; i <= kMaxReaders; ++i) {
    ok("sub " + name(i) + " topic depth=5");
  }
  const std::string most = std::to_string(kMaxReaders);
  ASSERT_TRUE(agent_.until("matched p", most));
  ASSERT_EQ(agent_("publish p 5 100"), "ok");
  std::size_t outsider = kMaxReaders + 1;
  for (std::size_t i = 0; i <= kMaxReaders; ++i) {
    if (agent_("matched " + name(i)) == "0") {
      outsider = i;
    } else {
      EXPECT_EQ(agent_("await " + name(i) + " 5"), "ok");
    }
  }
  ASSERT_LE(outsider, kMaxReaders);
  EXPECT_TRUE(wait_until([&] { return log_.count({"'topic'", most, "Use fewer"}) == 1; }));
  EXPECT_EQ(agent_("close " + name(outsider == 0 ? 1 : 0)), "ok");
  EXPECT_TRUE(agent_.until("matched " + name(outsider), "1"));
  EXPECT_EQ(log_.lines().size(), 1U);
}

TEST_F(Many, MessagesOfHistory) {
  const std::size_t most = amount("TANDEM_RESOURCES_DEPTH", 10000, 4000, 2000);
  for (const std::size_t depth : {std::size_t{1}, std::size_t{2}, std::size_t{255}, std::size_t{256}, most}) {
    const std::string d = std::to_string(depth);
    ok("pub p topic depth=" + d + " transient");
    ok("sub s topic depth=" + d);
    ASSERT_EQ(agent_("settle"), "ok");
    ok("publish p " + std::to_string(depth + 3) + " 32");
    EXPECT_EQ(agent_("take s 1"), "3") << d;  // three were lapped
    std::size_t got = 1;
    while (agent_("take s 1") != "nothing") {
      ++got;
    }
    EXPECT_EQ(got, depth);
    ok("sub late topic transient depth=" + d);
    EXPECT_EQ(agent_("settle"), "ok");
    EXPECT_EQ(agent_("take late 1"), "3") << d;
    for (const char * end : {"close p", "close s", "close late"}) {
      ok(end);
    }
  }
}

TEST_F(Many, MessagesOfHistoryHaveALimit) {
  ok("pub p topic depth=" + std::to_string(kMaxDepth));
  ok("sub s topic depth=" + std::to_string(kMaxDepth));
  for (const std::string kind : {"pub", "sub"}) {
    for (const std::string depth : {"0", "16001", "4294967295"}) {
      expect_all(agent_(kind + " x topic depth=" + depth), {"error 1 topic 'topic'", depth, "1 to 16000"});
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
  Station reader(true);
  ASSERT_EQ(reader("join 0"), "ok");
  for (std::size_t size = 1; size <= greatest; size *= 2) {
    ok("pub p topic depth=1");
    ASSERT_EQ(reader("sub s topic depth=1"), "ok");
    ASSERT_TRUE(agent_.until("matched p", "1") && reader.until("matched s", "1"));
    for (const std::size_t exact : {size - (size > 4 ? 1 : 0), size, size + 1}) {
      if (exact > greatest) {
        continue;
      }
      ok("publish p 1 " + std::to_string(exact));
      ASSERT_EQ(reader("keep s 1").find("torn"), std::string::npos) << exact;
      EXPECT_EQ(reader("drop"), "ok");
    }
    ok("close p");
    ASSERT_EQ(reader("close s"), "ok");
    ASSERT_TRUE(agent_.until("in_use", "0"));
  }
}

TEST_F(Many, BytesAtOnceHaveALimit) {
  ok("pub p topic");
  expect_all(agent_("publish p 1 4500000000"), {"error", "the shared memory is full"});
  EXPECT_TRUE(wait_until([&] { return log_.count({"'topic'", "no memory for 4500000000 bytes"}) == 1; }));
  EXPECT_EQ(log_.count({"TANDEM_REGION_SIZE"}), 1);
  ok("publish p 1 100");
}

TEST_F(Many, WaitSets) {
  constexpr std::size_t kMost = kBells - kFirstWaitSetBell;
  for (std::size_t i = 0; i < kMost; ++i) {
    const std::string n = std::to_string(i);
    ok("set w" + n);
    ok("sub s" + n + " topic");
    ok("attach w" + n + " s" + n);
  }
  expect_all(agent_("set more"), {"error 3", std::to_string(kMost) + " wait-sets", "Attach several"});
  ok("pub p topic");
  ASSERT_EQ(agent_("settle"), "ok");
  ok("publish p 1 100");
  for (std::size_t i = 0; i < kMost; ++i) {
    EXPECT_EQ(agent_("wait w" + std::to_string(i) + " 60000"), "ready");
  }
  ok("close w7");
  ok("set more");
}

TEST_F(Many, EntriesOfTheDirectory) {
  const auto participant = Participant::join(0);
  ASSERT_TRUE(participant);
  std::vector<std::uint64_t> nodes;
  std::string error;
  while (error.empty()) {
    if (auto node = participant->add_node({"/", "node" + std::to_string(nodes.size())})) {
      nodes.push_back(*node);
    } else {
      error = std::to_string(static_cast<int>(node.error().code)) + " " + node.error().message;
    }
  }
  EXPECT_EQ(nodes.size(), kDirectoryEntries);
  expect_all(error, {"3 ", std::to_string(kDirectoryEntries), "Use fewer"});
  expect_all(agent_("pub p topic"), {"error 3 topic 'topic'", "Use fewer"});
  expect_all(agent_("sub s topic"), {"error 3 topic 'topic'", "Use fewer"});
  // Room for two ends, but not for what connects them.
  participant->remove_node(nodes[1]);
  participant->remove_node(nodes[2]);
  ok("pub p topic");
  ok("sub s topic");
  EXPECT_TRUE(wait_until([&] { return log_.count({"'topic'", "directory of this process is full"}) == 1; }));
  participant->remove_node(nodes[3]);
  EXPECT_TRUE(agent_.until("matched p", "1") && agent_.until("matched s", "1"));
  ok("publish p 1 100");
  EXPECT_EQ(agent_("await s 1"), "ok");
  for (const std::uint64_t node : nodes) {
    participant->remove_node(node);
  }
}

TEST_F(Many, Loans) {
  ok("pub p topic loans=3");
  EXPECT_EQ(agent_("borrow p 4 100"), "3");
  EXPECT_EQ(agent_("failed p"), "1");
  expect_all(agent_("publish p 1 100"), {"error borrow", "on loan or kept by a reader"});
  ok("drop_loans");
  ok("publish p 1 100");
}

TEST_F(Many, LettersOfAName) {
  const std::string longest(kMaxNameLength, 'n');
  ok("pub p " + longest);
  expect_all(agent_("pub q " + longest + "n"), {"error 0", "1 to 1000 characters, not 1001"});
}

TEST_F(Many, Domains) {
  expect_all(agent_("join 233"), {"error 0", "233", "ROS_DOMAIN_ID must be 0 to 232"});
  ok("join 232");
}

}  // namespace
}  // namespace tandem::test
