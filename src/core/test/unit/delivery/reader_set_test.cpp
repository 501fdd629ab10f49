// The publisher's view of its readers, with readers whose lanes a test writes.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "delivery/reader_set.hpp"
#include "folder/folder.hpp"
#include "harness.hpp"
#include "process/process.hpp"

namespace tandem::test {
namespace {

constexpr std::uint32_t kBlocks = 284 * 64;  ///< of a keep-all publisher
constexpr std::uint64_t kQuota = 8;

/// A reader's lane in ordinary memory, taken from as Lane does.
class FakeLane {
 public:
  FakeLane() : memory_(new std::byte[sizeof(LaneRecord) + kBlocks / 8 + kCacheLine]()) {
    void * place = memory_.get();
    std::size_t room = sizeof(LaneRecord) + kBlocks / 8 + kCacheLine;
    record_ = static_cast<LaneRecord *>(std::align(kCacheLine, sizeof(LaneRecord) + kBlocks / 8, place, room));
    record_->terms.number = 1;
    record_->terms.max_blocks = kBlocks;
    record_->terms.held_quota = kQuota;
    record_->terms.depth = kMaxDepth;
  }
  LaneRecord * record() const { return record_; }

  void take(std::uint32_t block) {
    record_->held[block / 64].fetch_add(std::uint64_t{1} << block % 64, std::memory_order_seq_cst);
    record_->cursor.store(++cursor_, std::memory_order_release);
  }
  void release(std::uint32_t block) {
    record_->held[block / 64].fetch_sub(std::uint64_t{1} << block % 64, std::memory_order_release);
  }

 private:
  std::unique_ptr<std::byte[]> memory_;
  LaneRecord * record_ = nullptr;
  std::uint64_t cursor_ = 0;
};

class ReaderSetTest : public testing::Test {
 protected:
  ReaderSetTest() {
    std::string reason;
    const auto root = RootFolder::open();
    peer_ = Peer::open(*tandem::Folder::open(*root, 0), Process::instance().incarnation(), reason);
    EXPECT_NE(peer_, nullptr) << reason;
    EXPECT_TRUE(readers_.add(peer_, lane_.record(), lane_.record()->terms, 0));
  }

  std::size_t revoke_over_quota() {
    const BiasedLock::UnbiasedLock lock(lock_);
    return readers_.revoke_over_quota(lock_);
  }

  Folder folder_;
  LogCapture log_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
  std::shared_ptr<Peer> peer_;
  FakeLane lane_;
  std::vector<Ack> acks_ = std::vector<Ack>(kMaxReaders);
  ReaderSet readers_{acks_.data(), kBlocks};
  BiasedLock lock_;
};

// Bits go while the words are counted and come again in words that are not counted yet.
TEST_F(ReaderSetTest, BelievesAReaderThatTakesWhileItIsCounted) {
  std::atomic<bool> done = false;
  std::atomic<std::uint64_t> taken = 0;
  std::thread reader([&] {
    std::deque<std::uint32_t> kept;
    std::uint32_t block = 0;
    while (!done.load(std::memory_order_relaxed)) {
      if (kept.size() == kQuota) {
        lane_.release(kept.front());
        kept.pop_front();
      }
      block = (block + 37) % kBlocks;
      lane_.take(block);
      kept.push_back(block);
      taken.fetch_add(1, std::memory_order_relaxed);
    }
  });
  EXPECT_TRUE(wait_until([&] { return taken.load() != 0; }));
  const auto counts = static_cast<int>(20'000 * scale());
  for (int i = 0; i < counts && !HasFailure(); ++i) {
    EXPECT_EQ(revoke_over_quota(), 0U) << "at count " << i;
  }
  done = true;
  reader.join();
  EXPECT_FALSE(peer_->is_broken());
}

TEST_F(ReaderSetTest, RevokesTheLaneOfAGreedyReaderAndNotItsProcess) {
  FakeLane honest;
  honest.record()->terms.number = 2;
  ASSERT_TRUE(readers_.add(peer_, honest.record(), honest.record()->terms, 0));
  for (std::uint32_t block = 0; block < kQuota; ++block) {
    honest.take(block);
  }
  for (std::uint32_t block = 0; block < kQuota + 2; ++block) {
    lane_.take(1000 + block);
  }
  EXPECT_EQ(revoke_over_quota(), 0U) << "its quota, one that it copies, and one that it takes just now";
  lane_.take(2000);
  EXPECT_EQ(revoke_over_quota(), 1U);
  EXPECT_EQ(revoke_over_quota(), 0U) << "once";
  EXPECT_EQ(acks_[0].quota.load(), kRevoked);
  EXPECT_EQ(acks_[1].quota.load(), kQuota);
  std::vector<TopicSnapshot::Reader> listed;
  readers_.list(listed);
  EXPECT_EQ(listed.size(), 2U) << "or it would be acknowledged again";
  EXPECT_EQ(readers_.open_count(), 1U);
  EXPECT_FALSE(peer_->is_broken());
  std::vector<std::uint64_t> held(kBlocks / 64);
  readers_.collect_held(kBlocks, held);
  EXPECT_EQ(held[0], (std::uint64_t{1} << kQuota) - 1);
  EXPECT_EQ(held[1000 / 64], 0U);
}

}  // namespace
}  // namespace tandem::test
