// Loans and samples: who owns what, and until when.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

#include "harness.hpp"
#include "options.hpp"
#include "payload.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

class LoanTest : public testing::Test {
 protected:
  std::unique_ptr<Publisher> publisher(const EndpointOptions & options = {}) {
    return std::move(*participant_->create_publisher(publisher_options("topic", options)));
  }
  std::unique_ptr<Subscription> subscription(const EndpointOptions & options = {}) {
    return std::move(*participant_->create_subscription(subscription_options("topic", options)));
  }
  static void match(const Publisher & publisher, const Subscription & subscription) {
    ASSERT_TRUE(wait_until([&] { return publisher.matched_count() == 1 && subscription.matched_count() == 1; }));
  }

  Folder folder_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
};

TEST_F(LoanTest, IsWritableAlignedAndFreeOnceDropped) {
  const auto out = publisher({.loans = 1});
  auto loan = out->borrow(1000);
  ASSERT_TRUE(loan);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(loan->data()) % kHeapAlignment, 0U);
  EXPECT_EQ(loan->size(), 1000U);
  EXPECT_TRUE(loan->is_fresh());
  std::memset(loan->data(), 7, loan->size());
  void * const memory = loan->data();
  loan->drop();
  EXPECT_FALSE(*loan);
  auto again = out->borrow(1000);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->data(), memory);  // the most recently used one
  EXPECT_FALSE(again->is_fresh());
}

TEST_F(LoanTest, FailsAtOnceWhenTooManyAreOut) {
  const auto out = publisher({.loans = 3});
  std::vector<Loan> loans;
  for (int i = 0; i < 3; ++i) {
    auto loan = out->borrow(64);
    ASSERT_TRUE(loan);
    loans.push_back(std::move(*loan));
  }
  auto refused = out->borrow(64);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), BorrowError::kPoolExhausted);
  EXPECT_EQ(out->failed_borrows(), 1U);
  const auto copied = out->publish_copy("x", 1);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error(), PublishError::kPoolExhausted);
  loans.pop_back();
  EXPECT_TRUE(out->borrow(64));
  EXPECT_TRUE(out->publish_copy("x", 1));
}

TEST_F(LoanTest, FailsWhenMemoryIsShortAndGoesOnAfterwards) {
  const LogCapture log;
  const auto out = publisher();
  for (int i = 0; i < 5; ++i) {
    const auto refused = out->borrow(std::size_t{1} << 40);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), BorrowError::kNoMemory);
  }
  EXPECT_TRUE(out->borrow(64));
  EXPECT_TRUE(wait_until([&] { return !log.lines().empty(); }));
  EXPECT_EQ(log.count({"topic 'topic'", "1099511627776 bytes", "TANDEM_REGION_SIZE"}), 1);
}

TEST_F(LoanTest, MovesLikeAPointer) {
  const auto out = publisher();
  Loan a = std::move(*out->borrow(64));
  void * const memory = a.data();
  Loan b = std::move(a);
  EXPECT_FALSE(a);  // NOLINT(bugprone-use-after-move): that is what is tested
  EXPECT_EQ(b.data(), memory);
  Loan c = std::move(*out->borrow(64));
  c = std::move(b);
  EXPECT_EQ(c.data(), memory);
}

TEST_F(LoanTest, IsRefusedByAnotherPublisherAndWhenEmpty) {
  const auto out = publisher();
  const auto other = publisher();
  Loan loan = std::move(*out->borrow(64));
  const auto wrong = other->publish(std::move(loan));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error(), PublishError::kInvalidLoan);
  const auto empty = out->publish(Loan());
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error(), PublishError::kInvalidLoan);
  Loan good = std::move(*out->borrow(64));
  EXPECT_TRUE(out->publish(std::move(good)));
  const auto twice = out->publish(std::move(good));  // NOLINT(bugprone-use-after-move)
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error(), PublishError::kInvalidLoan);
}

TEST_F(LoanTest, OutlivesItsPublisherAndParticipant) {
  auto out = publisher();
  Loan loan = std::move(*out->borrow(1000));
  out.reset();
  std::memset(loan.data(), 1, loan.size());
  const auto other = publisher();
  EXPECT_FALSE(other->publish(std::move(loan)));
  Loan last = std::move(*other->borrow(1000));
  participant_ = tl::make_unexpected(Failure<JoinError>{});
  std::memset(last.data(), 1, last.size());
}

