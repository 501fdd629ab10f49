// Images as a page shows them: RGBA, no larger than asked for.
#pragma once

#include <cstdint>
#include <string>

#include <tl/expected.hpp>

#include "sensor_msgs/msg/image.hpp"

namespace tandem::view {

struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::string pixels;  ///< R, G, B, A of each, row by row
};

/// Every n-th pixel of the image, so that it fits in `width` times `height`. Numbers that are no colours (depth) are
/// stretched between their least and their greatest.
/// \return an error for an encoding that is not known, and for sizes that do not fit together.
tl::expected<Picture, std::string> picture_of(const sensor_msgs::msg::Image & image, std::uint32_t width,
                                              std::uint32_t height);

}  // namespace tandem::view
