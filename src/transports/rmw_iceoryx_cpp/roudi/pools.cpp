#include "pools.hpp"

#include <sys/statvfs.h>

#include <algorithm>
#include <numeric>

namespace iceoryx {
namespace {

constexpr std::uint64_t kKilo = 1024;
constexpr std::uint64_t kMega = 1024 * kKilo;
constexpr std::uint64_t kAround = 512;  // our header, alignment and what users add to a round size
constexpr std::uint64_t kHeader = 64;   // iceoryx' own, rounded up
constexpr std::uint64_t kFewest = 5;    // chunks of one size, less is of little use: a queue and a loan on each side

struct Share {
  std::uint64_t size;
  std::uint64_t weight;
};
constexpr Share kShares[] = {{256, 2},    {2 * kKilo, 4},  {16 * kKilo, 5},  {64 * kKilo, 6}, {256 * kKilo, 8},
                             {kMega, 10}, {4 * kMega, 17}, {16 * kMega, 24}, {64 * kMega, 40}};

}  // namespace

std::vector<Pool> pools_for(std::uint64_t budget) {
  std::vector<Share> shares(std::begin(kShares), std::end(kShares));
  for (;; shares.pop_back()) {
    const auto all = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0},
                                     [](std::uint64_t sum, const Share & share) { return sum + share.weight; });
    std::vector<Pool> pools;
    for (const Share & share : shares) {
      const std::uint64_t size = share.size + kAround;
      pools.push_back({size, budget / all * share.weight / (size + kHeader)});
    }
    if (shares.size() == 1 || pools.back().count >= kFewest) {
      pools.front().count = std::max<std::uint64_t>(pools.front().count, 1);
      return pools;
    }
  }
}

std::uint64_t budget_here() {
  struct statvfs memory {};
  if (statvfs("/dev/shm", &memory) != 0) {
    return 16 * kMega;
  }
  return std::min(std::uint64_t{memory.f_bavail} * memory.f_frsize / 4, 1024 * kMega);
}

std::string to_toml(const std::vector<Pool> & pools) {
  std::string text = "[general]\nversion = 1\n\n[[segment]]\n";
  for (const Pool & pool : pools) {
    text +=
        "\n[[segment.mempool]]\nsize = " + std::to_string(pool.size) + "\ncount = " + std::to_string(pool.count) + "\n";
  }
  return text;
}

}  // namespace iceoryx
