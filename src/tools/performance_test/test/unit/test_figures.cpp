// Statistics, payloads, ids, and what a collector makes of arrivals.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "interval.hpp"
#include "payload.hpp"
#include "statistics.hpp"

namespace performance_test {
namespace {

TEST(Statistics, AreThoseOfThePopulation) {
  Statistics s;
  for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) s.add(value);
  EXPECT_EQ(s.n, 8U);
  EXPECT_DOUBLE_EQ(s.mean, 5);
  EXPECT_DOUBLE_EQ(s.variance(), 4);
  EXPECT_DOUBLE_EQ(s.min, 2);
  EXPECT_DOUBLE_EQ(s.max, 9);
}

TEST(Statistics, EmptyOnesHaveNoVariance) { EXPECT_EQ(Statistics().variance(), 0); }

TEST(Statistics, MergingGivesWhatAddingAllGives) {
  std::mt19937 random(1);
  std::normal_distribution<double> distribution(-3, 2);
  Statistics all;
  std::array<Statistics, 3> parts;
  for (int i = 0; i < 1000; ++i) {
    const double value = distribution(random);
    all.add(value);
    parts[i % 2].add(value);  // the third stays empty
  }
  Statistics merged;
  for (const Statistics & part : parts) merged.merge(part);
  EXPECT_EQ(merged.n, all.n);
  EXPECT_NEAR(merged.mean, all.mean, 1e-9);
  EXPECT_NEAR(merged.variance(), all.variance(), 1e-9);
  EXPECT_EQ(merged.min, all.min);
  EXPECT_EQ(merged.max, all.max);
}

TEST(MessageId, CarriesSequenceAndLateness) {
  const std::uint64_t id = make_id(123456789, 1'234'567);
  EXPECT_EQ(sequence_of(id), 123456789U);
  EXPECT_EQ(late_ns_of(id), 1'234'000);
  EXPECT_EQ(late_ns_of(make_id(1, -5)), 0);
  EXPECT_EQ(sequence_of(make_id(7, INT64_MAX)), 7U);
  EXPECT_EQ(make_id(7, 0), 7U);
}

class Payload : public testing::TestWithParam<std::size_t> {};

TEST_P(Payload, IsGoodAsWrittenAndTornWhenAnyByteDiffers) {
  std::vector<std::byte> payload(GetParam());
  EXPECT_EQ(check_payload(payload, 5), PayloadState::kUnfilled);
  fill_payload(payload, 5);
  EXPECT_EQ(check_payload(payload, 5), PayloadState::kGood);
  EXPECT_EQ(check_payload(payload, 6), PayloadState::kTorn);
  for (std::size_t i = 0; i < payload.size(); ++i) {
    payload[i] ^= std::byte{0x10};
    ASSERT_EQ(check_payload(payload, 5), PayloadState::kTorn) << "byte " << i;
    payload[i] ^= std::byte{0x10};
  }
  EXPECT_EQ(check_payload(payload, 5), PayloadState::kGood);
}

TEST_P(Payload, MixOfTwoMessagesIsTorn) {
  std::vector<std::byte> old_one(GetParam()), new_one(GetParam());
  fill_payload(old_one, 5);
  fill_payload(new_one, 6);
  for (std::size_t cut = 1; cut < old_one.size(); ++cut) {
    auto mixed = new_one;
    std::copy(old_one.begin() + cut, old_one.end(), mixed.begin() + cut);
    if (mixed == new_one || mixed == old_one) continue;
    ASSERT_EQ(check_payload(mixed, 6), PayloadState::kTorn) << "cut at " << cut;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Payload, testing::Values(16, 17, 24, 48, 72, 1023));

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
