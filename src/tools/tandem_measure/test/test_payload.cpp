// What is written is found; what was changed, too. And what an id carries.
#include "tandem/measure/payload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tandem/measure/message_id.hpp"

namespace tandem::measure {
namespace {

TEST(MessageId, CarriesSequenceAndLateness) {
  const std::uint64_t id = make_id(123456789, 1'234'567);
  EXPECT_EQ(number_of(id), 123456789U);
  EXPECT_EQ(late_ns_of(id), 1'234'000);
  EXPECT_EQ(late_ns_of(make_id(1, -5)), 0);
  EXPECT_EQ(number_of(make_id(7, INT64_MAX)), 7U);
  EXPECT_EQ(make_id(7, 0), 7U);
}

class Payload : public testing::TestWithParam<std::size_t> {};

TEST_P(Payload, IsGoodAsWrittenAndTornWhenAnyByteDiffers) {
  std::vector<std::byte> payload(GetParam());
  EXPECT_EQ(check_payload(payload, 5), PayloadState::kUnfilled);
  fill_payload(payload, 5);
  EXPECT_EQ(check_payload(payload, 5), PayloadState::kGood);
  EXPECT_EQ(check_payload(payload, 6), PayloadState::kTorn);
  for (std::size_t i = 0; i < payload.size(); ++i) {
    payload[i] ^= std::byte{0x10};
    ASSERT_EQ(check_payload(payload, 5), PayloadState::kTorn) << "byte " << i;
    payload[i] ^= std::byte{0x10};
  }
  EXPECT_EQ(check_payload(payload, 5), PayloadState::kGood);
}

TEST_P(Payload, MixOfTwoMessagesIsTorn) {
  std::vector<std::byte> old_one(GetParam()), new_one(GetParam());
  fill_payload(old_one, 5);
  fill_payload(new_one, 6);
  for (std::size_t cut = 1; cut < old_one.size(); ++cut) {
    auto mixed = new_one;
    std::copy(old_one.begin() + cut, old_one.end(), mixed.begin() + cut);
    if (mixed == new_one || mixed == old_one) continue;
    ASSERT_EQ(check_payload(mixed, 6), PayloadState::kTorn) << "cut at " << cut;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Payload, testing::Values(16, 17, 24, 48, 72, 1023));

TEST(Pattern, AnyChangedByteIsFoundByTheFullCheck) {
  for (const std::size_t size : {0, 1, 7, 8, 15, 31, 32, 33, 984}) {
    std::vector<std::byte> bytes(size);
    write_pattern(bytes, 9, Check::kFull);
    EXPECT_TRUE(has_pattern(bytes, 9, Check::kFull)) << size;
    EXPECT_TRUE(has_pattern(bytes, 9, Check::kSparse)) << size;
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] ^= std::byte{1};
      EXPECT_FALSE(has_pattern(bytes, 9, Check::kFull)) << size << " " << i;
      bytes[i] ^= std::byte{1};
    }
  }
}

TEST(Pattern, SparseCheckSeesAnotherMessageAndTheLastByte) {
  std::vector<std::byte> bytes(1 << 20);
  write_pattern(bytes, 9, Check::kSparse);
  EXPECT_TRUE(has_pattern(bytes, 9, Check::kSparse));
  EXPECT_FALSE(has_pattern(bytes, 9, Check::kFull));
  EXPECT_FALSE(has_pattern(bytes, 10, Check::kSparse));
  bytes.back() ^= std::byte{1};
  EXPECT_FALSE(has_pattern(bytes, 9, Check::kSparse));
}

TEST(Pattern, FullWritingHoldsWhatTheSparseCheckReads) {
  std::vector<std::byte> bytes(100'003);
  write_pattern(bytes, 9, Check::kFull);
  EXPECT_TRUE(has_pattern(bytes, 9, Check::kSparse));
}

TEST(Pattern, NoneWritesAndReadsNothing) {
  std::vector<std::byte> bytes(100);
  write_pattern(bytes, 9, Check::kNone);
  EXPECT_EQ(bytes, std::vector<std::byte>(100));
  EXPECT_TRUE(has_pattern(bytes, 9, Check::kNone));
  EXPECT_FALSE(has_pattern(bytes, 9, Check::kSparse));
}

}  // namespace
}  // namespace tandem::measure
