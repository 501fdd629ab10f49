// The allocator on a region of its own: against a shadow of what it should be, full, fragmented, and given back.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include "harness.hpp"
#include "memory/region_heap.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

class RegionHeapTest : public testing::Test {
 protected:
  RegionHeapTest() { make(256); }
  ~RegionHeapTest() override { unsetenv("TANDEM_REGION_SIZE"); }

  void make(int mebibytes) {
    setenv("TANDEM_REGION_SIZE", std::to_string(mebibytes).c_str(), 1);
    heap_.reset();
    region_ = std::move(*Region::create(*RootFolder::open()));
    heap_ = RegionHeap::create(*region_);
  }
  /// What the kernel says.
  std::size_t memory() const {
    struct stat status {};
    fstat(region_->file().get(), &status);
    return static_cast<std::size_t>(status.st_blocks) * 512;
  }
  unsigned char * allocate(std::size_t size, std::size_t alignment = 1) {
    return static_cast<unsigned char *>(heap_->allocate(size, alignment));
  }
  void trim_all() {
    heap_->trim();
    heap_->trim();
  }

  const Folder folder_;
  std::unique_ptr<Region> region_;
  std::unique_ptr<RegionHeap> heap_;
};

/// Every live piece, by address.
struct Shadow {
  struct Piece {
    std::size_t size;
    unsigned char mark;
  };
  std::map<unsigned char *, Piece> pieces;

  bool has_room(unsigned char * memory, std::size_t size) const {
    const auto next = pieces.lower_bound(memory);
    return (next == pieces.end() || memory + size <= next->first) &&
           (next == pieces.begin() || std::prev(next)->first + std::prev(next)->second.size <= memory);
  }
  static bool is_intact(const unsigned char * memory, const Piece & piece) {
    return std::all_of(memory, memory + std::min<std::size_t>(piece.size, 256),
                       [&](unsigned char c) { return c == piece.mark; }) &&
           memory[piece.size - 1] == piece.mark && memory[piece.size / 2] == piece.mark;
  }
  static void fill(unsigned char * memory, const Piece & piece) {
    std::memset(memory, piece.mark, std::min<std::size_t>(piece.size, 256));
    memory[piece.size - 1] = piece.mark;
    memory[piece.size / 2] = piece.mark;
  }
};

TEST_F(RegionHeapTest, KeepsPiecesOfAllSizesApart) {
  std::mt19937 random(seed());
  Shadow shadow;
  for (int round = 0; round < 40'000; ++round) {
    if (shadow.pieces.size() < 1500 && random() % 2 == 0) {
      const std::size_t size = 1 + random() % (std::size_t{1} << (random() % 22));
      const std::size_t alignment = std::size_t{1} << (random() % 7);
      unsigned char * memory = allocate(size, alignment);
      if (memory == nullptr) {
        continue;  // full
      }
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0U);
      ASSERT_TRUE(shadow.has_room(memory, size));
      const Shadow::Piece piece{size, static_cast<unsigned char>(random())};
      Shadow::fill(memory, piece);
      shadow.pieces.emplace(memory, piece);
      ASSERT_TRUE(heap_->is_live(memory, size));
      ASSERT_FALSE(heap_->is_live(memory, 2 * size + 8192));
      ASSERT_FALSE(size > 1 && heap_->is_live(memory + 1 + random() % (size - 1), 1));
    } else if (!shadow.pieces.empty()) {
      auto victim = shadow.pieces.lower_bound(region_->at<unsigned char>(random() % region_->reserved()));
      victim = victim == shadow.pieces.end() ? shadow.pieces.begin() : victim;
      const auto [memory, piece] = *victim;
      ASSERT_TRUE(Shadow::is_intact(memory, piece));
      ASSERT_TRUE(heap_->deallocate(memory));
      ASSERT_FALSE(heap_->is_live(memory, 1));
      ASSERT_FALSE(heap_->deallocate(memory));
      shadow.pieces.erase(victim);
    }
    if (random() % 1000 == 0) {
      heap_->trim();
    }
  }
  for (const auto & [memory, piece] : shadow.pieces) {
    ASSERT_TRUE(Shadow::is_intact(memory, piece));
    ASSERT_TRUE(heap_->deallocate(memory));
  }
  EXPECT_EQ(heap_->in_use(), 0U);
  trim_all();
  EXPECT_EQ(heap_->statistics().committed, kHeapOffset);
  EXPECT_EQ(memory(), kHeapOffset);
}

