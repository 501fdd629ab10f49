// In a region of 64 MiB: messages that are owed fill the memory before they fill the ring.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>

#include "roles.hpp"

namespace tandem::test {
namespace {

class OwedMemory : public testing::TestWithParam<const char *> {
 protected:
  OwedMemory() {
    setenv("TANDEM_REGION_SIZE", "64", 1);
    writer_ = std::make_unique<Station>(true);
    unsetenv("TANDEM_REGION_SIZE");
    EXPECT_EQ((*writer_)("join 0"), "ok");
    EXPECT_EQ(reader_("join 0"), "ok");
  }
  std::string write(const std::string & line) { return (*writer_)(line); }

  Folder folder_;
  std::unique_ptr<Station> writer_;
  Station reader_{true};
};

INSTANTIATE_TEST_SUITE_P(, OwedMemory, testing::Values("publish", "copy", "adopt"),
                         [](const auto & info) { return std::string(info.param); });

TEST_P(OwedMemory, LargeMessagesWaitForASlowReader) {
  const auto messages = 50 + static_cast<std::uint64_t>(150 * scale());
  const std::string count = std::to_string(messages);
  ASSERT_EQ(write("pub p topic keep_all"), "ok");
  ReadingChild slow({"keep_all", messages, 1, 1000});
  ASSERT_EQ(slow.process().read_line(), "ready");
  ASSERT_TRUE(writer_->until("matched p", "1"));
  slow.process().signal(SIGSTOP);
  writer_->child().tell(std::string(GetParam()) + " p " + count + " 2000000");
  EXPECT_EQ(writer_->child().read_line(0.2), "") << "that is more than there is room for";
  slow.process().signal(SIGCONT);
  EXPECT_EQ(writer_->child().read_line(120), "ok");
  EXPECT_EQ(slow.tally(), perfect(messages));
  EXPECT_EQ(write("failed p"), "0");
}

// A reader that stands still costs its own topic a timeout, and the other topics of the process nothing.
TEST_P(OwedMemory, IsLeftToOtherTopics) {
  const std::string verb = GetParam();
  ASSERT_EQ(write("pub p topic keep_all block=100"), "ok");
  ASSERT_EQ(write("pub q other depth=3"), "ok");
  ASSERT_EQ(write("pub r third keep_all"), "ok");
  ASSERT_EQ(reader_("sub s topic keep_all"), "ok");
  Station other(true);
  ASSERT_EQ(other("join 0"), "ok");
  ASSERT_EQ(other("sub q other depth=3"), "ok");
  ASSERT_EQ(other("sub r third keep_all"), "ok");
  for (const char * name : {"p", "q", "r"}) {
    ASSERT_TRUE(writer_->until(std::string("matched ") + name, "1"));
  }
  ASSERT_TRUE(other.until("matched q", "1") && other.until("matched r", "1"));
  reader_.child().signal(SIGSTOP);
  for (int round = 0; round < 2; ++round) {
    const std::string refused = write(verb + " p 1000 1000000");
    ASSERT_EQ(refused.rfind("error publish ", 0), 0U) << refused;
  }
  for (int round = 0; round < 10; ++round) {
    for (const std::string name : {"q", "r"}) {
      ASSERT_EQ(write(verb + " " + name + " 3 1000000"), "ok");
      ASSERT_EQ(other("await " + name + " 3"), "ok");
    }
  }
  const std::string pid = std::to_string(reader_.child().pid());
  std::string said;
  EXPECT_TRUE(wait_until([&] { return (said = write("log")) != "none"; }));
  EXPECT_NE(said.find("topic 'topic': publish waited "), std::string::npos) << said;
  EXPECT_TRUE(said.find("process " + pid) != std::string::npos || is_emulated()) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '|'), 1) << said;
  reader_.child().signal(SIGCONT);
  EXPECT_EQ(reader_("await s 40"), "ok");
  while (reader_("take s 1") != "nothing") {
  }
  EXPECT_EQ(reader_("lost s"), "0");
  EXPECT_EQ(write(verb + " p 10 1000000"), "ok");
}

// What a killed reader holds is taken back before a message that a living one may still take.
TEST(Memory, OfTheDeadGoesBeforeMessagesThatMayBeTaken) {
  const Folder folder;
  setenv("TANDEM_REGION_SIZE", "64", 1);
  Station writer(true);
  unsetenv("TANDEM_REGION_SIZE");
  Station killed(true);
  Station living(true);
  for (Station * station : {&writer, &killed, &living}) {
    ASSERT_EQ((*station)("join 0"), "ok");
  }
  const std::string size = " 3775000";  // 17 of them fit into the region, 18 do not
  ASSERT_EQ(writer("pub p topic depth=10"), "ok");
  ASSERT_EQ(killed("sub s topic depth=10 quota=8"), "ok");
  ASSERT_EQ(living("sub s topic depth=10"), "ok");
  ASSERT_TRUE(writer.until("matched p", "2") && killed.until("matched s", "1") && living.until("matched s", "1"));
  ASSERT_EQ(writer("publish p 8" + size), "ok");
  ASSERT_EQ(killed("keep s 8"), "0 1 2 3 4 5 6 7");
  ASSERT_EQ(living("await s 8"), "ok");
  ASSERT_EQ(writer("publish p 9" + size), "ok");
  killed.child().kill();
  ASSERT_EQ(writer("publish p 1" + size), "ok");
  EXPECT_EQ(living("await s 10"), "ok");
  EXPECT_EQ(living("lost s"), "0");
  EXPECT_EQ(writer("failed p"), "0");
}

}  // namespace
}  // namespace tandem::test
