// A reader before states that its publisher's death, or malice, can leave behind; made by writing into the ring.
#include <gtest/gtest.h>

#include "layout/layout.hpp"
#include "payload.hpp"
#include "process/process.hpp"
#include "rings.hpp"
#include "station.hpp"

namespace tandem::test {
namespace {

class LaneTest : public testing::Test {
 protected:
  void connect(const EndpointOptions & options) {
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
  connect({.depth = 10});
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
  connect({.depth = 1});
  publish(2);
  slot(0).seq = gone(0);
  slot(1).seq = gone(1);
  ring_->head = 0;
  EXPECT_FALSE(in_->take());
  EXPECT_FALSE(in_->has_data());
  EXPECT_EQ(in_->lost(), 2U);
}

TEST_F(LaneTest, SkipsAWholeLap) {
  connect({.depth = 3});
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
  connect({.depth = 10});
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
  connect({.depth = 10});
  publish(5);
  slot(0).seq = gone(0);
  const std::uint64_t head = std::uint64_t{1} << 40;
  ring_->head = head;
  EXPECT_FALSE(in_->take());
  EXPECT_FALSE(in_->take());
  EXPECT_EQ(in_->lost(), head - 10);
}

/// Publishes "p"'s first message and damages its slot.
Outcome publish_damaged(User & user, const std::string & what) {
  Slot & slot = *Process::instance().region().at<Slot>(ring_of(user.publisher("p"))->slots);
  Outcome published = user.publish("p", 1, 64);
  // The reader looks only once it is told to.
  if (what == "offset") {
    slot.offset = std::uint64_t{1} << 50;
  } else if (what == "size") {
    slot.size = std::uint64_t{1} << 50;
  } else if (what == "overflow") {
    slot.size = ~std::uint64_t{0} - 10;
  } else if (what == "header") {
    slot.offset = 0;
  } else if (what == "block") {
    slot.block = std::uint64_t{1} << 40;
  } else {
    slot.size = 7;
  }
  return published;
}

/// Rubbish in a slot of another process: it is dropped with one line, nothing is delivered.
class DamagedSlot : public testing::TestWithParam<const char *> {};

INSTANTIATE_TEST_SUITE_P(, DamagedSlot, testing::Values("offset", "size", "overflow", "header", "block", "short"),
                         [](const auto & info) { return std::string(info.param); });

TEST_P(DamagedSlot, DropsItsPublisherWithOneLine) {
  const Folder folder;
  const LogCapture log;
  Station reader(Place::kHere);
  ASSERT_TRUE(reader.join(0));
  ASSERT_TRUE(reader.create_subscription("s", "topic", {.min_size = 8}));
  ASSERT_TRUE(reader.create_publisher("p", "topic"));
  Station faulty(Place::kElsewhere);
  ASSERT_TRUE(faulty.join(0));
  ASSERT_TRUE(faulty.create_publisher("p", "topic"));
  ASSERT_TRUE(faulty.until_matched("p", 1) && reader.until_matched("s", 2));
  ASSERT_TRUE(faulty.call<publish_damaged>(GetParam()));
  EXPECT_TRUE(reader.take("s", 1).empty());
  EXPECT_TRUE(reader.take("s", 1).empty());
  EXPECT_TRUE(reader.until_matched("s", 1));
  EXPECT_TRUE(wait_until([&] { return !log.lines().empty(); }));
  ASSERT_TRUE(reader.publish("p", 2, 64));
  EXPECT_TRUE(reader.await("s", 2));
  EXPECT_EQ(log.lines().size(), 1U) << testing::PrintToString(log.lines());
}

LaneRecord * greedy_lane = nullptr;  ///< of the process that holds every block

/// Marks every block of "topic" as held, or none.
void mark(std::uint64_t bits) {
  for (std::uint32_t word = 0; word < greedy_lane->terms.max_blocks / 64; ++word) {
    greedy_lane->held[word] = bits;
  }
}

void hold_every_block(User & user) {
  greedy_lane = lane_of(user.subscription("topic"));
  mark(~std::uint64_t{0});
}

/// \return whether it begins anew.
bool release_every_block(User & user) {
  mark(0);
  return wait_until([&] { return lane_of(user.subscription("topic")) != greedy_lane && user.matched("topic") == 1; });
}

TEST(GreedyReader, CostsALaneAndNotItsProcess) {
  const Folder folder;
  Station writer(Place::kHere);
  ASSERT_TRUE(writer.join(0));
  ASSERT_TRUE(writer.create_publisher("p", "topic"));
  ASSERT_TRUE(writer.create_publisher("q", "other"));
  Station reader(Place::kElsewhere);
  ASSERT_TRUE(reader.join(0));
  ASSERT_TRUE(reader.create_subscription("topic", "topic"));
  ASSERT_TRUE(reader.create_subscription("other", "other"));
  ASSERT_TRUE(writer.until_matched("p", 1) && writer.until_matched("q", 1));
  ASSERT_TRUE(reader.until_matched("topic", 1) && reader.until_matched("other", 1));
  reader.call<hold_every_block>();
  ASSERT_TRUE(writer.publish("p", 5000, 64));
  ASSERT_TRUE(wait_until([&] { return !reader.log().empty(); }));
  const std::string told = reader.log().front();
  EXPECT_NE(told.find("topic 'topic'"), std::string::npos) << told;
  EXPECT_NE(told.find("begins anew"), std::string::npos) << told;
  EXPECT_TRUE(writer.until_matched("p", 1));
  ASSERT_TRUE(reader.call<release_every_block>());
  ASSERT_TRUE(writer.publish("q", 1, 64));
  EXPECT_TRUE(wait_until([&] { return !reader.take("other", 1).empty(); }));
  ASSERT_TRUE(writer.publish("p", 1, 64));
  EXPECT_TRUE(wait_until([&] { return !reader.take("topic", 1).empty(); }));
  EXPECT_EQ(writer.failed_borrows("p"), 0U);
  EXPECT_EQ(reader.finish(), 0);
}

TEST(Guard, NamesTheTopicOfAMessageThatIsWrittenTo) {
  const Folder folder;
  Station writer(Place::kHere);
  ASSERT_TRUE(writer.join(0));
  ASSERT_TRUE(writer.create_publisher("p", "/scribble"));
  Child reader("scribbling");
  ASSERT_EQ(reader.read_line(), "ready");
  ASSERT_TRUE(writer.until_matched("p", 1));
  ASSERT_TRUE(writer.publish("p", 1, 1000));
  const std::string line = reader.read_line();
  EXPECT_NE(line.find("/scribble"), std::string::npos) << line;
  EXPECT_NE(line.find("copy"), std::string::npos) << line;
  EXPECT_NE(reader.finish(), 0);
}

}  // namespace
}  // namespace tandem::test
