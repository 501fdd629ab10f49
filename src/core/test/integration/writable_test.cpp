// What a reader may write to: its changes are its own, for as long as it has the memory.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "payload.hpp"
#include "station.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t kSize = std::size_t{4} << 20;
constexpr std::size_t kPage = 4096;

/// A publisher in this process or another, and two subscriptions here.
class Writable : public testing::TestWithParam<bool> {
 protected:
  Writable() : peer_(GetParam() ? Place::kElsewhere : Place::kHere) {
    EXPECT_TRUE(peer_.join(0));
    EXPECT_TRUE(peer_.create_publisher("p", "topic", {.depth = 4}));
    EXPECT_TRUE(peer_.until_matched("p", 2));
    EXPECT_TRUE(wait_until([&] { return writer_->matched_count() == 1 && other_->matched_count() == 1; }));
  }
  std::unique_ptr<Subscription> subscribe() {
    return std::move(*participant_->create_subscription(subscription_options("topic", {.depth = 4})));
  }
  static std::shared_ptr<const Sample> take(Subscription & subscription) {
    auto sample = std::make_shared<Sample>();
    EXPECT_TRUE(wait_until([&] { return static_cast<bool>(*sample = subscription.take()); }));
    return sample;
  }
  std::shared_ptr<const Sample> receive(std::size_t size = kSize) {
    EXPECT_TRUE(peer_.publish("p", 1, size));
    return take(*writer_);
  }
  /// All of it, for this reader to write to; null: it is to be copied.
  static std::byte * open(const std::shared_ptr<const Sample> & sample) {
    return static_cast<std::byte *>(open_writable(sample, sample->data(), sample->size()));
  }

  Folder folder_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
  std::unique_ptr<Subscription> writer_ = subscribe();
  std::unique_ptr<Subscription> other_ = subscribe();
  Station peer_;
};

INSTANTIATE_TEST_SUITE_P(, Writable, testing::Bool(),
                         [](const auto & info) { return info.param ? "TwoProcesses" : "OneProcess"; });

TEST_P(Writable, ShowsWhatWasPublishedAndKeepsChangesToItself) {
  const auto sample = receive();
  std::byte * const mine = open(sample);
  ASSERT_NE(mine, nullptr);
  EXPECT_NE(mine, sample->data());
  EXPECT_TRUE(is_whole(mine, kSize));
  std::memset(mine + kSize / 2, 0x5a, 3 * kPage);
  EXPECT_FALSE(is_whole(mine, kSize));
  EXPECT_TRUE(is_whole(sample->data(), kSize));
  EXPECT_TRUE(is_whole(take(*other_)->data(), kSize));
  deallocate(mine);
}

TEST_P(Writable, ForgetsRandomWritesOnceGivenBack) {
  std::mt19937 random(seed());
  for (int round = 0; round < 40; ++round) {
    const auto sample = receive();
    std::byte * const mine = open(sample);
    ASSERT_NE(mine, nullptr) << round;
    ASSERT_TRUE(is_whole(mine, kSize)) << round;
    for (int i = 0; i < 500; ++i) {  // in a few windows, so that it is not taken for a rewriter
      mine[random() % (kSize / 8)] ^= std::byte{0xff};
    }
    ASSERT_TRUE(is_whole(take(*other_)->data(), kSize)) << round;
    deallocate(mine);
    ASSERT_TRUE(is_whole(sample->data(), kSize)) << round;
  }
}

TEST_P(Writable, HoldsItsMessageUntilGivenBack) {
  auto sample = receive();
  std::byte * const mine = open(sample);
  ASSERT_NE(mine, nullptr);
  const std::weak_ptr<const Sample> held = sample;
  sample.reset();
  EXPECT_FALSE(held.expired());
  for (int i = 0; i < 20; ++i) {  // with blocks enough to come around
    const auto next = receive();
    ASSERT_TRUE(is_whole(mine, kSize));
  }
  deallocate(mine);
  EXPECT_TRUE(held.expired());
}

