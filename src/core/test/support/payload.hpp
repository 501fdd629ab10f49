// Messages whose every byte is determined by a few words, so that a torn or reused one is recognised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tandem::test {

inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  return x;
}

/// Layout: counter, tag, size, then words of mix(counter + tag + i). Short messages hold as much of it as fits.
inline void fill(void * memory, std::size_t size, std::uint64_t tag, std::uint64_t counter) {
  const std::uint64_t head[3] = {counter, tag, size};
  std::memcpy(memory, head, size < sizeof head ? size : sizeof head);
  auto * words = static_cast<std::uint64_t *>(memory);
  const std::uint64_t seed = mix(counter * 2 + 1) ^ tag;
  for (std::size_t i = 3; i < size / 8; ++i) {
    words[i] = seed + i;
  }
  for (std::size_t i = size < sizeof head ? size : size / 8 * 8; i < size; ++i) {
    static_cast<std::uint8_t *>(memory)[i] = static_cast<std::uint8_t>(seed + i);
  }
}

/// The counter of a whole message; for messages below 8 bytes its low bytes.
inline std::uint64_t counter_of(const void * memory, std::size_t size) {
  std::uint64_t counter = 0;
  std::memcpy(&counter, memory, size < sizeof counter ? size : sizeof counter);
  return counter;
}

inline bool is_whole(const void * memory, std::size_t size) {
  if (size < 24) {
    return true;
  }
  const auto * words = static_cast<const std::uint64_t *>(memory);
  const std::uint64_t seed = mix(words[0] * 2 + 1) ^ words[1];
  bool same = words[2] == size;
  for (std::size_t i = 3; i < size / 8; ++i) {
    same = same && words[i] == seed + i;
  }
  for (std::size_t i = size / 8 * 8; i < size; ++i) {
    same = same && static_cast<const std::uint8_t *>(memory)[i] == static_cast<std::uint8_t>(seed + i);
  }
  return same;
}

}  // namespace tandem::test
