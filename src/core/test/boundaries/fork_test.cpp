// fork(2) in a node, in every way in which programs do it. The parent and its peers notice nothing.
#include "fork_roles.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>

#include "guest.hpp"

namespace tandem::test {
namespace {

class Fork : public testing::Test {
 protected:
  Fork() : reader_(Place::kElsewhere) {
    setenv("TSAN_OPTIONS", "die_after_fork=0", 0);  // the thread sanitizer would rather see no threads in children
    EXPECT_TRUE(reader_.join(0));
    EXPECT_TRUE(reader_.create_subscription("s", "topic", {.keep_all = true}));
  }
  bool regions_are(std::size_t count) {
    return wait_until([&] { return folder_.files(0, ".region").size() == count; });
  }

  const Folder folder_;
  Station reader_;
};

TEST_F(Fork, ChildrenThatEndInAnyWayLeaveTheParentAlone) {
  Child forker("fork", {"ends"});
  for (int i = 0; i < kWaysToEnd; ++i) {
    ASSERT_EQ(forker.read_line(), "published");
    EXPECT_TRUE(reader_.await("s", 1)) << i;
    EXPECT_EQ(folder_.files(0, ".region").size(), 2U) << i;
    forker.tell("next");
  }
  EXPECT_EQ(forker.finish(), 0);
  EXPECT_TRUE(regions_are(1));
}

TEST_F(Fork, ChildrenOfChildrenJoinAnew) {
  if (!may_join_after_fork()) {
    GTEST_SKIP() << "the emulator cannot start threads after a fork";
  }
  Child forker("fork", {"generations"});
  for (int i = 0; i < kGenerations; ++i) {
    ASSERT_EQ(forker.read_line(), "generation " + std::to_string(i));
    EXPECT_TRUE(reader_.await("s", 1));
  }
  EXPECT_EQ(forker.finish(), 0);
  EXPECT_TRUE(reader_.until_matched("s", 0));
  EXPECT_TRUE(regions_are(1));
}

TEST_F(Fork, MessageMemoryIsInheritedThroughManyGenerations) {
  Child forker("fork", {"heirs"});
  EXPECT_EQ(forker.finish(), 0);
}

TEST_F(Fork, WhileAllThreadsAreBusy) {
  Child forker("fork", {"busy"});
  const std::uint64_t total = std::stoull(forker.read_line());
  EXPECT_TRUE(reader_.await("s", total));
  EXPECT_EQ(forker.read_line(), "done");
  EXPECT_EQ(forker.finish(), 0);
  EXPECT_TRUE(regions_are(1));
}

TEST_F(Fork, ChildLivesOnWhenItsParentIsKilled) {
  if (!may_join_after_fork()) {
    GTEST_SKIP() << "the emulator cannot start threads after a fork";
  }
  Child forker("fork", {"orphan"});
  ASSERT_EQ(forker.read_line(), "child has joined");
  EXPECT_TRUE(reader_.until_matched("s", 2));
  forker.kill();
  EXPECT_TRUE(reader_.until_matched("s", 1));
  EXPECT_TRUE(regions_are(2));
  forker.tell("go");
  EXPECT_TRUE(reader_.await("s", 5));
  EXPECT_TRUE(regions_are(1));
}

TEST_F(Fork, DaemonJoinsAnew) {
  if (!may_join_after_fork()) {
    GTEST_SKIP() << "the emulator cannot start threads after a fork";
  }
  Child forker("fork", {"daemon"});
  ASSERT_EQ(forker.read_line(), "daemon has joined");
  EXPECT_TRUE(reader_.until_matched("s", 1));
  EXPECT_TRUE(regions_are(2));
  forker.tell("go");
  EXPECT_TRUE(reader_.await("s", 5));
  EXPECT_EQ(forker.finish(), 0);
  EXPECT_TRUE(regions_are(1));
}

}  // namespace
}  // namespace tandem::test
