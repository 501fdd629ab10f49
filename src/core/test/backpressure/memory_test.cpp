// In a region of 64 MiB: messages that are owed fill the memory before they fill the ring.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>

#include "reading.hpp"

namespace tandem::test {
namespace {

std::string name_of(Way way) { return way == Way::kLoan ? "publish" : way == Way::kCopy ? "copy" : "adopt"; }

class OwedMemory : public testing::TestWithParam<Way> {
 protected:
  OwedMemory() {
    setenv("TANDEM_REGION_SIZE", "64", 1);
    writer_ = std::make_unique<Station>(Place::kElsewhere);
    unsetenv("TANDEM_REGION_SIZE");
    EXPECT_TRUE(writer_->join(0));
    EXPECT_TRUE(reader_.join(0));
  }

  Folder folder_;
  std::unique_ptr<Station> writer_;
  Station reader_{Place::kElsewhere};
};

INSTANTIATE_TEST_SUITE_P(, OwedMemory, testing::Values(Way::kLoan, Way::kCopy, Way::kAllocation),
                         [](const auto & info) { return name_of(info.param); });

TEST_P(OwedMemory, LargeMessagesWaitForASlowReader) {
  const auto messages = 50 + static_cast<std::uint64_t>(150 * scale());
  ASSERT_TRUE(writer_->create_publisher("p", "topic", {.keep_all = true}));
  ReadingChild slow({{.keep_all = true}, messages, 1, 1000});
  ASSERT_TRUE(slow.is_matched());
  ASSERT_TRUE(writer_->until_matched("p", 1));
  slow.process().signal(SIGSTOP);
  auto publishing = writer_->start<&User::publish>("p", messages, 2000000, GetParam());
  EXPECT_FALSE(publishing.is_done(0.2)) << "that is more than there is room for";
  slow.process().signal(SIGCONT);
  EXPECT_TRUE(publishing.get(120));
  EXPECT_EQ(slow.tally(), perfect(messages));
  EXPECT_EQ(writer_->failed_borrows("p"), 0U);
}

// A reader that stands still costs its own topic a timeout, and the other topics of the process nothing.
TEST_P(OwedMemory, IsLeftToOtherTopics) {
  ASSERT_TRUE(writer_->create_publisher("p", "topic", {.keep_all = true, .block = 100ms}));
  ASSERT_TRUE(writer_->create_publisher("q", "other", {.depth = 3}));
  ASSERT_TRUE(writer_->create_publisher("r", "third", {.keep_all = true}));
  ASSERT_TRUE(reader_.create_subscription("s", "topic", {.keep_all = true}));
  Station other(Place::kElsewhere);
  ASSERT_TRUE(other.join(0));
  ASSERT_TRUE(other.create_subscription("q", "other", {.depth = 3}));
  ASSERT_TRUE(other.create_subscription("r", "third", {.keep_all = true}));
  for (const char * name : {"p", "q", "r"}) {
    ASSERT_TRUE(writer_->until_matched(name, 1));
  }
  ASSERT_TRUE(other.until_matched("q", 1) && other.until_matched("r", 1));
  reader_.child().signal(SIGSTOP);
  for (int round = 0; round < 2; ++round) {
    const Outcome refused = writer_->publish("p", 1000, 1000000, GetParam());
    ASSERT_TRUE(refused.says("publish: ")) << refused;
  }
  for (int round = 0; round < 10; ++round) {
    for (const std::string name : {"q", "r"}) {
      ASSERT_TRUE(writer_->publish(name, 3, 1000000, GetParam()));
      ASSERT_TRUE(other.await(name, 3));
    }
  }
  const std::string pid = std::to_string(reader_.child().pid());
  EXPECT_TRUE(wait_until([&] { return !writer_->log().empty(); }));
  const auto said = writer_->log();
  EXPECT_TRUE(contains(said, "topic 'topic': publish waited ")) << testing::PrintToString(said);
  EXPECT_TRUE(contains(said, "process " + pid) || is_emulated()) << testing::PrintToString(said);
  EXPECT_EQ(said.size(), 1U) << testing::PrintToString(said);
  reader_.child().signal(SIGCONT);
  EXPECT_TRUE(reader_.await("s", 40));
  while (!reader_.take("s", 1).empty()) {
  }
  EXPECT_EQ(reader_.lost("s"), 0U);
  EXPECT_TRUE(writer_->publish("p", 10, 1000000, GetParam()));
}

// What a killed reader holds is taken back before a message that a living one may still take.
TEST(Memory, OfTheDeadGoesBeforeMessagesThatMayBeTaken) {
  const Folder folder;
  setenv("TANDEM_REGION_SIZE", "64", 1);
  Station writer(Place::kElsewhere);
  unsetenv("TANDEM_REGION_SIZE");
  Station killed(Place::kElsewhere);
  Station living(Place::kElsewhere);
  for (Station * station : {&writer, &killed, &living}) {
    ASSERT_TRUE(station->join(0));
  }
  constexpr std::size_t kSize = 3775000;  // 17 of them fit into the region, 18 do not
  ASSERT_TRUE(writer.create_publisher("p", "topic", {.depth = 10}));
  ASSERT_TRUE(killed.create_subscription("s", "topic", {.depth = 10, .quota = 8}));
  ASSERT_TRUE(living.create_subscription("s", "topic", {.depth = 10}));
  ASSERT_TRUE(writer.until_matched("p", 2) && killed.until_matched("s", 1) && living.until_matched("s", 1));
  ASSERT_TRUE(writer.publish("p", 8, kSize));
  ASSERT_EQ(killed.keep("s", 8), range(0, 8));
  ASSERT_TRUE(living.await("s", 8));
  ASSERT_TRUE(writer.publish("p", 9, kSize));
  killed.child().kill();
  ASSERT_TRUE(writer.publish("p", 1, kSize));
  EXPECT_TRUE(living.await("s", 10));
  EXPECT_EQ(living.lost("s"), 0U);
  EXPECT_EQ(writer.failed_borrows("p"), 0U);
}

}  // namespace
}  // namespace tandem::test
