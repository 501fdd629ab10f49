// Messages that own further memory: checked before they are handed out, copied and destroyed by their own functions.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <utility>

#include "payload.hpp"
#include "station.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

/// What the functions below are told and tell.
struct Type {
  std::uint64_t unsound = ~std::uint64_t{0};  ///< counter of the message that fails the check
  std::size_t least_region = 0;               ///< bytes that the region must have for a message to be sound
  std::function<void()> meanwhile;            ///< called once, by the first check that a region is too small for
  bool copies = true;
  std::atomic<int> checked = 0;
  std::atomic<int> live_copies = 0;
  std::atomic<bool> wrong = false;
};

bool is_sound(const void * context, const void * message, const void * region, std::size_t size) {
  Type & type = *const_cast<Type *>(static_cast<const Type *>(context));
  ++type.checked;
  const auto * at = static_cast<const std::byte *>(message);
  const auto * begin = static_cast<const std::byte *>(region);
  if (at < begin || at + 64 > begin + size) {
    type.wrong = true;
    return false;
  }
  if (size < type.least_region && type.meanwhile) {
    std::exchange(type.meanwhile, nullptr)();
  }
  return size >= type.least_region && counter_of(message, 64) != type.unsound;
}

bool copy(const void * context, void * memory, const void * message) {
  Type & type = *const_cast<Type *>(static_cast<const Type *>(context));
  if (type.copies) {
    std::memcpy(memory, message, 64);
    ++type.live_copies;
  }
  return type.copies;
}

void destroy(const void * context, void * message) {
  Type & type = *const_cast<Type *>(static_cast<const Type *>(context));
  type.wrong = type.wrong || !is_whole(message, 64);
  --type.live_copies;
}

class Functions : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(writer_.join(0));
    ASSERT_TRUE(writer_.create_publisher("p", "topic", {.keep_all = true}));
  }
  std::unique_ptr<Subscription> subscription(const EndpointOptions & chosen) {
    SubscriptionOptions options = subscription_options("topic", chosen);
    options.functions = {&type_, is_sound, copy, destroy};
    auto made = std::move(*participant_->create_subscription(options));
    EXPECT_TRUE(writer_.until_matched("p", 1));
    EXPECT_TRUE(wait_until([&] { return made->matched_count() == 1; }));
    return made;
  }
  /// All of them are right when the last has been taken.
  std::vector<Sample> take_ten(Subscription & in) {
    EXPECT_TRUE(writer_.publish("p", 10, 64));
    std::vector<Sample> kept;
    for (int i = 0; i < 10; ++i) {
      kept.push_back(in.take());
    }
    for (std::uint64_t i = 0; i < 10; ++i) {
      const bool whole = kept[i] && is_whole(kept[i].data(), 64);
      EXPECT_TRUE(whole && counter_of(kept[i].data(), 64) == i) << i;
    }
    return kept;
  }
  void TearDown() override { EXPECT_FALSE(type_.wrong); }

  Folder folder_;
  LogCapture log_;
  Type type_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
  Station writer_{Place::kElsewhere};
};

TEST_F(Functions, MessageThatIsNotSoundIsNeverHandedOut) {
  type_.unsound = 3;
  const auto in = subscription({.keep_all = true});
  ASSERT_TRUE(writer_.publish("p", 5, 64));
  for (std::uint64_t i = 0; i < 3; ++i) {
    const Sample sample = in->take();
    ASSERT_TRUE(sample);
    EXPECT_EQ(counter_of(sample.data(), 64), i);
  }
  EXPECT_FALSE(in->take());
  EXPECT_FALSE(in->take());
  EXPECT_EQ(type_.checked, 4);
  EXPECT_TRUE(wait_until([&] { return in->matched_count() == 0 && !log_.lines().empty(); }));
  EXPECT_EQ(log_.count({"topic 'topic'", "parts that lie elsewhere"}), 1);
}

TEST_F(Functions, MessageMayReferToWhatWasCommittedLater) {
  type_.least_region = 40'000'000;
  const auto in = subscription({.keep_all = true});
  ASSERT_EQ(writer_.borrow("p", 1, 40000000), 1U);
  ASSERT_TRUE(writer_.publish("p", 1, 64));
  EXPECT_TRUE(in->take());
  const int first = type_.checked;
  EXPECT_LE(first, 2);
  ASSERT_TRUE(writer_.publish("p", 1, 64));
  EXPECT_TRUE(in->take());
  EXPECT_EQ(type_.checked, first + 1);
}

