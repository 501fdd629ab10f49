// What stands between the encapsulation and the body of requests and replies.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tandem/kit/request_header.hpp"

namespace tandem::transport {
namespace {

constexpr RequestHeader kAll[] = {RequestHeader::kWhole, RequestHeader::kShort, RequestHeader::kNative};

RequestId some_id() {
  RequestId id{{}, 0x0102030405060708};
  std::iota(id.client.begin(), id.client.end(), std::uint8_t{0x40});
  return id;
}

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> all;
  for (const int value : values) {
    all.push_back(static_cast<std::byte>(value));
  }
  return all;
}

TEST(RequestHeader, KeepsTheBodyAligned) {
  for (const RequestHeader header : kAll) {
    EXPECT_EQ(size_of(header) % 8, 0u);
  }
}

TEST(RequestHeader, ComesBackWithTheBody) {
  const auto cdr = bytes({0, 1, 0, 0, 7, 8, 9, 10, 11});
  for (const RequestHeader header : kAll) {
    std::vector<std::byte> memory(size_of(header));
    memory.insert(memory.end(), cdr.begin(), cdr.end());
    write_request_header(header, some_id(), memory.data());
    const auto id = read_request_header(header, memory.data(), memory.size());
    ASSERT_TRUE(id);
    if (header != RequestHeader::kNative) {
      EXPECT_EQ(id->client, client_in(header, some_id().client));
      EXPECT_EQ(id->sequence, some_id().sequence);
    }
    std::vector<std::byte> body(cdr.size());
    copy_without_header(header, memory.data(), memory.size(), body.data());
    EXPECT_EQ(body, cdr);
  }
}

TEST(RequestHeader, ShortIsThatOfStockNodesOverCyclone) {
  auto memory = bytes({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 5});
  write_request_header(RequestHeader::kShort, {{1, 2, 3, 4, 5, 6, 7, 8}, 9}, memory.data());
  EXPECT_EQ(memory, bytes({0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0, 5}));
}

TEST(RequestHeader, ShortFoldsOnce) {
  const Gid whole = some_id().client;
  const Gid folded = client_in(RequestHeader::kShort, whole);
  EXPECT_NE(folded, whole);
  EXPECT_EQ(client_in(RequestHeader::kShort, folded), folded);
  EXPECT_EQ(client_in(RequestHeader::kWhole, whole), whole);
  Gid other = whole;
  other.back() ^= 1;
  EXPECT_NE(client_in(RequestHeader::kShort, other), folded);
}

TEST(RequestHeader, BigEndianNumbersAreTheSame) {
  const auto little = bytes({0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0});
  const auto big = bytes({0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 9});
  EXPECT_EQ(read_request_header(RequestHeader::kShort, little.data(), little.size()),
            read_request_header(RequestHeader::kShort, big.data(), big.size()));
}

TEST(RequestHeader, TooFewBytesAreNone) {
  const std::vector<std::byte> memory(64);
  for (const RequestHeader header : kAll) {
    for (std::size_t size = 0; size < memory.size(); ++size) {
      EXPECT_EQ(read_request_header(header, memory.data(), size).has_value(), size >= 4 + size_of(header));
    }
  }
}

}  // namespace
}  // namespace tandem::transport
