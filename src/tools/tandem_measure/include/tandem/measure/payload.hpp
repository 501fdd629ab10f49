// Filling and checking payloads: whoever reads a payload while it is being written finds out.
//
// The pattern is one word after the other, each of which depends on the message's number and on its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tandem::measure {

/// How much of a payload is written and read: nothing, some 64 words spread over it with the last byte, every byte.
enum class Check : std::uint8_t { kNone, kSparse, kFull };

// Allocates / locks / system calls: none.

void write_pattern(std::span<std::byte> bytes, std::uint64_t number, Check check) noexcept;
/// Whether the words that `check` looks at are those of the message `number`.
bool has_pattern(std::span<const std::byte> bytes, std::uint64_t number, Check check) noexcept;

enum class PayloadState { kGood, kTorn, kUnfilled };

constexpr std::size_t kSmallestPayload = 16;

/// Writes the number, u64, and the pattern behind it: every byte.
/// \param payload at least kSmallestPayload bytes. \param number not 0.
void fill_payload(std::span<std::byte> payload, std::uint64_t number) noexcept;

/// Reads every byte. kUnfilled: nobody called fill_payload().
PayloadState check_payload(std::span<const std::byte> payload, std::uint64_t number) noexcept;

}  // namespace tandem::measure
