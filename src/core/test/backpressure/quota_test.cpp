// A reader that keeps messages gets copies and harms nobody.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "payload.hpp"
#include "reading.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t kSize = 20'000;

class GreedyReader : public testing::Test {
 protected:
  void send(std::uint64_t counter, std::size_t size = kSize) {
    auto loan = out_->borrow(size);
    ASSERT_TRUE(loan) << to_string(loan.error());
    fill(loan->data(), size, 0, counter);
    ASSERT_TRUE(out_->publish(std::move(*loan)));
  }
  std::unique_ptr<Subscription> subscription(const SubscriptionOptions & options) {
    return std::move(*participant_->create_subscription(options));
  }
  bool is_matched(std::size_t readers) {
    return wait_until([&] { return out_->matched_count() == readers; });
  }

  Folder folder_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
  std::unique_ptr<Publisher> out_ =
      std::move(*participant_->create_publisher(publisher_options("topic", {.depth = 10})));
};

TEST_F(GreedyReader, ManyOfThemHarmNobody) {
  constexpr std::size_t kGreedyReaders = 6;
  const auto good = subscription(subscription_options("topic", {.depth = 10}));
  std::vector<std::unique_ptr<ReadingChild>> greedy_readers;
  for (std::size_t i = 0; i < kGreedyReaders; ++i) {
    greedy_readers.push_back(std::make_unique<ReadingChild>(Habits{{.depth = 10}, kEnd, 1, 0, kEnd}));
    ASSERT_TRUE(greedy_readers.back()->is_matched());
  }
  ASSERT_TRUE(is_matched(kGreedyReaders + 1) && wait_until([&] { return good->matched_count() == 1; }));
  const std::size_t before = heap_statistics().in_use;
  const std::uint64_t messages = 200 + static_cast<std::uint64_t>(4000 * scale());
  for (std::uint64_t i = 0; i < messages; ++i) {
    send(i);
    const Sample sample = good->take();
    ASSERT_TRUE(sample && is_whole(sample.data(), sample.size()));
    ASSERT_EQ(counter_of(sample.data(), sample.size()), i);
  }
  EXPECT_EQ(out_->failed_borrows(), 0U);
  // Its history, what each of them may keep and is just about to copy, and some to write to.
  EXPECT_LE(heap_statistics().in_use - before, (10 + kGreedyReaders * 9 + 2 * kGreedyReaders + 16) * (kSize + 4096));
  send(kEnd);
  for (const auto & greedy : greedy_readers) {
    const Tally tally = greedy->tally();
    EXPECT_TRUE(tally.is_sound()) << tally;
  }
}

TEST_F(GreedyReader, ThatDiesGivesAllBack) {
  std::uint64_t counter = 0;
  std::size_t in_use = 0;
  const int rounds = std::max(3, static_cast<int>(3 * scale()));
  for (int round = 0; round < rounds; ++round) {
    Station greedy(Place::kElsewhere);
    ASSERT_TRUE(greedy.join(0));
    ASSERT_TRUE(greedy.create_subscription("s", "topic", {.depth = 10}));
    ASSERT_TRUE(is_matched(1) && greedy.until_matched("s", 1));
    for (int i = 0; i < 100; ++i) {
      send(counter++);
      ASSERT_EQ(greedy.keep("s", 1), Numbers{counter - 1});
    }
    greedy.child().kill();
    ASSERT_TRUE(is_matched(0));
    if (round == 1) {
      in_use = heap_statistics().in_use;
    } else if (round > 1) {
      EXPECT_LE(heap_statistics().in_use, in_use + 2 * (kSize + 4096)) << "round " << round;
    }
  }
  EXPECT_EQ(out_->failed_borrows(), 0U);
}

TEST_F(GreedyReader, IsToldOnceThatItGetsCopies) {
  const LogCapture log;
  const auto in = subscription(subscription_options("topic", {.depth = 10, .quota = 3}));
  ASSERT_TRUE(is_matched(1) && wait_until([&] { return in->matched_count() == 1; }));
  std::vector<Sample> kept;
  for (std::uint64_t i = 0; i < 10; ++i) {
    send(i);
    kept.push_back(in->take());
    ASSERT_TRUE(kept.back());
    EXPECT_EQ(in->copied(), i < 3 ? 0 : i - 2);
  }
  EXPECT_TRUE(wait_until([&] { return !log.lines().empty(); }));
  EXPECT_EQ(log.count({"topic 'topic'", "more than 3 messages", "copied"}), 1);
  EXPECT_EQ(log.lines().size(), 1U);
  for (std::uint64_t i = 0; i < 10; ++i) {
    EXPECT_TRUE(is_whole(kept[i].data(), kept[i].size()));
    EXPECT_EQ(counter_of(kept[i].data(), kept[i].size()), i);
  }
}

/// A message that owns a piece of memory.
struct Owner {
  std::uint64_t counter;
  void * part;
};

bool never_wrong(const void *, const void *, const void *, std::size_t) { return true; }

bool copy(const void *, void * memory, const void * message) {
  auto * owner = new (memory) Owner(*static_cast<const Owner *>(message));
  owner->part = allocate(kSize);
  return owner->part != nullptr;
}

void destroy(const void *, void * message) { deallocate(static_cast<Owner *>(message)->part); }

// Shared memory is what all topics of the reader's process publish from.
TEST_F(GreedyReader, UsesUpNoSharedMemoryWithItsCopies) {
  SubscriptionOptions options = subscription_options("topic", {.depth = 10, .quota = 2});
  options.functions = {&options, never_wrong, copy, destroy};
  const auto in = subscription(options);
  ASSERT_TRUE(is_matched(1) && wait_until([&] { return in->matched_count() == 1; }));
  std::vector<Sample> kept;
  std::size_t in_use = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    ASSERT_TRUE(out_->publish_copy(std::data({Owner{i, nullptr}}), sizeof(Owner)));
    kept.push_back(in->take());
    ASSERT_TRUE(kept.back());
    in_use = i == 10 ? heap_statistics().in_use : in_use;
  }
  EXPECT_EQ(in->copied(), 98U);
  EXPECT_LE(heap_statistics().in_use, in_use + kSize);
  const auto * last = static_cast<const Owner *>(kept.back().data());
  EXPECT_EQ(last->counter, 99U);
  EXPECT_FALSE(is_shared_allocation(last->part, 1));
  void * const mine = allocate(64);
  EXPECT_TRUE(is_shared_allocation(mine, 64)) << "others are served as before";
  deallocate(mine);
}

}  // namespace
}  // namespace tandem::test
