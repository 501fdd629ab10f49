// What is written is found; what was changed, too.
#include <gtest/gtest.h>

#include <vector>

#include "measures/payload.hpp"

namespace lab {
namespace {

TEST(Payload, HeadSurvives) {
  std::vector<std::byte> payload(16);
  write_head(payload, {make_number(3, 7), 1234, 5678});
  const Head head = read_head(payload);
  EXPECT_EQ(head.sequence(), 7U);
  EXPECT_EQ(head.source(), 3U);
  EXPECT_EQ(head.lateness_us, 1234);
  EXPECT_EQ(head.sent_ns, 5678);
}

TEST(Payload, LatenessIsClamped) {
  std::vector<std::byte> payload(16);
  write_head(payload, {1, 100'000'000, 0});
  EXPECT_EQ(read_head(payload).lateness_us, (1 << 24) - 1);
  write_head(payload, {1, -5, 0});
  EXPECT_EQ(read_head(payload).lateness_us, 0);
  EXPECT_EQ(read_head(payload).number, 1U);
}

TEST(Payload, AnyChangedByteIsFoundByTheFullCheck) {
  for (const std::size_t size : {17, 23, 24, 31, 1000}) {
    std::vector<std::byte> payload(size);
    write_rest(payload, 9, Check::kFull);
    write_head(payload, {9, 0, 1});
    EXPECT_TRUE(is_whole(payload, 9, Check::kFull)) << size;
    EXPECT_TRUE(is_whole(payload, 9, Check::kSparse)) << size;
    for (std::size_t i = kHeadSize; i < size; ++i) {
      payload[i] ^= std::byte{1};
      EXPECT_FALSE(is_whole(payload, 9, Check::kFull)) << size << " " << i;
      payload[i] ^= std::byte{1};
    }
  }
}

TEST(Payload, SparseCheckSeesAnotherMessageAndTheLastByte) {
  std::vector<std::byte> payload(1 << 20);
  write_rest(payload, 9, Check::kSparse);
  write_head(payload, {9, 0, 1});
  EXPECT_TRUE(is_whole(payload, 9, Check::kSparse));
  EXPECT_FALSE(is_whole(payload, 10, Check::kSparse));
  payload.back() ^= std::byte{1};
  EXPECT_FALSE(is_whole(payload, 9, Check::kSparse));
  EXPECT_TRUE(is_whole(payload, 9, Check::kNone));
}

TEST(Payload, HeadOfTheNextMessageOverAnOldPatternIsTorn) {
  std::vector<std::byte> payload(256);
  write_rest(payload, 1, Check::kSparse);
  write_head(payload, {2, 0, 1});
  EXPECT_FALSE(is_whole(payload, 2, Check::kSparse));
  EXPECT_FALSE(is_whole(payload, 1, Check::kSparse));
}

TEST(Payload, StrangersMessageIsRefused) { EXPECT_THROW(head_of(Arrival{}), std::runtime_error); }

}  // namespace
}  // namespace lab