TEST_P(Writable, SurvivesItsPublisher) {
  const auto sample = receive();
  std::byte * const mine = open(sample);
  ASSERT_NE(mine, nullptr);
  if (GetParam()) {
    peer_.child().kill();
  } else {
    peer_.close("p");
  }
  writer_.reset();
  EXPECT_TRUE(is_whole(mine, kSize));
  std::memset(mine, 0, kPage);
  EXPECT_TRUE(is_whole(sample->data(), kSize));
  deallocate(mine);
}

TEST_P(Writable, RefusesWhatIsBetterCopied) {
  const auto small = receive(kLeastWritable - kPage);
  EXPECT_EQ(open(small), nullptr);
  const auto sample = receive();
  const auto * const bytes = static_cast<const std::byte *>(sample->data());
  EXPECT_EQ(open_writable(sample, bytes + 64, kSize - 64), nullptr) << "it shares a page";
  std::byte * const mine = open(sample);
  ASSERT_NE(mine, nullptr);
  EXPECT_EQ(open(sample), nullptr) << "opened twice";
  deallocate(mine);
}

TEST_P(Writable, CopiesForWhoRewritesAll) {
  int opened = 0;
  for (int i = 0; i < 20; ++i) {
    const auto sample = receive();
    if (std::byte * const mine = open(sample)) {
      ++opened;
      std::memset(mine, i, kSize);
      deallocate(mine);
    }
  }
  EXPECT_EQ(opened, 2);
  for (int i = 0; i < 60; ++i) {
    deallocate(open(receive()));
  }
  const auto sample = receive();  // and tries again
  std::byte * const mine = open(sample);
  ASSERT_NE(mine, nullptr);
  EXPECT_TRUE(is_whole(mine, kSize));
  deallocate(mine);
}

TEST_P(Writable, IsRefusedWhereAWriteWouldKill) {
  const auto sample = receive();
  std::thread([&] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    EXPECT_EQ(open(sample), nullptr) << "with SIGSEGV blocked";
  }).join();
  std::byte * const mine = open(sample);
  ASSERT_NE(mine, nullptr);
  deallocate(mine);
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  struct sigaction ours {};
  ASSERT_EQ(sigaction(SIGSEGV, &standard, &ours), 0);
  EXPECT_EQ(open(sample), nullptr) << "with another handler";
  ASSERT_EQ(sigaction(SIGSEGV, &ours, nullptr), 0);
}

TEST_P(Writable, RestoresLockedMemory) {
  const auto first = receive(kLeastWritable);
  std::byte * const mine = open(first);
  ASSERT_NE(mine, nullptr);
  if (mlock(mine, kLeastWritable) != 0) {
    deallocate(mine);
    GTEST_SKIP() << "this user may lock no memory";
  }
  mine[0] = std::byte{0xff};
  mine[1] = std::byte{0xff};
  deallocate(mine);
  EXPECT_EQ(std::memcmp(mine, first->data(), kLeastWritable), 0);
}

TEST_P(Writable, TakesWritesOfManyThreads) {
  const auto sample = receive();
  std::byte * const mine = open(sample);
  ASSERT_NE(mine, nullptr);
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([=] {
      for (std::size_t at = thread; at < kSize; at += 64) {
        mine[at] = std::byte(thread + 1);
      }
    });
  }
  for (std::thread & thread : threads) {
    thread.join();
  }
  for (std::size_t at = 0; at < kSize; at += 64) {
    for (std::size_t thread = 0; thread < 4; ++thread) {
      ASSERT_EQ(mine[at + thread], std::byte(thread + 1));
    }
  }
  EXPECT_TRUE(is_whole(sample->data(), kSize));
  deallocate(mine);
}

TEST_P(Writable, IsReadableAndWritableInAForkedChild) {
  const auto sample = receive();
  std::byte * const mine = open(sample);
  ASSERT_NE(mine, nullptr);
  mine[8] = std::byte{1};
  const pid_t child = fork();
  if (child == 0) {
    const bool same = mine[8] == std::byte{1};
    mine[kSize / 2] = std::byte{2};
    deallocate(mine);
    _exit(same ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(mine[8], std::byte{1});
  deallocate(mine);
}

}  // namespace
}  // namespace tandem::test
