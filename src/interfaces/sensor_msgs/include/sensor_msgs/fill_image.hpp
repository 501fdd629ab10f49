// Filling an Image from a buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "sensor_msgs/image_encodings.hpp"
#include "sensor_msgs/msg/image.hpp"

namespace sensor_msgs {

/// Copies `rows * step` bytes from `data` into the image, little-endian, and sets all fields but the header.
/// \return true. Errors: std::bad_alloc.
inline bool fillImage(msg::Image & image, const std::string & encoding, std::uint32_t rows, std::uint32_t cols,
                      std::uint32_t step, const void * data) {
  const std::size_t size = std::size_t{step} * rows;
  image.encoding = encoding;
  image.height = rows;
  image.width = cols;
  image.step = step;
  image.is_bigendian = 0;
  image.data.resize(size);
  if (size != 0) {
    std::memcpy(image.data.data(), data, size);
  }
  return true;
}

/// Removes the data; all other fields stay.
inline void clearImage(msg::Image & image) { image.data.resize(0); }

}  // namespace sensor_msgs
