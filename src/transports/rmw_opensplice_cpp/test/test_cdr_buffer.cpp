// The memory that OpenSplice's serializer writes into; it needs no SDK. The serializer is played as sd_cdrControl says.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "../src/cdr_buffer.hpp"

namespace {

using opensplice::CdrBuffer;

/// As the serializer does it: fills what it is told is there, and asks for more at its end.
bool write(CdrBuffer & buffer, const std::vector<char> & payload, std::uint32_t expected) {
  char * position = nullptr;
  int there = buffer.init(&position, expected);
  for (std::size_t done = 0; there > 0;) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(position) % 8, 0u);
    EXPECT_EQ(there % 8, 0);
    const std::size_t count = std::min<std::size_t>(static_cast<std::size_t>(there), payload.size() - done);
    std::copy_n(payload.begin() + static_cast<std::ptrdiff_t>(done), count, position);
    done += count;
    position += count;
    if (done == payload.size()) {
      buffer.finalize(position);
      return true;
    }
    there = buffer.grow(&position, 8192);
  }
  return false;
}

std::vector<char> payload_of(std::size_t size) {
  std::vector<char> payload(size);
  std::iota(payload.begin(), payload.end(), '\0');
  return payload;
}

void expect_holds(const CdrBuffer & buffer, const std::vector<char> & payload) {
  const auto bytes = buffer.bytes();
  ASSERT_EQ(bytes.size(), payload.size() + 4);
  EXPECT_EQ(bytes[0], 0);
  EXPECT_EQ(bytes[1], std::endian::native == std::endian::little ? 1 : 0);
  EXPECT_TRUE(std::equal(payload.begin(), payload.end(), bytes.begin() + 4,
                         [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; }));
}

// These sizes overran the heap of OpenSplice's own reader. The sanitizers and valgrind see it if ours does.
TEST(CdrBuffer, HoldsMessagesOfAnySize) {
  CdrBuffer buffer;
  for (const std::size_t size : {1u, 8u, 8192u, 8193u, 20'000u, 100'000u, 10'000'000u, 5u}) {
    ASSERT_TRUE(write(buffer, payload_of(size), 8192));
    expect_holds(buffer, payload_of(size));
  }
}

TEST(CdrBuffer, KeepsItsMemory) {
  CdrBuffer buffer;
  ASSERT_TRUE(write(buffer, payload_of(100'000), 8));
  char * position = nullptr;
  EXPECT_GE(buffer.init(&position, 8), 100'000);
}

TEST(CdrBuffer, IsEmptyUntilAMessageIsWhole) {
  CdrBuffer buffer;
  EXPECT_TRUE(buffer.bytes().empty());
  ASSERT_TRUE(write(buffer, payload_of(3), 8));
  EXPECT_FALSE(buffer.bytes().empty());
  char * position = nullptr;
  ASSERT_GT(buffer.init(&position, 8), 0);
  EXPECT_TRUE(buffer.bytes().empty());
  buffer.finalize(position);
  expect_holds(buffer, {});
  buffer.clear();
  EXPECT_TRUE(buffer.bytes().empty());
}

TEST(CdrBuffer, SaysThatThereIsNoMemory) {
  CdrBuffer buffer;
  char * position = nullptr;
  EXPECT_EQ(buffer.init(&position, 0xffff'ffff), CdrBuffer::kNoMemory);
  EXPECT_EQ(position, nullptr);
  ASSERT_TRUE(write(buffer, payload_of(3), 8));
}

}  // namespace
