// heap: what the message heap costs, in time and in memory.
//
//   heap.pair.N    allocating N bytes and freeing them, among 10,000 live pieces of 1 to 300 bytes; no other thread
//   heap.malloc.N  the same of malloc and free
//   heap.random    ten million random allocations of sizes that real messages have, once per run: memory / live bytes
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>

#include "common/microbenchmarks.hpp"
#include "common/suites.hpp"
#include "tandem/heap.hpp"

namespace bench {
namespace {

constexpr std::size_t kPieces[] = {24, 100, 1000};  // bytes
constexpr std::size_t kMebibyte = std::size_t{1} << 20;

void * allocate(std::size_t size) {
  void * memory = tandem::allocate(size, alignof(double));
  if (memory == nullptr) {
    throw std::runtime_error("the heap is full");
  }
  return memory;
}

struct Ours {
  static void * allocate(std::size_t size) { return bench::allocate(size); }
  static void deallocate(void * memory) { tandem::deallocate(memory); }
};

struct Malloc {
  static void * allocate(std::size_t size) { return std::malloc(size); }
  static void deallocate(void * memory) { std::free(memory); }
};

/// Pieces that live while others come and go.
template <class Heap>
class Pieces {
 public:
  Pieces() : live_(10'000) {
    for (void *& memory : live_) {
      memory = Heap::allocate(random_size());
    }
  }
  ~Pieces() {
    for (void * memory : live_) {
      Heap::deallocate(memory);
    }
  }
  Pieces(const Pieces &) = delete;
  Pieces & operator=(const Pieces &) = delete;

  void replace_one() {
    void *& memory = live_[random_() % live_.size()];
    Heap::deallocate(memory);
    memory = Heap::allocate(random_size());
  }

 private:
  std::size_t random_size() { return 1 + random_() % 300; }
  std::mt19937 random_{1};
  std::vector<void *> live_;
};

constexpr std::size_t kBatch = 16;

template <class Heap>
void allocate_and_free(benchmark::State & state, std::size_t size, Pieces<Heap> & others) {
  while (state.KeepRunningBatch(kBatch)) {
    time_call(state, [size] {
      void * pieces[kBatch];
      for (void *& memory : pieces) {
        memory = Heap::allocate(size);
      }
      for (void * memory : pieces) {
        Heap::deallocate(memory);
      }
    });
    others.replace_one();
  }
}

class Pairs : public Microbenchmarks {
 public:
  Pairs() {
    for (const std::size_t size : kPieces) {
      add(fmt::format("heap.pair.{}", size), kAsManyAsNeeded,
          [this, size](benchmark::State & state) { allocate_and_free(state, size, *ours_); });
      add(fmt::format("heap.malloc.{}", size), kAsManyAsNeeded,
          [this, size](benchmark::State & state) { allocate_and_free(state, size, *malloc_); });
    }
  }

  Samples ping(const Burst & burst) override {
    ours_.emplace();
    malloc_.emplace();
    Samples samples = Microbenchmarks::ping(burst);
    ours_.reset();  // they are not to count where memory is measured
    malloc_.reset();
    return samples;
  }

 private:
  std::optional<Pieces<Ours>> ours_;
  std::optional<Pieces<Malloc>> malloc_;
};

/// Strings, arrays of PointField, transforms, odometry.
std::size_t short_size(std::mt19937 & random) {
  const unsigned kind = random() % 100;
  return kind < 70   ? 5 + random() % 36
         : kind < 80 ? 40 * (3 + random() % 4)
         : kind < 90 ? 136 * (1 + random() % 6)
                     : 300 + random() % 500;
}

/// Of all kinds: scans, paths, grids, compressed and raw images, clouds.
std::size_t any_size(std::mt19937 & random) {
  const unsigned kind = random() % 1000;
  if (kind < 780) {
    return short_size(random);
  }
  if (kind < 880) {
    return kind < 840 ? 4 * (360 + random() % 1200) : 72 * (1 + random() % 500);
  }
  if (kind < 920) {
    return 100'000 + random() % 200'000;
  }
  constexpr std::size_t kImages[] = {640 * 480, 640 * 480 * 2, 640 * 480 * 3, 1280 * 720 * 3, 1920 * 1080 * 3};
  if (kind < 980) {
    return kImages[random() % std::size(kImages)];
  }
  return kind < 990 ? 32 * (100'000 + random() % 31'072) : kind < 995 ? 640 * 480 * 16 : 384 * 384;
}

/// A heap that is used for long.
class Random : public Contestant {
 public:
  Samples ping(const Burst & burst) override {
    if (result_.empty()) {
      const bool quick = burst.samples < 1'000'000;
      play("heap.short", short_size, burst.samples, (quick ? 4 : 48) * kMebibyte);
      play("heap.any", any_size, burst.samples, (quick ? 48 : 480) * kMebibyte);
    }
    return result_;
  }

 private:
  /// The greatest memory in use for the live bytes, from when these have reached their limit.
  void play(const std::string & name, std::size_t (*size_of)(std::mt19937 &), std::size_t count, std::size_t limit) {
    struct Piece {
      void * memory;
      std::size_t size;
    };
    std::mt19937 random(1);
    std::vector<Piece> pieces;
    std::size_t live = 0;
    std::size_t highest = 0;
    bool full = false;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t size = size_of(random);
      while (live + size > limit) {
        full = true;
        std::swap(pieces[random() % pieces.size()], pieces.back());
        live -= pieces.back().size;
        tandem::deallocate(pieces.back().memory);
        pieces.pop_back();
      }
      pieces.push_back({allocate(size), size});
      live += size;
      if (full && i % 1000 == 0) {
        // In proportion to the limit, since at most one message is missing to it.
        const double ratio = static_cast<double>(tandem::heap_statistics().committed) / static_cast<double>(live);
        highest = std::max(highest, static_cast<std::size_t>(ratio * static_cast<double>(limit)));
      }
    }
    for (const Piece & piece : pieces) {
      tandem::deallocate(piece.memory);
    }
    result_[name + ".memory"] = {static_cast<double>(highest)};
    result_[name + ".live"] = {static_cast<double>(limit)};
  }

  Samples result_;
};

std::unique_ptr<Contestant> make(const std::string & name, const Role &) {
  if (name == "heap.random") {
    return std::make_unique<Random>();
  }
  return std::make_unique<Pairs>();
}

}  // namespace

Suite heap_suite(const Length & length) {
  Suite suite{"heap", 0, make};
  suite.contests = {{"heap.pairs", length.repetitions(25)}, {"heap.random", length.samples(10'000'000)}};
  for (const std::size_t piece : kPieces) {
    const std::string size = std::to_string(piece);
    const std::string what = "heap: allocate and free " + size + " B";
    suite.figures.push_back({"heap.pair." + size, what});
    suite.figures.push_back({"heap.malloc." + size, "malloc and free " + size + " B"});
    suite.targets.push_back({what, "heap.pair." + size, "", 15});
    suite.targets.push_back({what + " / malloc", "heap.pair." + size, "heap.malloc." + size, 0});
  }
  suite.targets.push_back({"heap: memory / live bytes, short pieces", "heap.short.memory", "heap.short.live", 1.3});
  suite.targets.push_back({"heap: memory / live bytes, all sizes", "heap.any.memory", "heap.any.live", 1.3});
  return suite;
}

}  // namespace bench
