// See payload.hpp.
#include "payload.hpp"

#include <cstring>

namespace performance_test {
namespace {

constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15;
constexpr std::size_t kWord = sizeof(std::uint64_t);

/// Four independent sums, so that the processor is not held up by one chain of multiplications.
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t sequence) noexcept {
  std::uint64_t lane[4] = {sequence, ~sequence, sequence * kPrime, kPrime};
  std::size_t at = 0;
  for (; at + 4 * kWord <= bytes.size(); at += 4 * kWord) {
    std::uint64_t word[4];
    std::memcpy(word, bytes.data() + at, sizeof(word));
    for (int i = 0; i < 4; ++i) lane[i] = lane[i] * kPrime + word[i];
  }
  std::uint64_t sum = (lane[0] ^ lane[1] * 3) + (lane[2] ^ lane[3] * 5);
  for (; at < bytes.size(); ++at) sum = sum * kPrime + static_cast<std::uint64_t>(bytes[at]);
  return sum;
}

}  // namespace

void fill_payload(std::span<std::byte> payload, std::uint64_t sequence) noexcept {
  const auto rest = payload.subspan(kSmallestPayload);
  std::uint64_t word = sequence * kPrime;
  std::size_t at = 0;
  for (; at + kWord <= rest.size(); at += kWord, word += kPrime) std::memcpy(rest.data() + at, &word, kWord);
  std::memcpy(rest.data() + at, &word, rest.size() - at);
  const std::uint64_t head[2] = {sequence, checksum(rest, sequence)};
  std::memcpy(payload.data(), head, sizeof(head));
}

PayloadState check_payload(std::span<const std::byte> payload, std::uint64_t sequence) noexcept {
  std::uint64_t head[2];
  if (payload.size() < sizeof(head)) return PayloadState::kUnfilled;
  std::memcpy(head, payload.data(), sizeof(head));
  if (head[0] == 0 && head[1] == 0) return PayloadState::kUnfilled;
  if (head[0] != sequence) return PayloadState::kTorn;
  return head[1] == checksum(payload.subspan(kSmallestPayload), sequence) ? PayloadState::kGood : PayloadState::kTorn;
}

}  // namespace performance_test