TEST_F(Functions, AnotherSubscriptionMayBeTheFirstToSeeWhatWasCommitted) {
  const auto in = subscription({.keep_all = true});
  ASSERT_TRUE(writer_.create_publisher("q", "other", {.keep_all = true}));
  const auto other = std::move(*participant_->create_subscription(subscription_options("other", {.keep_all = true})));
  ASSERT_TRUE(writer_.until_matched("q", 1));
  ASSERT_TRUE(wait_until([&] { return other->matched_count() == 1; }));
  ASSERT_TRUE(writer_.publish("p", 1, 64));
  ASSERT_TRUE(in->take());
  ASSERT_TRUE(writer_.publish("q", 1, 40000000));
  ASSERT_TRUE(writer_.publish("p", 1, 64));
  type_.least_region = 40'000'000;
  type_.meanwhile = [&] { EXPECT_TRUE(other->take()); };
  EXPECT_TRUE(in->take());
  EXPECT_EQ(type_.meanwhile, nullptr);
  EXPECT_TRUE(log_.lines().empty());
}

TEST_F(Functions, WhatIsKeptBeyondTheQuotaIsCopiedAndDestroyed) {
  const auto in = subscription({.keep_all = true, .quota = 2});
  std::vector<Sample> kept = take_ten(*in);
  EXPECT_EQ(in->copied(), 8U);
  EXPECT_EQ(type_.live_copies, 8);
  kept.clear();
  EXPECT_EQ(type_.live_copies, 0);
}

// To keep it where it is would be at the cost of the publisher and its other readers.
TEST_F(Functions, WhatIsTooMuchAndCannotBeCopiedIsLostAndCounted) {
  type_.copies = false;
  const auto in = subscription({.keep_all = true, .quota = 2});
  EXPECT_TRUE(writer_.publish("p", 10, 64));
  std::vector<Sample> kept;
  EXPECT_TRUE(wait_until([&] {
    if (Sample sample = in->take()) {
      kept.push_back(std::move(sample));
    }
    return kept.size() + in->lost() == 10;
  }));
  ASSERT_EQ(kept.size(), 2U);
  for (std::uint64_t i = 0; i < kept.size(); ++i) {
    EXPECT_TRUE(is_whole(kept[i].data(), 64) && counter_of(kept[i].data(), 64) == i) << i;
  }
  EXPECT_EQ(in->copied(), 0U);
}

TEST_F(Functions, MemoryGivenBackTwiceIsToldNowAndThen) {
  void * const memory = allocate(5000);
  for (int i = 0; i < 100; ++i) {
    deallocate(memory);
  }
  // Again, since an earlier run in this process may have had the line of these ten seconds.
  EXPECT_TRUE(wait_until([&] {
    deallocate(memory);
    return log_.count({"given back twice"}) != 0;
  }));
  EXPECT_LT(log_.count({"given back twice"}), 10);
}

TEST_F(Functions, WhatIsNotSharedIsNotPublishedInPlace) {
  type_.unsound = 7;
  PublisherOptions options = publisher_options("other");
  options.functions = {&type_, is_sound, copy, nullptr};
  const auto out = std::move(*participant_->create_publisher(options));
  const auto in = std::move(*participant_->create_subscription(subscription_options("other")));
  ASSERT_TRUE(wait_until([&] { return out->matched_count() == 1 && in->matched_count() == 1; }));
  Loan loan = std::move(*out->borrow(64));
  fill(loan.data(), 64, 0, 7);
  auto refused = out->publish(std::move(loan));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), PublishError::kNotShared);
  ASSERT_TRUE(loan);  // NOLINT(bugprone-use-after-move): it stays with the caller
  void * memory = allocate(64);
  fill(memory, 64, 0, 7);
  refused = out->publish_allocation(memory, 64);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), PublishError::kNotShared);
  deallocate(memory);
  EXPECT_FALSE(in->take());
  fill(loan.data(), 64, 0, 8);
  EXPECT_TRUE(out->publish(std::move(loan)));
  EXPECT_TRUE(in->take());
}

}  // namespace
}  // namespace tandem::test
