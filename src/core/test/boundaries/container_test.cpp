// Containers that share the folder in shared memory and nothing else: no PIDs, no network, no /proc, no clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "guest.hpp"
#include "tandem/participant.hpp"

namespace tandem::test {
namespace {

const int kRounds = std::max(1, static_cast<int>(scale()));

class Containers : public testing::Test {
 protected:
  /// A user in a container, joined; null after a skip.
  std::unique_ptr<Station> start(const std::vector<std::string> & arguments = {}) {
    auto guest = std::make_unique<Station>("container", arguments);
    if (const std::string line = guest->child().read_line(); line != "ready") {
      reason_ = line.empty() ? "no container can be made" : line;
      return nullptr;
    }
    EXPECT_TRUE(guest->join(0));
    return guest;
  }
  /// The processes that the one outside sees.
  std::multiset<int> pids() const {
    std::multiset<int> found;
    for (const ProcessInfo & process : outside_->graph().processes) {
      found.insert(process.pid);
    }
    return found;
  }
  bool regions_are(std::size_t count) {
    return wait_until([&] { return folder_.files(0, ".region").size() == count; });
  }

  const Folder folder_;
  const Result<Participant, JoinError> outside_ = Participant::join(0);
  std::string reason_;
};

TEST_F(Containers, ShareOnlyTheFolder) {
  const auto a = start();
  const auto b = a ? start() : nullptr;
  if (!b) {
    GTEST_SKIP() << reason_;
  }
  ASSERT_TRUE(connect(*a, *b, "there"));
  ASSERT_TRUE(connect(*b, *a, "back"));
  EXPECT_TRUE(flows(*a, *b, 20, 100000));
  EXPECT_TRUE(flows(*b, *a, 20, 100000));
  EXPECT_EQ(pids().count(1), 2U);  // both are process 1: nobody is known by that
  ASSERT_TRUE(wait_until([&] { return folder_.files(0, ".region").size() == 3; }));
  a->child().kill();
  EXPECT_TRUE(b->until_matched("s", 0));
  EXPECT_TRUE(regions_are(2));
  const auto again = start();
  ASSERT_TRUE(again && again->create_publisher("p", "there"));
  ASSERT_TRUE(again->until_matched("p", 1) && b->until_matched("s", 1));
  EXPECT_TRUE(flows(*again, *b));
  EXPECT_TRUE(again->log().empty() && b->log().empty());
}

TEST_F(Containers, NeedNoProc) {
  if (is_sanitized() || is_emulated()) {
    GTEST_SKIP() << "the sanitizers and the emulator need /proc themselves";
  }
  const auto a = start({"no_proc"});
  const auto b = a ? start({"no_proc"}) : nullptr;
  if (!b) {
    GTEST_SKIP() << reason_;
  }
  ASSERT_TRUE(connect(*a, *b));
  EXPECT_TRUE(flows(*a, *b));
  remove_all(folder_.path() + "/0");
  const auto newcomer = start({"no_proc"});
  ASSERT_TRUE(newcomer && newcomer->create_subscription("s", "topic"));
  ASSERT_TRUE(newcomer->until_matched("s", 1) && a->until_matched("p", 2));
  ASSERT_TRUE(flows(*a, *b));
  EXPECT_EQ(newcomer->take("s", 9), range(5, 10));
}

TEST_F(Containers, FindEachOtherAfterTheirFilesWereDeleted) {
  const auto a = start();
  const auto b = a ? start() : nullptr;
  if (!b) {
    GTEST_SKIP() << reason_;
  }
  ASSERT_TRUE(connect(*a, *b));
  for (int round = 0; round < kRounds; ++round) {
    remove_all(folder_.path() + "/0");
    const auto newcomer = start();
    ASSERT_TRUE(newcomer && newcomer->create_subscription("s", "topic"));
    ASSERT_TRUE(newcomer->until_matched("s", 1) && a->until_matched("p", 2));
    ASSERT_TRUE(flows(*a, *b));
    EXPECT_TRUE(newcomer->await("s", 0));
    EXPECT_FALSE(newcomer->take("s", 9).empty());
    newcomer->child().kill();
    EXPECT_TRUE(a->until_matched("p", 1));
  }
  a->child().kill();
  EXPECT_TRUE(b->until_matched("s", 0));
  EXPECT_TRUE(regions_are(2));
}

TEST_F(Containers, MayHaveClocksOfTheirOwn) {
  const auto a = start({"time=1000000"});
  const auto b = a ? start() : nullptr;
  if (!b) {
    GTEST_SKIP() << reason_;
  }
  ASSERT_TRUE(connect(*a, *b, "there", {.keep_all = true}));
  ASSERT_TRUE(connect(*b, *a, "back", {.keep_all = true}));
  EXPECT_TRUE(flows(*a, *b, 1000, 64));
  EXPECT_TRUE(flows(*b, *a, 1000, 64));
  for (const auto & guest : {a.get(), b.get()}) {
    ASSERT_TRUE(guest->create_wait_set("w"));
    guest->attach("w", "s");
    EXPECT_FALSE(guest->wait("w", 20ms));
  }
  auto waiting = b->start<&User::wait>("w", 60s);
  ASSERT_TRUE(a->publish("p", 1, 64));
  EXPECT_TRUE(waiting.get());
}

}  // namespace
}  // namespace tandem::test
