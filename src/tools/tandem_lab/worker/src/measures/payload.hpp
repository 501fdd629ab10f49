// What a payload holds, and how a reader finds out that it changed while it was read.
//
//   u64 number | lateness << 40     i64 send stamp, ns     words that depend on the number
//
// The number's low 32 bits count from 1, warm-up included; the 8 bits above are the spec's `source`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "links/link.hpp"
#include "trial/spec.hpp"

namespace lab {

constexpr std::size_t kHeadSize = 16;

struct Head {
  std::uint64_t number = 0;      ///< source and sequence: the low 40 bits
  std::int64_t lateness_us = 0;  ///< by how much the message was sent later than it was due; at most 16.7 s
  std::int64_t sent_ns = 0;

  std::uint64_t sequence() const noexcept { return number & 0xffff'ffff; }
  std::size_t source() const noexcept { return number >> 32 & 0xff; }
};

inline std::uint64_t make_number(std::uint64_t source, std::uint64_t sequence) noexcept {
  return source << 32 | (sequence & 0xffff'ffff);
}

// Allocates / locks / system calls: none. A payload has at least kHeadSize bytes.

/// The words behind the head that `check` will look at; nothing for kNone.
void write_rest(std::span<std::byte> payload, std::uint64_t number, Check check) noexcept;
/// A lateness out of range is the nearest that fits.
void write_head(std::span<std::byte> payload, const Head & head) noexcept;

/// \throws std::runtime_error when the message is too small to be a peer's.
Head head_of(const Arrival & arrival);
Head read_head(std::span<const std::byte> payload) noexcept;
/// Whether the payload still is the message `number`, as far as `check` looks.
bool is_whole(std::span<const std::byte> payload, std::uint64_t number, Check check) noexcept;

}  // namespace lab