TEST_F(LoanTest, AllocationsAreTakenOnlyIfTheyAreWhole) {
  const auto out = publisher();
  const auto in = subscription();
  match(*out, *in);
  const std::size_t before = heap_statistics().in_use;
  void * memory = allocate(1000);
  ASSERT_TRUE(is_shared_allocation(memory, 1000));
  EXPECT_FALSE(is_shared_allocation(static_cast<char *>(memory) + 64, 8));
  EXPECT_FALSE(is_shared_allocation(memory, 100000));
  int own = 0;
  EXPECT_FALSE(out->publish_allocation(&own, sizeof own));
  EXPECT_FALSE(out->publish_allocation(static_cast<char *>(memory) + 64, 8));
  EXPECT_FALSE(out->publish_allocation(nullptr, 8));
  fill(memory, 1000, 1, 2);
  ASSERT_TRUE(out->publish_allocation(memory, 1000));
  {
    const Sample sample = in->take();
    ASSERT_TRUE(sample);
    EXPECT_TRUE(is_whole(sample.data(), sample.size()));
  }
  void * freed = allocate(64);
  deallocate(freed);
  EXPECT_FALSE(is_shared_allocation(freed, 64));
  EXPECT_GT(heap_statistics().in_use, before);
}

std::atomic<int> destroyed = 0;

// Memory that is used again keeps its message; what is given back to the heap is destroyed before.
TEST_F(LoanTest, DestroysEachMessageOnce) {
  destroyed = 0;
  int constructed = 0;
  PublisherOptions options = publisher_options("topic");
  options.functions.destroy = [](const void *, void *) { ++destroyed; };
  auto out = std::move(*participant_->create_publisher(options));
  auto in = subscription();
  match(*out, *in);
  out->borrow(64)->drop();
  EXPECT_EQ(destroyed, 0);
  ++constructed;
  for (int i = 0; i < 100; ++i) {
    Loan loan = std::move(*out->borrow(64));
    constructed += loan.is_fresh() ? 1 : 0;
    ASSERT_TRUE(out->publish(std::move(loan)));
  }
  EXPECT_EQ(destroyed, 0);
  for (int i = 0; i < 100; ++i) {
    void * memory = allocate(64);
    ++constructed;
    ASSERT_TRUE(out->publish_allocation(memory, 64));
    ASSERT_TRUE(in->take());
  }
  EXPECT_GT(destroyed, 80);
  Loan greater = std::move(*out->borrow(1000));
  constructed += greater.is_fresh() ? 1 : 0;
  greater.drop();
  out.reset();
  in.reset();
  EXPECT_TRUE(wait_until([&] { return destroyed == constructed; })) << destroyed << " of " << constructed;
}

TEST_F(LoanTest, SamplesTellWhatTheyAre) {
  const auto out = publisher();
  const auto in = subscription();
  match(*out, *in);
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  const std::int64_t before = time.tv_sec * std::int64_t{1000000000} + time.tv_nsec;
  const auto first = out->publish_copy("abc", 3);
  const auto second = out->publish_copy("defg", 4);
  clock_gettime(CLOCK_REALTIME, &time);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, 0U);
  EXPECT_EQ(*second, 1U);
  EXPECT_TRUE(in->has_data());
  Sample sample = in->take();
  EXPECT_EQ(std::string(static_cast<const char *>(sample.data()), sample.size()), "abc");
  EXPECT_EQ(sample.sequence(), 0U);
  EXPECT_EQ(sample.publisher(), out->info().id);
  EXPECT_GE(sample.source_timestamp(), before);
  EXPECT_LE(sample.source_timestamp(), time.tv_sec * std::int64_t{1000000000} + time.tv_nsec);
  Sample moved = std::move(sample);
  EXPECT_FALSE(sample);  // NOLINT(bugprone-use-after-move): that is what is tested
  EXPECT_TRUE(moved);
  moved = in->take();
  EXPECT_EQ(moved.sequence(), 1U);
  moved.release();
  EXPECT_FALSE(moved);
  EXPECT_FALSE(in->has_data());
  EXPECT_FALSE(in->take());
}

TEST_F(LoanTest, EverythingOutIsRefusedNotWaitedFor) {
  // A reader that keeps more than the pool has costs it copies; loans that are never published cost the loans.
  const auto out = publisher({.depth = 1, .loans = 4});
  const auto in = subscription({.depth = 1, .quota = 1});
  match(*out, *in);
  std::vector<Sample> kept;
  for (int i = 0; i < 3000; ++i) {
    Loan loan = std::move(*out->borrow(64));
    ASSERT_TRUE(loan);
    fill(loan.data(), 64, 0, static_cast<std::uint64_t>(i));
    ASSERT_TRUE(out->publish(std::move(loan)));
    kept.push_back(in->take());
    ASSERT_TRUE(kept.back());
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    ASSERT_EQ(counter_of(kept[i].data(), 64), i);
  }
}

}  // namespace
}  // namespace tandem::test
