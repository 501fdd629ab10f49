// See payload.hpp.
#include "payload.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace lab {
namespace {

constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15;
constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << 40) - 1;
constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kSparseWords = 64;

std::uint64_t word_at(std::uint64_t number, std::size_t index) noexcept {
  return (number + index) * kPrime ^ number << 24;
}

/// How far apart the words are that `check` looks at.
std::size_t stride(std::size_t words, Check check) noexcept {
  return check == Check::kFull ? 1 : std::max<std::size_t>(words / kSparseWords, 1);
}

}  // namespace

void write_pattern(std::span<std::byte> payload, std::uint64_t number, Check check) noexcept {
  if (check == Check::kNone) return;
  std::byte * const rest = payload.data() + kHeadSize;
  const std::size_t size = payload.size() - kHeadSize;
  const std::size_t words = size / kWord;
  const auto write = [&](std::size_t index, std::size_t length) {
    const std::uint64_t word = word_at(number, index);
    std::memcpy(rest + index * kWord, &word, length);
  };
  const std::size_t step = stride(words, check);
  for (std::size_t i = 0; i < words; i += step) write(i, kWord);
  if (words > 0) write(words - 1, kWord);
  write(words, size % kWord);
}

void write_head(std::span<std::byte> payload, const Head & head) noexcept {
  const auto lateness = static_cast<std::uint64_t>(std::clamp<std::int64_t>(head.lateness_us, 0, (1 << 24) - 1));
  const std::uint64_t first = (head.number & kNumberMask) | lateness << 40;
  std::memcpy(payload.data(), &first, sizeof(first));
  std::memcpy(payload.data() + sizeof(first), &head.sent_ns, sizeof(head.sent_ns));
}

Head head_of(const Arrival & arrival) {
  if (arrival.payload.size() < kHeadSize) throw std::runtime_error("a message came that no lab_peer has sent");
  return read_head(arrival.payload);
}

Head read_head(std::span<const std::byte> payload) noexcept {
  std::uint64_t first = 0;
  Head head;
  std::memcpy(&first, payload.data(), sizeof(first));
  std::memcpy(&head.sent_ns, payload.data() + sizeof(first), sizeof(head.sent_ns));
  head.number = first & kNumberMask;
  head.lateness_us = static_cast<std::int64_t>(first >> 40);
  return head;
}

bool is_whole(std::span<const std::byte> payload, std::uint64_t number, Check check) noexcept {
  if (check == Check::kNone) return true;
  if (read_head(payload).number != number) return false;
  const std::byte * const rest = payload.data() + kHeadSize;
  const std::size_t size = payload.size() - kHeadSize;
  const std::size_t words = size / kWord;
  std::uint64_t difference = 0;
  const auto compare = [&](std::size_t index, std::size_t length) {
    std::uint64_t word = word_at(number, index);
    std::memcpy(&word, rest + index * kWord, length);
    difference |= word ^ word_at(number, index);
  };
  const std::size_t step = stride(words, check);
  for (std::size_t i = 0; i < words; i += step) compare(i, kWord);
  if (words > 0) compare(words - 1, kWord);
  compare(words, size % kWord);
  return difference == 0;
}

}  // namespace lab
