// Messages that fit into their slot: a sample has its own copy and holds nothing of its publisher.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "harness.hpp"
#include "layout/layout.hpp"
#include "options.hpp"
#include "payload.hpp"
#include "process/process.hpp"

namespace tandem::test {
namespace {

class SmallMessage : public testing::Test {
 protected:
  void connect(const PublisherOptions & out, const SubscriptionOptions & in) {
    out_ = std::move(*participant_->create_publisher(out));
    in_ = std::move(*participant_->create_subscription(in));
    ASSERT_TRUE(wait_until([&] { return out_->matched_count() == 1 && in_->matched_count() == 1; }));
  }
  void publish(std::size_t size, std::uint64_t counter) {
    auto loan = out_->borrow(size);
    ASSERT_TRUE(loan);
    fill(loan->data(), size, kTag, counter);
    ASSERT_TRUE(out_->publish(std::move(*loan)));
  }
  static bool is_in_shared_memory(const Sample & sample) {
    return Process::instance().region().contains(sample.data()) ||
           !(reinterpret_cast<const std::byte *>(&sample) <= sample.data() &&
             sample.data() < reinterpret_cast<const std::byte *>(&sample + 1));
  }

  static constexpr std::uint64_t kTag = 5;
  Folder folder_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
  std::unique_ptr<Publisher> out_;
  std::unique_ptr<Subscription> in_;
};

TEST_F(SmallMessage, IsKeptInAnyNumberWithoutCostingThePublisherAnything) {
  connect(publisher_options("topic", {.depth = 1}), subscription_options("topic", {.depth = 1, .quota = 1}));
  std::vector<Sample> kept;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    publish(kInSlot, i);
    kept.push_back(in_->take());  // they move as the vector grows
    ASSERT_TRUE(kept.back()) << i;
  }
  for (std::uint64_t i = 0; i < kept.size(); ++i) {
    EXPECT_FALSE(is_in_shared_memory(kept[i]));
    EXPECT_EQ(counter_of(kept[i].data(), kInSlot), i);
    EXPECT_TRUE(is_whole(kept[i].data(), kInSlot));
  }
  EXPECT_EQ(in_->copied(), 0U);
  EXPECT_EQ(out_->failed_borrows(), 0U);
  out_.reset();
  in_.reset();
  EXPECT_EQ(counter_of(kept[4999].data(), kInSlot), 4999U);
}

TEST_F(SmallMessage, ComesWholeWhateverItsSize) {
  connect(publisher_options("topic"), subscription_options("topic"));
  for (std::size_t size = 0; size <= kInSlot + 8; ++size) {
    std::vector<char> bytes(size + 1, static_cast<char>(size + 1));
    ASSERT_TRUE(out_->publish_copy(bytes.data(), size));
    const Sample sample = in_->take();
    ASSERT_TRUE(sample) << size;
    ASSERT_EQ(sample.size(), size);
    EXPECT_EQ(std::memcmp(sample.data(), bytes.data(), size), 0) << size;
    EXPECT_EQ(is_in_shared_memory(sample), size > kInSlot) << size;
  }
}

TEST_F(SmallMessage, MovesWithItsSample) {
  connect(publisher_options("topic"), subscription_options("topic"));
  publish(16, 1);
  publish(16, 2);
  Sample first = in_->take();
  Sample second = in_->take();
  first = std::move(second);
  EXPECT_FALSE(second);  // NOLINT(bugprone-use-after-move): that is what is tested
  ASSERT_TRUE(first);
  EXPECT_EQ(counter_of(first.data(), 16), 2U);
  first.release();
  EXPECT_FALSE(first);
}

TEST_F(SmallMessage, LiesInItsBlockWhereItsTypeWantsMoreAlignment) {
  SubscriptionOptions options = subscription_options("topic");
  options.alignment = 16;
  connect(publisher_options("topic"), options);
  publish(16, 1);
  const Sample sample = in_->take();
  ASSERT_TRUE(sample);
  EXPECT_TRUE(is_in_shared_memory(sample));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(sample.data()) % 16, 0U);
  EXPECT_EQ(counter_of(sample.data(), 16), 1U);
}

/// A message that refers to its parts by their distance can not be moved.
TEST_F(SmallMessage, LiesInItsBlockWhereItHasPartsElsewhere) {
  const auto is_sound = [](const void *, const void *, const void *, std::size_t) { return true; };
  PublisherOptions out = publisher_options("topic");
  SubscriptionOptions in = subscription_options("topic");
  out.functions.is_sound = is_sound;
  in.functions.is_sound = is_sound;
  connect(out, in);
  publish(16, 1);
  const Sample sample = in_->take();
  ASSERT_TRUE(sample);
  EXPECT_TRUE(is_in_shared_memory(sample));
}

}  // namespace
}  // namespace tandem::test
