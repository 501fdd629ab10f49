// The copy of publish_copy(): every byte, and none beyond, below and above the size from which it is streamed.
#include "copy_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "harness.hpp"

namespace tandem::test {
namespace {

TEST(CopyMessage, CopiesEveryByteAndNoneBeyond) {
  constexpr std::size_t kBeyond = 128;
  constexpr std::size_t kOffset = 3;  // of the source: a message of the user's lies anywhere
  std::mt19937 random(seed());
  std::vector<std::uint8_t> from(kLeastStreamed + 2000);
  std::generate(from.begin(), from.end(), [&random] { return static_cast<std::uint8_t>(random()); });
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kLeastStreamed - 1, kLeastStreamed, kLeastStreamed + 1,
                                 kLeastStreamed + 63, kLeastStreamed + 64, kLeastStreamed + 1111}) {
    std::vector<std::uint8_t> memory(size + kBeyond + 64, 0xA5);
    auto * const to = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64);
    copy_message(to, from.data() + kOffset, size);
    EXPECT_EQ(std::memcmp(to, from.data() + kOffset, size), 0) << size;
    EXPECT_TRUE(std::all_of(to + size, memory.data() + memory.size(), [](std::uint8_t b) { return b == 0xA5; }))
        << size;
  }
}

}  // namespace
}  // namespace tandem::test
