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
  Fork() : reader_(true) {
    setenv("TSAN_OPTIONS", "die_after_fork=0", 0);  // the thread sanitizer would rather see no threads in children
    EXPECT_EQ(reader_("join 0"), "ok");
    EXPECT_EQ(reader_("sub s topic keep_all"), "ok");
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
    EXPECT_EQ(reader_("await s 1"), "ok") << i;
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
    EXPECT_EQ(reader_("await s 1"), "ok");
  }
  EXPECT_EQ(forker.finish(), 0);
  EXPECT_TRUE(reader_.until("matched s", "0"));
  EXPECT_TRUE(regions_are(1));
}

TEST_F(Fork, MessageMemoryIsInheritedThroughManyGenerations) {
  Child forker("fork", {"heirs"});
  EXPECT_EQ(forker.finish(), 0);
}

TEST_F(Fork, WhileAllThreadsAreBusy) {
  Child forker("fork", {"busy"});
  const std::string total = forker.read_line();
  EXPECT_EQ(reader_("await s " + total), "ok");
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
  EXPECT_TRUE(reader_.until("matched s", "2"));
  forker.kill();
  EXPECT_TRUE(reader_.until("matched s", "1"));
  EXPECT_TRUE(regions_are(2));
  forker.tell("go");
  EXPECT_EQ(reader_("await s 5"), "ok");
  EXPECT_TRUE(regions_are(1));
}

TEST_F(Fork, DaemonJoinsAnew) {
  if (!may_join_after_fork()) {
    GTEST_SKIP() << "the emulator cannot start threads after a fork";
  }
  Child forker("fork", {"daemon"});
  ASSERT_EQ(forker.read_line(), "daemon has joined");
  EXPECT_TRUE(reader_.until("matched s", "1"));
  EXPECT_TRUE(regions_are(2));
  forker.tell("go");
  EXPECT_EQ(reader_("await s 5"), "ok");
  EXPECT_EQ(forker.finish(), 0);
  EXPECT_TRUE(regions_are(1));
}

}  // namespace
}  // namespace tandem::test
