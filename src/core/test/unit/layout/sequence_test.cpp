// Numbers of messages wrap around: the arithmetic with narrow types, exhaustively; the ring itself with all 64 bits, begun
// shortly before each place where a number or a slot's word passes the end of its range.
#include <gtest/gtest.h>

#include <array>

#include "layout/layout.hpp"
#include "payload.hpp"
#include "rings.hpp"
#include "station.hpp"

namespace tandem::test {
namespace {

// ---- arithmetic ----------------------------------------------------------------------------------------------------

template <class Index>
class SequenceTest : public testing::Test {};
using Narrow = testing::Types<std::uint8_t, std::uint16_t>;
TYPED_TEST_SUITE(SequenceTest, Narrow);

/// Calls `check(n, d)` for each number and each distance (of 16 bits: a sample) below the reach.
template <class Index, class Check>
void for_each_pair(const Check & check) {
  const int numbers = 1 << (sizeof(Index) * 8);
  const int reach = Sequence<Index>::kReach;
  const int step = sizeof(Index) == 1 ? 1 : 97;
  for (int n = 0; n < numbers; n += step) {
    for (int d = 1 - reach; d < reach; d += step) {
      check(n, d);
    }
    check(n, reach - 1);
  }
}

TYPED_TEST(SequenceTest, OrdersNumbersAcrossTheWrap) {
  using S = Sequence<TypeParam>;
  for_each_pair<TypeParam>([](int n, int d) {
    const auto a = static_cast<TypeParam>(n);
    const auto b = static_cast<TypeParam>(n + d);
    ASSERT_EQ(S::distance(b, a), d);
    ASSERT_EQ(S::is_before(a, b), d > 0);
    ASSERT_EQ(S::later(a, b), d > 0 ? b : a);
    ASSERT_EQ(S::earlier(a, b), d > 0 ? a : b);
  });
}

TYPED_TEST(SequenceTest, TellsNotYetFromNoMoreAcrossTheWrap) {
  using S = Sequence<TypeParam>;
  for_each_pair<TypeParam>([](int n, int d) {
    const auto cursor = static_cast<TypeParam>(n);
    const auto in_slot = static_cast<TypeParam>(n + d);
    ASSERT_EQ(S::distance(S::valid(in_slot), S::valid(cursor)), 2 * d);
    ASSERT_EQ(S::is_before(S::gone(in_slot), S::valid(cursor)), d < 0);
    ASSERT_NE(S::gone(in_slot), S::valid(cursor));
  });
}

// What sequence.hpp says of its limits.
TYPED_TEST(SequenceTest, ReachesAsFarAsItSays) {
  using S = Sequence<TypeParam>;
  const TypeParam cursor = 5;
  const auto after = [](int n) { return static_cast<TypeParam>(5 + n); };
  EXPECT_FALSE(S::is_before(S::valid(after(S::kReach - 1)), S::valid(cursor)));
  EXPECT_TRUE(S::is_before(S::valid(after(S::kReach)), S::valid(cursor))) << "taken for 'not yet'";
  EXPECT_EQ(S::valid(after(2 * S::kReach)), S::valid(cursor)) << "taken for its own";
}

/// A ring of 8 slots with 8-bit numbers, for some laps of them, beside the same in plain integers.
TEST(SmallRing, AnswersAsPlainIntegersDo) {
  using S = Sequence<std::uint8_t>;
  constexpr int kRing = 8;
  std::array<std::uint8_t, kRing> slots{};
  std::array<int, kRing> truth{};  // 2n + 2 or 2n + 3
  for (int n = 0; n < 2000; ++n) {
    slots[n % kRing] = S::valid(static_cast<std::uint8_t>(n));
    truth[n % kRing] = 2 * n + 2;
    if (const int old = n - kRing / 2; old >= 0) {
      slots[old % kRing] = S::gone(static_cast<std::uint8_t>(old));
      truth[old % kRing] = 2 * old + 3;
    }
    for (int cursor = std::max(0, n - S::kReach + kRing); cursor <= n + 1; ++cursor) {
      const int wanted = truth[cursor % kRing] - (2 * cursor + 2);
      const int found = S::distance(slots[cursor % kRing], S::valid(static_cast<std::uint8_t>(cursor)));
      ASSERT_EQ(found, wanted) << "message " << n << ", cursor " << cursor;
    }
  }
}

// ---- the ring ------------------------------------------------------------------------------------------------------

constexpr std::uint64_t kBefore = 300;  ///< messages before the wrap: more than the least ring has

/// The number of the first message.
class Wrap : public testing::TestWithParam<std::uint64_t> {
 protected:
  void publish_to(EndpointOptions options) {
    options.first = GetParam();
    out_ = std::move(*participant_->create_publisher(publisher_options("topic", options)));
  }
  std::unique_ptr<Subscription> subscribe(const EndpointOptions & options) {
    auto in = std::move(*participant_->create_subscription(subscription_options("topic", options)));
    EXPECT_TRUE(wait_until([&] { return in->matched_count() == 1; }));
    return in;
  }
  void publish(std::uint64_t count) {
    for (; count > 0; --count, ++sent_) {
      auto loan = out_->borrow(64);
      ASSERT_TRUE(loan);
      fill(loan->data(), 64, 7, sent_);
      const auto number = out_->publish(std::move(*loan));
      ASSERT_TRUE(number);
      EXPECT_EQ(*number, GetParam() + sent_);
    }
  }
  /// Takes messages first .. last - 1, and nothing else.
  void expect(Subscription & in, std::uint64_t first, std::uint64_t last) const {
    for (std::uint64_t i = first; i < last; ++i) {
      const Sample sample = in.take();
      ASSERT_TRUE(sample) << i;
      ASSERT_EQ(counter_of(sample.data(), sample.size()), i);
      ASSERT_EQ(sample.sequence(), GetParam() + i);
      ASSERT_TRUE(is_whole(sample.data(), sample.size()));
    }
    EXPECT_FALSE(in.has_data());
    EXPECT_FALSE(in.take());
  }

