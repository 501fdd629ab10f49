// One message as the page gets it.
//
// A tree is JSON. The others are binary: opcode, uint32 watch, uint64 time in ns, uint32 messages skipped so far; then
//   0x80 picture     uint32 width, height, width and height of the image; RGBA
//   0x81 compressed  uint32 length, its format as text; the bytes as they came
//   0x82 points      uint32 count, total, 1 if coloured; see points.hpp
#pragma once

#include <cstdint>
#include <string>

#include <tl/expected.hpp>

#include "connection/sender.hpp"
#include "world/readers.hpp"

namespace tandem::view {

struct ShownOptions {
  std::uint32_t width = 640;  ///< of pictures, at most
  std::uint32_t height = 480;
  std::uint32_t points = 20000;  ///< at most
};

/// Whether messages of the channel can be shown as a "tree", a "picture" or "points".
bool can_show(const std::string & as, const Channel & channel);

/// \pre can_show(as, ...). \return an error that says why this message cannot be shown.
tl::expected<Frame, std::string> shown_message(const std::string & as, const Delivery & delivery, std::uint32_t watch,
                                               std::uint64_t skipped, const ShownOptions & options);

}  // namespace tandem::view