TEST_F(RegionHeapTest, StaysReadableAfterForkWhenTheFileIsAsLongAsCanBe) {
  make(8);
  unsigned char * memory = allocate(1);
  *memory = 7;
  while (allocate(4096) != nullptr) {
  }
  ASSERT_EQ(region_->committed(), region_->reserved());
  region_->make_private();
  EXPECT_EQ(*memory, 7);
}

TEST_F(RegionHeapTest, MakesOnePieceOfManyAgain) {
  std::mt19937 random(seed());
  std::vector<void *> pieces;
  while (void * memory = heap_->allocate(1 + random() % 60'000)) {
    pieces.push_back(memory);
  }
  EXPECT_GT(heap_->in_use(), 250 * kMebibyte);
  std::shuffle(pieces.begin(), pieces.end(), random);
  for (void * memory : pieces) {
    ASSERT_TRUE(heap_->deallocate(memory));
  }
  heap_->trim();  // the last slab of each class
  void * const all = heap_->allocate(region_->reserved() - kHeapOffset);
  EXPECT_NE(all, nullptr);
  EXPECT_EQ(heap_->allocate(1), nullptr);
  EXPECT_TRUE(heap_->deallocate(all));
}

TEST_F(RegionHeapTest, GivesIdleMemoryBackAndKeepsWhatIsLive) {
  unsigned char * const kept = allocate(kMebibyte);
  std::memset(kept, 7, kMebibyte);
  std::vector<void *> burst;
  for (int i = 0; i < 60; ++i) {
    burst.push_back(heap_->allocate(i % 2 == 0 ? 3 * kMebibyte : 100));
  }
  const std::size_t busy = memory();
  EXPECT_GE(busy, 91 * kMebibyte);
  for (void * piece : burst) {
    heap_->deallocate(piece);
  }
  trim_all();
  EXPECT_LE(memory(), kHeapOffset + kMebibyte);
  EXPECT_TRUE(std::all_of(kept, kept + kMebibyte, [](unsigned char c) { return c == 7; }));
  void * const again = heap_->allocate(50 * kMebibyte);  // over the hole that is left
  ASSERT_NE(again, nullptr);
  EXPECT_GE(memory(), 52 * kMebibyte);
}

TEST_F(RegionHeapTest, KeepsTheMemoryOfASteadyFlow) {
  constexpr std::size_t kImage = 6220800;
  heap_->deallocate(heap_->allocate(kImage));
  trim_all();  // what the file grew ahead
  heap_->deallocate(heap_->allocate(kImage));
  const std::size_t before = memory();
  for (int i = 0; i < 10; ++i) {
    heap_->trim();
    void * const image = heap_->allocate(kImage);
    EXPECT_EQ(memory(), before);
    heap_->deallocate(image);
  }
}

// A publisher's borrow frees what was read: that must not wait for the kernel.
TEST_F(RegionHeapTest, GivesNothingToTheKernelButInHousekeeping) {
  make(1024);
  std::vector<void *> burst;
  for (int i = 0; i < 100; ++i) {
    burst.push_back(heap_->allocate(4 * kMebibyte));
  }
  for (void * piece : burst) {
    heap_->deallocate(piece);
  }
  EXPECT_GE(memory(), 400 * kMebibyte);
  heap_->shed();
  EXPECT_LE(memory(), kHeapOffset + 64 * kMebibyte);
}

TEST_F(RegionHeapTest, ServesManyThreadsWhileItTrims) {
  std::vector<std::thread> threads;
  std::atomic<int> damaged = 0;
  std::atomic<int> working = 4;
  const unsigned random_seed = seed();
  for (unsigned i = 0; i < 4; ++i) {
    threads.emplace_back([this, i, random_seed, &damaged, &working] {
      std::mt19937 random(random_seed + i);
      for (int round = 0; round < 3000; ++round) {
        const Shadow::Piece piece{1 + random() % (std::size_t{1} << (random() % 21)), static_cast<unsigned char>(i)};
        if (unsigned char * memory = allocate(piece.size)) {
          Shadow::fill(memory, piece);
          damaged += Shadow::is_intact(memory, piece) && heap_->deallocate(memory) ? 0 : 1;
        }
      }
      --working;
    });
  }
  while (working != 0) {
    heap_->trim();
    heap_->shed();
  }
  for (std::thread & thread : threads) {
    thread.join();
  }
  EXPECT_EQ(damaged, 0);
  EXPECT_EQ(heap_->in_use(), 0U);
  trim_all();
  EXPECT_EQ(heap_->statistics().committed, kHeapOffset);
  EXPECT_EQ(memory(), kHeapOffset);
}

TEST_F(RegionHeapTest, RefusesWhatIsNotTheStartOfAPiece) {
  unsigned char * const object = allocate(100);
  unsigned char * const pages = allocate(100'000);
  EXPECT_FALSE(heap_->deallocate(object + 16));
  EXPECT_FALSE(heap_->deallocate(pages + 4096));
  EXPECT_FALSE(heap_->deallocate(pages + 64));
  EXPECT_FALSE(heap_->deallocate(region_->base()));
  EXPECT_FALSE(heap_->deallocate(region_->base() + region_->reserved() - 4096));
  int elsewhere = 0;
  EXPECT_FALSE(heap_->deallocate(&elsewhere));
  EXPECT_TRUE(heap_->deallocate(object));
  EXPECT_TRUE(heap_->deallocate(pages));
}

TEST(RegionHeapInASmallFolder, IsFullWithoutHarmAndGoesOn) {
  const Folder folder;
  const std::string small = folder.path() + "/small";
  ASSERT_EQ(mkdir(small.c_str(), 0700), 0);
  if (mount("tandem-test", small.c_str(), "tmpfs", 0, "size=16m,mode=0700") != 0) {
    GTEST_SKIP() << "needs the right to mount: " << std::strerror(errno);
  }
  const std::unique_ptr<const std::string, void (*)(const std::string *)> unmount(
      &small, [](const std::string * path) { EXPECT_EQ(umount2(path->c_str(), MNT_DETACH), 0); });
  setenv("TANDEM_SHM_DIR", small.c_str(), 1);
  setenv("TANDEM_REGION_SIZE", "64", 1);
  const auto region = std::move(*Region::create(*RootFolder::open()));
  unsetenv("TANDEM_REGION_SIZE");
  const auto heap = RegionHeap::create(*region);
  for (int round = 0; round < 3; ++round) {
    std::vector<void *> pieces;
    while (void * memory = heap->allocate(kMebibyte)) {
      std::memset(memory, 1, kMebibyte);
      pieces.push_back(memory);
    }
    EXPECT_EQ(pieces.size(), 14U);  // and 1 MiB of directory: the last page is the folder's own
    for (std::size_t i = 0; i < pieces.size(); i += 2) {
      heap->deallocate(pieces[i]);
      pieces[i] = nullptr;
    }
    // Free pages lie here and there; their memory is worth more in one piece.
    void * const large = heap->allocate(5 * kMebibyte);
    ASSERT_NE(large, nullptr);
    std::memset(large, 2, 5 * kMebibyte);
    heap->deallocate(large);
    for (void * memory : pieces) {
      heap->deallocate(memory);
    }
    EXPECT_EQ(heap->in_use(), 0U);
  }
}

}  // namespace
}  // namespace tandem::test