  Folder folder_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
  std::unique_ptr<Publisher> out_;
  std::uint64_t sent_ = 0;
};

std::string name_of_start(const testing::TestParamInfo<std::uint64_t> & info) {
  const std::array<const char *, 4> names{"0", "2to62", "2to63", "2to64"};
  return names[info.index];
}

// 2^62: half of what a slot tells apart; 2^63: its word begins again at 0; 2^64: the number does.
INSTANTIATE_TEST_SUITE_P(At, Wrap,
                         testing::Values(0, (std::uint64_t{1} << 62) - kBefore, (std::uint64_t{1} << 63) - kBefore,
                                         std::uint64_t{0} - kBefore),
                         name_of_start);

TEST_P(Wrap, OneByOne) {
  publish_to({.depth = 1});
  const auto in = subscribe({.depth = 1});
  for (std::uint64_t i = 0; i < 3 * kBefore; ++i) {
    EXPECT_FALSE(in->has_data());
    publish(1);
    EXPECT_TRUE(in->has_data());
    expect(*in, i, i + 1);
  }
  EXPECT_EQ(in->lost(), 0U);
}

TEST_P(Wrap, LappedReadersGoOnAtTheirDepth) {
  publish_to({.depth = 10});
  const auto in = subscribe({.depth = 3});
  for (int lap = 0; lap < 5; ++lap) {
    publish(kBefore / 2 + 7);
    expect(*in, sent_ - 3, sent_);
    EXPECT_EQ(in->lost() + 3 * (lap + 1), sent_);
  }
}

TEST_P(Wrap, KeepAllLosesNothing) {
  publish_to({.keep_all = true});
  const auto in = subscribe({.keep_all = true});
  publish(2 * kBefore);
  expect(*in, 0, 2 * kBefore);
  publish(10);
  expect(*in, 2 * kBefore, 2 * kBefore + 10);
  EXPECT_EQ(in->lost(), 0U);
}

TEST_P(Wrap, LateJoinersGetTheHistory) {
  publish_to({.depth = 5, .transient = true});
  publish(3);
  expect(*subscribe({.depth = 5, .transient = true}), 0, 3);
  while (sent_ < kBefore + 20) {
    publish(sent_ < kBefore - 5 ? kBefore - 5 : 1);
    expect(*subscribe({.depth = 5, .transient = true}), sent_ - 5, sent_);
    expect(*subscribe({.depth = 5}), sent_, sent_);
  }
}

TEST_P(Wrap, KeepAllHistoryForgetsTheOldest) {
  publish_to({.keep_all = true, .transient = true});
  publish(kKeepAllDepth + 2 * kBefore);
  EXPECT_EQ(out_->forgotten(), 2 * kBefore);
  const auto in = subscribe({.keep_all = true, .transient = true});
  expect(*in, 2 * kBefore, kKeepAllDepth + 2 * kBefore);
}

// Between the acknowledgement and the reader's first look at it, its cursor is what Lane::create left there.
TEST_P(Wrap, AReaderIsOwedWhatItHasNotYetBegunToTake) {
  publish_to({.keep_all = true});
  publish(kBefore - 2);
  const auto in = subscribe({.keep_all = true});
  LaneRecord * lane = lane_of(*in);
  ASSERT_NE(lane, nullptr);
  lane->cursor = GetParam() - ring_of(*out_)->ring_size;
  publish(600);
  expect(*in, kBefore - 2, kBefore + 598);
}

TEST_P(Wrap, AFullRingWaitsAndGoesOn) {
  publish_to({.keep_all = true, .block = 0s});
  const auto in = subscribe({.keep_all = true});
  publish(kKeepAllDepth);
  auto loan = out_->borrow(64);
  ASSERT_TRUE(loan);
  EXPECT_EQ(out_->publish(std::move(*loan)).error(), PublishError::kTimeout);
  expect(*in, 0, kKeepAllDepth);
  publish(5);
  expect(*in, kKeepAllDepth, kKeepAllDepth + 5);
}

}  // namespace
}  // namespace tandem::test
