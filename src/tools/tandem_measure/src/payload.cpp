// See payload.hpp.
#include "tandem/measure/payload.hpp"

#include <algorithm>
#include <cstring>

namespace tandem::measure {
namespace {

constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15;
constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kSparseWords = 64;

std::uint64_t word_at(std::uint64_t number, std::size_t index) noexcept {
  return (number + index) * kPrime ^ number << 24;
}

/// How far apart the words are that `check` looks at.
std::size_t stride(std::size_t words, Check check) noexcept {
  return check == Check::kFull ? 1 : std::max<std::size_t>(words / kSparseWords, 1);
}

/// The first `words` words, four at a time, so that the processor is not held up by one chain of additions.
/// \return how many were written: all but three at most.
std::size_t write_words(std::byte * bytes, std::size_t words, std::uint64_t number) noexcept {
  constexpr std::size_t kLanes = 4;
  std::uint64_t lane[kLanes];
  for (std::size_t k = 0; k < kLanes; ++k) lane[k] = (number + k) * kPrime;
  std::size_t i = 0;
  for (; i + kLanes <= words; i += kLanes) {
    std::uint64_t word[kLanes];
    for (std::size_t k = 0; k < kLanes; ++k) {
      word[k] = lane[k] ^ number << 24;
      lane[k] += kLanes * kPrime;
    }
    std::memcpy(bytes + i * kWord, word, sizeof(word));
  }
  return i;
}

}  // namespace

void write_pattern(std::span<std::byte> bytes, std::uint64_t number, Check check) noexcept {
  if (check == Check::kNone) return;
  const std::size_t words = bytes.size() / kWord;
  const auto write = [&](std::size_t index, std::size_t length) {
    const std::uint64_t word = word_at(number, index);
    std::memcpy(bytes.data() + index * kWord, &word, length);
  };
  const std::size_t step = stride(words, check);
  for (std::size_t i = step == 1 ? write_words(bytes.data(), words, number) : 0; i < words; i += step) write(i, kWord);
  if (words > 0) write(words - 1, kWord);
  write(words, bytes.size() % kWord);
}

bool has_pattern(std::span<const std::byte> bytes, std::uint64_t number, Check check) noexcept {
  if (check == Check::kNone) return true;
  const std::size_t words = bytes.size() / kWord;
  std::uint64_t difference = 0;
  const auto compare = [&](std::size_t index, std::size_t length) {
    std::uint64_t word = word_at(number, index);
    std::memcpy(&word, bytes.data() + index * kWord, length);
    difference |= word ^ word_at(number, index);
  };
  const std::size_t step = stride(words, check);
  for (std::size_t i = 0; i < words; i += step) compare(i, kWord);
  if (words > 0) compare(words - 1, kWord);
  compare(words, bytes.size() % kWord);
  return difference == 0;
}

void fill_payload(std::span<std::byte> payload, std::uint64_t number) noexcept {
  std::memcpy(payload.data(), &number, sizeof(number));
  write_pattern(payload.subspan(sizeof(number)), number, Check::kFull);
}

PayloadState check_payload(std::span<const std::byte> payload, std::uint64_t number) noexcept {
  std::uint64_t head[2];
  if (payload.size() < sizeof(head)) return PayloadState::kUnfilled;
  std::memcpy(head, payload.data(), sizeof(head));
  if (head[0] == 0 && head[1] == 0) return PayloadState::kUnfilled;
  const bool is_whole = head[0] == number && has_pattern(payload.subspan(sizeof(number)), number, Check::kFull);
  return is_whole ? PayloadState::kGood : PayloadState::kTorn;
}

}  // namespace tandem::measure
