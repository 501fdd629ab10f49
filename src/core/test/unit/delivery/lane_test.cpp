// A reader before states that its publisher's death, or malice, can leave behind; made by writing into the ring.
#include <gtest/gtest.h>

#include "agent.hpp"
#include "layout/layout.hpp"
#include "payload.hpp"
#include "process/process.hpp"
#include "rings.hpp"

namespace tandem::test {
namespace {

class LaneTest : public testing::Test {
 protected:
  void connect(const std::string & options) {
    out_ = std::move(*participant_->create_publisher(publisher_options("topic", options)));
    in_ = std::move(*participant_->create_subscription(subscription_options("topic", options)));
    ASSERT_TRUE(wait_until([&] { return in_->matched_count() == 1 && out_->matched_count() == 1; }));
    ring_ = ring_of(*out_);
    ASSERT_NE(ring_, nullptr);
    slots_ = Process::instance().region().at<Slot>(ring_->slots);
  }
  Slot & slot(std::uint64_t n) { return slots_[n & (ring_->ring_size - 1)]; }
  void publish(int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(out_->publish_copy("message", 8));
    }
  }

  Folder folder_;
  LogCapture log_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
  std::unique_ptr<Publisher> out_;
  std::unique_ptr<Subscription> in_;
  PublisherRecord * ring_ = nullptr;
  Slot * slots_ = nullptr;
};

TEST_F(LaneTest, GoesOnWhenAMessageIsGoneBeforeTheHeadIsStored) {
  connect("depth=10");
  publish(3);
  slot(0).seq = gone(0);
  slot(1).seq = gone(1);
  ring_->head = 0;
  const Sample sample = in_->take();
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample.sequence(), 2U);
  EXPECT_EQ(in_->lost(), 2U);
  EXPECT_FALSE(in_->take());
}

TEST_F(LaneTest, EndsWhenEverythingIsGoneAndTheHeadIsOld) {
  connect("depth=1");
  publish(2);
  slot(0).seq = gone(0);
  slot(1).seq = gone(1);
  ring_->head = 0;
  EXPECT_FALSE(in_->take());
  EXPECT_FALSE(in_->has_data());
  EXPECT_EQ(in_->lost(), 2U);
}

TEST_F(LaneTest, SkipsAWholeLap) {
  connect("depth=3");
  publish(1);
  EXPECT_TRUE(in_->take());
  publish(static_cast<int>(3 * ring_->ring_size) + 7);
  const std::uint64_t head = 3 * ring_->ring_size + 8;
  for (std::uint64_t n = head - 3; n < head; ++n) {
    const Sample sample = in_->take();
    ASSERT_TRUE(sample) << n;
    EXPECT_EQ(sample.sequence(), n);
  }
  EXPECT_FALSE(in_->take());
  EXPECT_EQ(in_->lost(), head - 4);
}

TEST_F(LaneTest, IgnoresAHeadBehindItsCursor) {
  connect("depth=10");
  publish(5);
  slot(0).seq = gone(0);
  ring_->head = ~std::uint64_t{0};  // as a number of a ring: -1
  for (const std::uint64_t number : {1, 2, 3, 4}) {
    const Sample sample = in_->take();
    ASSERT_TRUE(sample) << number;
    EXPECT_EQ(sample.sequence(), number);
  }
  EXPECT_FALSE(in_->take());
  EXPECT_EQ(in_->lost(), 1U);
}

TEST_F(LaneTest, FollowsAHeadFarAheadAndFindsNothing) {
  connect("depth=10");
  publish(5);
  slot(0).seq = gone(0);
  const std::uint64_t head = std::uint64_t{1} << 40;
  ring_->head = head;
  EXPECT_FALSE(in_->take());
  EXPECT_FALSE(in_->take());
  EXPECT_EQ(in_->lost(), head - 10);
}

/// Rubbish in a slot of another process (role "damaging" in main.cpp): it is dropped with one line, nothing is delivered.
class DamagedSlot : public testing::TestWithParam<const char *> {};

INSTANTIATE_TEST_SUITE_P(, DamagedSlot, testing::Values("offset", "size", "overflow", "header", "block", "short"),
                         [](const auto & info) { return std::string(info.param); });

TEST_P(DamagedSlot, DropsItsPublisherWithOneLine) {
  const Folder folder;
  const LogCapture log;
  Station reader(false);
  ASSERT_EQ(reader("join 0"), "ok");
  ASSERT_EQ(reader("sub s topic min=8"), "ok");
  ASSERT_EQ(reader("pub p topic"), "ok");
  Child faulty("damaging", {GetParam()});
  ASSERT_EQ(faulty.read_line(), "ready");
  ASSERT_TRUE(reader.until("matched s", "2"));
  ASSERT_EQ(faulty.ask("publish"), "published");
  EXPECT_EQ(reader("take s 1"), "nothing");
  EXPECT_EQ(reader("take s 1"), "nothing");
  EXPECT_TRUE(reader.until("matched s", "1"));
  EXPECT_TRUE(wait_until([&] { return !log.lines().empty(); }));
  ASSERT_EQ(reader("publish p 2 64"), "ok");
  EXPECT_EQ(reader("await s 2"), "ok");
  EXPECT_EQ(log.lines().size(), 1U) << testing::PrintToString(log.lines());
}

// Role "greedy" in main.cpp claims to hold every block of one topic.
TEST(GreedyReader, CostsALaneAndNotItsProcess) {
  const Folder folder;
  Station writer(false);
  ASSERT_EQ(writer("join 0"), "ok");
  ASSERT_EQ(writer("pub p topic"), "ok");
  ASSERT_EQ(writer("pub q other"), "ok");
  Child reader("greedy");
  ASSERT_EQ(reader.read_line(), "ready");
  ASSERT_TRUE(writer.until("matched p", "1") && writer.until("matched q", "1"));
  ASSERT_EQ(reader.ask("hold"), "ok");
  ASSERT_EQ(writer("publish p 5000 64"), "ok");
  const std::string told = reader.ask("await line");
  EXPECT_NE(told.find("topic 'topic'"), std::string::npos) << told;
  EXPECT_NE(told.find("begins anew"), std::string::npos) << told;
  EXPECT_TRUE(writer.until("matched p", "1"));
  ASSERT_EQ(reader.ask("release"), "matched");
  ASSERT_EQ(writer("publish q 1 64"), "ok");
  EXPECT_EQ(reader.ask("take other"), "taken");
  ASSERT_EQ(writer("publish p 1 64"), "ok");
  EXPECT_EQ(reader.ask("take topic"), "taken");
  EXPECT_EQ(writer("failed p"), "0");
  EXPECT_EQ(reader.finish(), 0);
}

TEST(Guard, NamesTheTopicOfAMessageThatIsWrittenTo) {
  const Folder folder;
  Station writer(false);
  ASSERT_EQ(writer("join 0"), "ok");
  ASSERT_EQ(writer("pub p /scribble"), "ok");
  Child reader("scribbling");
  ASSERT_EQ(reader.read_line(), "ready");
  ASSERT_TRUE(writer.until("matched p", "1"));
  ASSERT_EQ(writer("publish p 1 1000"), "ok");
  const std::string line = reader.read_line();
  EXPECT_NE(line.find("/scribble"), std::string::npos) << line;
  EXPECT_NE(line.find("copy"), std::string::npos) << line;
  EXPECT_NE(reader.finish(), 0);
}

}  // namespace
}  // namespace tandem::test
