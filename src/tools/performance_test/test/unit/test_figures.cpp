// What a collector makes of arrivals.
#include <gtest/gtest.h>

#include <array>

#include "measuring/interval.hpp"

namespace performance_test {
namespace {

Arrival arrival(std::uint64_t sequence, std::uint8_t publisher = 1) {
  Arrival a{2000, {1500, make_id(sequence, 3000)}, {}, {}, 100};
  a.publisher[0] = publisher;
  return a;
}

TEST(Collector, CountsGapsOfEachPublisher) {
  Collector collector(false);
  // Publisher 1 begins at 4 (a late joiner loses nothing); 2 interleaves; 7, 8 are missing of 1, 11 of 2.
  for (const int sequence : {4, 5, 6, 9}) collector.received(arrival(sequence, 1));
  for (const int sequence : {10, 12}) collector.received(arrival(sequence, 2));
  Interval interval;
  collector.take(interval);
  EXPECT_EQ(interval.totals.received, 6U);
  EXPECT_EQ(interval.totals.lost, 3U);
  EXPECT_EQ(interval.totals.bytes_received, 600U);
}

TEST(Collector, MeasuresFromTheSendStampAndFromTheTimeItWasDue) {
  Collector collector(false);
  collector.received(arrival(1));
  Interval interval;
  collector.take(interval);
  EXPECT_DOUBLE_EQ(interval.totals.latency.mean, 500e-9);
  EXPECT_EQ(interval.latency.max(), 500);
  EXPECT_EQ(interval.intended_latency.max(), 3500);
  EXPECT_EQ(interval.totals.subscriber_reserve.n, 0U);
}

TEST(Collector, HandsEverythingOverOnce) {
  Collector collector(false);
  collector.sent(0.5);
  collector.sent(std::nullopt);
  collector.not_sent(true);
  collector.not_sent(false);
  Interval first;
  collector.take(first);
  EXPECT_EQ(first.totals.sent, 2U);
  EXPECT_EQ(first.totals.publisher_reserve.n, 1U);
  EXPECT_EQ(first.totals.failed_borrows, 1U);
  EXPECT_EQ(first.totals.failed_publishes, 1U);
  Interval second;
  collector.take(second);
  EXPECT_EQ(second.totals.sent, 0U);
  EXPECT_EQ(second.latency.count(), 0U);
}

TEST(Collector, FindsTornAndUnfilledPayloads) {
  Collector collector(true);
  std::array<std::byte, 64> payload{};
  auto a = arrival(1);
  a.payload = payload;
  collector.received(a);
  fill_payload(payload, 2);
  a.stamp.id = 2;
  collector.received(a);
  payload[63] ^= std::byte{1};
  collector.received(a);
  Interval interval;
  collector.take(interval);
  EXPECT_EQ(interval.totals.unfilled, 1U);
  EXPECT_EQ(interval.totals.torn, 1U);
}

}  // namespace
}  // namespace performance_test
