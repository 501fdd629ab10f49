// copy_message(): every byte, and none beyond, below and above the size from which it is streamed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "harness.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

TEST(CopyMessage, CopiesEveryByteAndNoneBeyond) {
  constexpr std::size_t kBeyond = 128;
  constexpr std::size_t kOffset = 3;    // of the source: a message of the user's lies anywhere
  constexpr std::size_t kOffsets = 17;  // of the target: what is appended begins anywhere
  std::mt19937 random(seed());
  std::vector<std::uint8_t> from(kLeastStreamed + 2000);
  std::generate(from.begin(), from.end(), [&random] { return static_cast<std::uint8_t>(random()); });
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kLeastStreamed - 1, kLeastStreamed, kLeastStreamed + 1,
                                 kLeastStreamed + 63, kLeastStreamed + 64, kLeastStreamed + 1111}) {
    const std::size_t before = random() % kOffsets;
    std::vector<std::uint8_t> memory(before + size + kBeyond, 0xA5);
    std::uint8_t * const to = memory.data() + before;
    copy_message(to, from.data() + kOffset, size);
    const auto is_untouched = [](std::uint8_t byte) { return byte == 0xA5; };
    EXPECT_EQ(std::memcmp(to, from.data() + kOffset, size), 0) << size;
    EXPECT_TRUE(std::all_of(memory.data(), to, is_untouched)) << size << " at " << before;
    EXPECT_TRUE(std::all_of(to + size, memory.data() + memory.size(), is_untouched)) << size << " at " << before;
  }
}

}  // namespace
}  // namespace tandem::test
