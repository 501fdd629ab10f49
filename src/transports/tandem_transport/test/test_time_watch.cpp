// Deadlines and leases, by times that the test makes up.
#include <gtest/gtest.h>

#include "../src/time_watch.hpp"

namespace tandem::transport {
namespace {

using std::chrono::nanoseconds;

Status at(TimeWatch & watch, std::int64_t now, bool is_waiting = false) {
  Status status;
  watch.look(now, is_waiting, status);
  return status;
}

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

TEST(TimeWatch, ADeadlineBeginsWithTheFirstMessage) {
  TimeWatch watch(nanoseconds(100), kInfinite, 1000);
  EXPECT_EQ(at(watch, 5000).deadlines_missed, 0u);
  EXPECT_NE(at(watch, 5000).due, kNever) << "it may begin while nobody looks";
  watch.note_message(6000);
  EXPECT_EQ(at(watch, 6100).deadlines_missed, 0u);
  EXPECT_NE(at(watch, 6100).due, kNever);
  EXPECT_EQ(at(watch, 6101).deadlines_missed, 1u);
  EXPECT_EQ(at(watch, 6101).deadlines_missed, 1u) << "each is counted once";
  EXPECT_EQ(at(watch, 6301).deadlines_missed, 3u);
}

TEST(TimeWatch, MessagesTellWhatWasMissedBetweenThem) {
  TimeWatch watch(nanoseconds(100), kInfinite, 1000);
  watch.note_message(2000);
  watch.note_message(2100);
  EXPECT_EQ(at(watch, 2100).deadlines_missed, 0u) << "just in time";
  watch.note_message(2350);
  EXPECT_EQ(at(watch, 2350).deadlines_missed, 2u);
  watch.note_message(2340);
  EXPECT_EQ(at(watch, 2450).deadlines_missed, 2u) << "an older message changes nothing";
}

TEST(TimeWatch, WhileAMessageWaitsNothingIsMissed) {
  TimeWatch watch(nanoseconds(100), kInfinite, 1000);
  watch.note_message(2000);
  EXPECT_EQ(at(watch, 3000, true).deadlines_missed, 0u);
  EXPECT_EQ(at(watch, 3000, true).due, kNever);
  watch.note_message(2090);
  EXPECT_EQ(at(watch, 2150).deadlines_missed, 0u);
}

TEST(TimeWatch, ALeaseIsLostOnceUntilItIsRegained) {
  TimeWatch watch(kInfinite, nanoseconds(100), 1000);
  EXPECT_EQ(at(watch, 1100).liveliness_lost, 0u);
  EXPECT_NE(at(watch, 1100).due, kNever);
  EXPECT_EQ(at(watch, 1101).liveliness_lost, 1u);
  EXPECT_EQ(at(watch, 9000).liveliness_lost, 1u);
  EXPECT_NE(at(watch, 9000).due, kNever) << "it may be regained while nobody looks";
  watch.note_alive(9100);
  EXPECT_EQ(at(watch, 9150).liveliness_lost, 1u);
  watch.note_alive(9300);
  EXPECT_EQ(at(watch, 9300).liveliness_lost, 2u) << "though nobody looked meanwhile";
}

}  // namespace
}  // namespace tandem::transport
