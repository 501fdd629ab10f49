// A message's id: its number in the low 40 bits. The others say by how many microseconds it was sent later than it was
// due, so that a receiver knows the intended send time too, without another field.
#pragma once

#include <cstdint>

namespace tandem::measure {

constexpr int kNumberBits = 40;

/// \param late_ns 0 when negative; more than 16.7 s count as these.
constexpr std::uint64_t make_id(std::uint64_t number, std::int64_t late_ns) noexcept {
  constexpr std::int64_t kMost = (std::int64_t{1} << (64 - kNumberBits)) - 1;
  const std::int64_t late_us = late_ns < 0 ? 0 : late_ns / 1000;
  return static_cast<std::uint64_t>(late_us < kMost ? late_us : kMost) << kNumberBits |
         (number & ((std::uint64_t{1} << kNumberBits) - 1));
}
constexpr std::uint64_t number_of(std::uint64_t id) noexcept { return id & ((std::uint64_t{1} << kNumberBits) - 1); }
constexpr std::int64_t late_ns_of(std::uint64_t id) noexcept {
  return static_cast<std::int64_t>(id >> kNumberBits) * 1000;
}

}  // namespace tandem::measure
