// The message heap through its public face.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "station.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

struct Piece {
  unsigned char * memory;
  std::size_t size;
  unsigned char mark;
};

bool is_intact(const Piece & piece) {
  return std::all_of(piece.memory, piece.memory + piece.size, [&](unsigned char c) { return c == piece.mark; });
}

/// Allocates and frees at random; every piece must keep its content. \return false when one did not.
bool churn(unsigned random_seed, int rounds) {
  std::mt19937 random(random_seed);
  std::vector<Piece> pieces;
  bool good = true;
  for (int round = 0; round < rounds; ++round) {
    if (pieces.size() < 100 && random() % 2 == 0) {
      const std::size_t size = 1 + random() % (std::size_t{1} << (random() % 16));
      auto * memory = static_cast<unsigned char *>(allocate(size));
      good = good && memory != nullptr && reinterpret_cast<std::uintptr_t>(memory) % kHeapAlignment == 0 &&
             is_shared_allocation(memory, size);
      pieces.push_back({memory, size, static_cast<unsigned char>(random())});
      std::memset(memory, pieces.back().mark, size);
    } else if (!pieces.empty()) {
      std::swap(pieces[random() % pieces.size()], pieces.back());
      good = good && is_intact(pieces.back());
      deallocate(pieces.back().memory);
      pieces.pop_back();
    }
  }
  for (const Piece & piece : pieces) {
    good = good && is_intact(piece);
    deallocate(piece.memory);
  }
  return good;
}

/// What is in use once nothing of earlier tests is on its way back: what a killed reader held takes up to a second.
std::size_t settled_use() {
  EXPECT_TRUE(wait_until([] { return heap_statistics().in_use == 0; }));
  return heap_statistics().in_use;
}

TEST(Heap, KeepsPiecesApartAndGetsAllBack) {
  const std::size_t before = settled_use();
  EXPECT_TRUE(churn(seed(), 20000));
  EXPECT_EQ(heap_statistics().in_use, before);
}

TEST(Heap, ServesSeveralThreads) {
  const std::size_t before = settled_use();
  const unsigned random_seed = seed();
  bool good[4] = {};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i) {
    threads.emplace_back([&good, i, random_seed] { good[i] = churn(random_seed + i, 5000); });
  }
  for (unsigned i = 0; i < 4; ++i) {
    threads[i].join();
    EXPECT_TRUE(good[i]);
  }
  EXPECT_EQ(heap_statistics().in_use, before);
}

TEST(Heap, TakesEverySizeClass) {
  const std::size_t before = settled_use();
  for (std::size_t size = 1; size <= (std::size_t{64} << 20); size = size * 5 / 4 + 1) {
    void * memory = allocate_shared_memory(size);
    ASSERT_NE(memory, nullptr) << size;
    std::memset(memory, 1, std::min<std::size_t>(size, 4096));
    static_cast<char *>(memory)[size - 1] = 1;
    EXPECT_TRUE(is_shared_allocation(memory, size));
    deallocate(memory);
    EXPECT_FALSE(is_shared_allocation(memory, 1));
  }
  EXPECT_EQ(heap_statistics().in_use, before);
}

TEST(Heap, UsesTheSameMemoryAgain) {
  void * const first = allocate(5000);
  deallocate(first);
  void * const second = allocate(5000);
  EXPECT_EQ(first, second);
  deallocate(second);
}

TEST(Heap, RefusesWhatDoesNotFit) {
  EXPECT_EQ(allocate_shared_memory(heap_statistics().reserved), nullptr);
  EXPECT_EQ(allocate_shared_memory(~std::size_t{0}), nullptr);
  EXPECT_EQ(allocate(~std::size_t{0}), nullptr);
  void * const memory = allocate(0);
  EXPECT_NE(memory, nullptr);
  deallocate(memory);
  deallocate(nullptr);
}

TEST(Heap, IsPrivateWhereThereIsNoFolder) {
  const Folder folder;
  setenv("TANDEM_SHM_DIR", "/nowhere/at/all", 1);
  Station user(Place::kElsewhere);
  const Outcome joined = user.join(0);
  EXPECT_TRUE(joined.is(JoinError::kNoDirectory)) << joined;
  EXPECT_EQ(user.in_use(), 0U);
}

TEST(Heap, TellsItsExtent) {
  const HeapStatistics statistics = heap_statistics();
  EXPECT_GT(statistics.reserved, statistics.in_use);
  EXPECT_GE(statistics.reserved, statistics.committed);
  EXPECT_GT(statistics.committed, statistics.in_use);
}

}  // namespace
}  // namespace tandem::test
