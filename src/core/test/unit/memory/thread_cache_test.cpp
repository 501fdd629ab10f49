// What threads keep of free small pieces: it is free for everybody, belongs to one thread at a time, and comes back.
#include "memory/thread_cache.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "harness.hpp"
#include "memory/region_heap.hpp"
#include "process/process.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

/// Pieces that no cache keeps all of.
constexpr int kMany = 200;

class ThreadCacheTest : public testing::Test {
 protected:
  ThreadCacheTest() {
    setenv("TANDEM_REGION_SIZE", "64", 1);
    region_ = std::move(*Region::create(*RootFolder::open()));
    heap_ = RegionHeap::create(*region_);
  }
  ~ThreadCacheTest() override { unsetenv("TANDEM_REGION_SIZE"); }

  /// Once no cache has anything left.
  void expect_all_given_back() {
    EXPECT_EQ(heap_->in_use(), 0U);
    heap_->trim();
    heap_->trim();
    EXPECT_EQ(heap_->statistics().committed, kHeapOffset);
  }

  const Folder folder_;
  std::unique_ptr<Region> region_;
  std::unique_ptr<RegionHeap> heap_;
};

TEST_F(ThreadCacheTest, ServesEverySize) {
  {
    ThreadCache cache(*heap_);
    for (std::size_t size = 1; size <= ThreadCache::kGreatest; ++size) {
      void * const piece = cache.allocate(size);
      ASSERT_NE(piece, nullptr);
      ASSERT_TRUE(heap_->is_live(piece, size));
      ASSERT_FALSE(heap_->is_live(piece, size + 128));
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(piece) % (size % 64 == 0 ? 64 : 16), 0U);
      ASSERT_GE(heap_->in_use(), size);
      ASSERT_TRUE(cache.deallocate(piece));
      ASSERT_EQ(heap_->in_use(), 0U);
    }
  }
  expect_all_given_back();
}

TEST_F(ThreadCacheTest, KnowsThatWhatItKeepsIsFree) {
  ThreadCache cache(*heap_);
  ThreadCache other(*heap_);
  void * const piece = cache.allocate(100);
  EXPECT_TRUE(other.deallocate(piece));
  EXPECT_FALSE(heap_->is_live(piece, 1));
  EXPECT_FALSE(cache.deallocate(piece));
  EXPECT_FALSE(other.deallocate(piece));
  EXPECT_FALSE(heap_->deallocate(piece));
  EXPECT_EQ(heap_->in_use(), 0U);
}

