// What is in the messages of the contests of bags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace bench {

/// Bytes that compress as a picture does: a gradient, with three bits of noise in every other 4 KiB. The last one is not 0.
inline std::vector<std::uint8_t> make_picture(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::minstd_rand noise(1);
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::uint8_t>((i >> 14) + ((i >> 12) % 2) * ((noise() >> 16) % 8));
  }
  bytes.back() |= 1;
  return bytes;
}

}  // namespace bench
