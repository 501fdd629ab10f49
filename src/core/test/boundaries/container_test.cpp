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
  /// An agent in a container, joined; null after a skip.
  std::unique_ptr<Guest> start(const std::vector<std::string> & arguments = {}) {
    auto guest = std::make_unique<Guest>("container", arguments);
    if (const std::string line = guest->child().read_line(); line != "ready") {
      reason_ = line.empty() ? "no container can be made" : line;
      return nullptr;
    }
    EXPECT_EQ((*guest)("join 0"), "ok");
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
  EXPECT_TRUE(b->until("matched s", "0"));
  EXPECT_TRUE(regions_are(2));
  const auto again = start();
  ASSERT_TRUE(again && (*again)("pub p there") == "ok");
  ASSERT_TRUE(again->until("matched p", "1") && b->until("matched s", "1"));
  EXPECT_TRUE(flows(*again, *b));
  EXPECT_EQ((*again)("log") + (*b)("log"), "nonenone");
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
  ASSERT_TRUE(newcomer && (*newcomer)("sub s topic") == "ok");
  ASSERT_TRUE(newcomer->until("matched s", "1") && a->until("matched p", "2"));
  ASSERT_TRUE(flows(*a, *b));
  EXPECT_EQ((*newcomer)("take s 9"), "5 6 7 8 9");
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
    ASSERT_TRUE(newcomer && (*newcomer)("sub s topic") == "ok");
    ASSERT_TRUE(newcomer->until("matched s", "1") && a->until("matched p", "2"));
    ASSERT_TRUE(flows(*a, *b));
    EXPECT_EQ((*newcomer)("await s 0"), "ok");
    EXPECT_NE((*newcomer)("take s 9"), "nothing");
    newcomer->child().kill();
    EXPECT_TRUE(a->until("matched p", "1"));
  }
  a->child().kill();
  EXPECT_TRUE(b->until("matched s", "0"));
  EXPECT_TRUE(regions_are(2));
}

TEST_F(Containers, MayHaveClocksOfTheirOwn) {
  const auto a = start({"time=1000000"});
  const auto b = a ? start() : nullptr;
  if (!b) {
    GTEST_SKIP() << reason_;
  }
  ASSERT_TRUE(connect(*a, *b, "there", "keep_all"));
  ASSERT_TRUE(connect(*b, *a, "back", "keep_all"));
  EXPECT_TRUE(flows(*a, *b, 1000, 64));
  EXPECT_TRUE(flows(*b, *a, 1000, 64));
  for (const auto & guest : {a.get(), b.get()}) {
    ASSERT_EQ((*guest)("set w"), "ok");
    ASSERT_EQ((*guest)("attach w s"), "ok");
    EXPECT_EQ((*guest)("wait w 20"), "timeout");
  }
  b->child().tell("wait w 60000");
  ASSERT_EQ((*a)("publish p 1 64"), "ok");
  EXPECT_EQ(b->child().read_line(), "ready");
}

}  // namespace
}  // namespace tandem::test