TEST_F(ThreadCacheTest, RefusesWhatIsNotTheStartOfAPiece) {
  ThreadCache cache(*heap_);
  auto * const piece = static_cast<char *>(cache.allocate(100));
  auto * const pages = static_cast<char *>(heap_->allocate(100'000));
  int elsewhere = 0;
  for (void * const wrong :
       {static_cast<void *>(piece + 1), static_cast<void *>(piece + 16), static_cast<void *>(pages + 64),
        static_cast<void *>(region_->base()), static_cast<void *>(region_->base() + region_->reserved() - 16),
        static_cast<void *>(region_->base() - 16), static_cast<void *>(region_->base() + region_->reserved()),
        static_cast<void *>(&elsewhere)}) {
    EXPECT_FALSE(cache.deallocate(wrong));
    EXPECT_FALSE(heap_->is_live(wrong, 1));
  }
  EXPECT_TRUE(cache.deallocate(piece));
  EXPECT_TRUE(cache.deallocate(pages));
}

TEST_F(ThreadCacheTest, PiecesWanderFromThreadToThread) {
  std::barrier exchange(2);
  std::vector<void *> made(kMany);
  const int rounds = static_cast<int>(100 * scale());
  int damaged = 0;
  std::thread maker([&] {
    ThreadCache cache(*heap_);
    for (int round = 0; round < rounds; ++round) {
      for (void *& piece : made) {
        piece = cache.allocate(200);
        std::memset(piece, round, 200);
      }
      exchange.arrive_and_wait();
      exchange.arrive_and_wait();
    }
  });
  std::thread user([&] {
    ThreadCache cache(*heap_);
    for (int round = 0; round < rounds; ++round) {
      exchange.arrive_and_wait();
      for (void * piece : made) {
        const auto * const bytes = static_cast<unsigned char *>(piece);
        damaged += std::all_of(bytes, bytes + 200, [round](unsigned c) { return c == (round & 255U); }) ? 0 : 1;
        damaged += cache.deallocate(piece) ? 0 : 1;
      }
      exchange.arrive_and_wait();
    }
  });
  maker.join();
  user.join();
  EXPECT_EQ(damaged, 0);
  expect_all_given_back();
}

// Neither thread has seen the other's free, so both keep it.
TEST_F(ThreadCacheTest, HandsAPieceOutOnceThatTwoThreadsFreedInTheSameMoment) {
  ThreadCache one(*heap_);
  ThreadCache other(*heap_);
  void * const piece = one.allocate(100);
  PieceMap::Kind & kind = *heap_->map().at(piece);
  const std::uint8_t before = kind;
  EXPECT_TRUE(one.deallocate(piece));
  kind = before;
  EXPECT_TRUE(other.deallocate(piece));
  EXPECT_EQ(one.allocate(100), piece);
  for (int i = 0; i < kMany; ++i) {
    EXPECT_NE(other.allocate(100), piece);
  }
}

TEST_F(ThreadCacheTest, GivesUpWhenTheHeapIsFull) {
  ThreadCache cache(*heap_);
  std::vector<void *> pieces;
  while (void * piece = cache.allocate(1000)) {
    pieces.push_back(piece);
  }
  EXPECT_GT(heap_->in_use(), std::size_t{60} << 20);
  for (void * piece : pieces) {
    ASSERT_TRUE(cache.deallocate(piece));
  }
  EXPECT_EQ(heap_->in_use(), 0U);
  EXPECT_NE(cache.allocate(1000), nullptr);
}

/// Lives longer than what its thread keeps, as an object does that was made before the first message.
struct Late {
  void * piece = nullptr;
  bool * had_cache = nullptr;
  ~Late() {
    deallocate(piece);
    deallocate(allocate(100));
    *had_cache = ThreadCache::present() != nullptr;
  }
};

TEST(ThreadCacheOfAThread, IsGivenBackWhenTheThreadEnds) {
  ASSERT_TRUE(wait_until([] { return heap_statistics().in_use == 0; }));  // of earlier tests
  bool had_cache = true;
  void * kept = nullptr;
  std::thread([&] {
    thread_local Late late;
    late.had_cache = &had_cache;
    std::vector<void *> pieces(kMany);
    for (void *& piece : pieces) {
      piece = allocate(100);
    }
    EXPECT_NE(ThreadCache::present(), nullptr);
    late.piece = pieces.back();
    pieces.pop_back();
    for (void * piece : pieces) {
      deallocate(piece);
    }
    kept = pieces.back();
  }).join();
  EXPECT_FALSE(had_cache);
  EXPECT_EQ(heap_statistics().in_use, 0U);
  RegionHeap & heap = Process::instance().heap();
  void * free[10 * kMany];
  const std::uint32_t count = heap.take(class_of(aligned_size(100, kHeapAlignment)), free, 10 * kMany);
  EXPECT_EQ(std::count(free, free + count, kept), 1) << "the slab has it again";
  heap.give_back(free, count);
}

TEST(ThreadCacheOfAThread, IsNotInheritedByAForkedChild) {
  deallocate(allocate(100));
  ASSERT_NE(ThreadCache::present(), nullptr);
  const pid_t child = fork();
  if (child == 0) {
    _exit(ThreadCache::present() == nullptr ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace tandem::test
