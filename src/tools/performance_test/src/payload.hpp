// Filling and checking payloads: whoever reads a payload while it is being written finds out.
//
//   u64 sequence | u64 checksum of the rest, mixed with the sequence | words that depend on the sequence
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace performance_test {

enum class PayloadState { kGood, kTorn, kUnfilled };

constexpr std::size_t kSmallestPayload = 16;

/// Writes every byte. \param payload at least kSmallestPayload bytes. \param sequence not 0.
void fill_payload(std::span<std::byte> payload, std::uint64_t sequence) noexcept;

/// Reads every byte. kUnfilled: nobody called fill_payload().
PayloadState check_payload(std::span<const std::byte> payload, std::uint64_t sequence) noexcept;

}  // namespace performance_test
