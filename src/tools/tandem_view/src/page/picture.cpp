#include "page/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

namespace tandem::view {
namespace {

/// How a pixel lies in the bytes of a row.
enum class Layout : std::uint8_t { kColours, kUyvy, kYuyv, kBayer, kNumbers };

struct Encoding {
  Layout layout;
  std::uint32_t bytes;         // of a pixel
  std::array<int, 4> offsets;  // of R, G, B, A; -1: opaque. Of kBayer: where in each square of 2 x 2 R, G and B are
  enum : std::uint8_t { kUint8, kUint16, kInt16, kFloat32 } number = kUint8;
};

const std::map<std::string, Encoding, std::less<>> kEncodings = {
    {"rgb8", {Layout::kColours, 3, {0, 1, 2, -1}}},
    {"bgr8", {Layout::kColours, 3, {2, 1, 0, -1}}},
    {"8UC3", {Layout::kColours, 3, {2, 1, 0, -1}}},
    {"rgba8", {Layout::kColours, 4, {0, 1, 2, 3}}},
    {"bgra8", {Layout::kColours, 4, {2, 1, 0, 3}}},
    {"8UC4", {Layout::kColours, 4, {2, 1, 0, 3}}},
    {"mono8", {Layout::kColours, 1, {0, 0, 0, -1}}},
    {"8UC1", {Layout::kColours, 1, {0, 0, 0, -1}}},
    {"uyvy", {Layout::kUyvy, 2, {}}},
    {"yuv422", {Layout::kUyvy, 2, {}}},
    {"yuyv", {Layout::kYuyv, 2, {}}},
    {"yuv422_yuy2", {Layout::kYuyv, 2, {}}},
    {"bayer_rggb8", {Layout::kBayer, 1, {0, 1, 3, -1}}},
    {"bayer_bggr8", {Layout::kBayer, 1, {3, 1, 0, -1}}},
    {"bayer_gbrg8", {Layout::kBayer, 1, {2, 0, 1, -1}}},
    {"bayer_grbg8", {Layout::kBayer, 1, {1, 0, 2, -1}}},
    {"mono16", {Layout::kNumbers, 2, {}, Encoding::kUint16}},
    {"16UC1", {Layout::kNumbers, 2, {}, Encoding::kUint16}},
    {"16SC1", {Layout::kNumbers, 2, {}, Encoding::kInt16}},
    {"32FC1", {Layout::kNumbers, 4, {}, Encoding::kFloat32}},
};

/// An image whose sizes fit together.
struct Source {
  const std::uint8_t * data;
  std::uint32_t width, height, step;
  const Encoding & encoding;
  const std::uint8_t * at(std::uint32_t x, std::uint32_t y) const {
    return data + std::size_t{y} * step + std::size_t{x} * encoding.bytes;
  }
};

char byte(double value) { return static_cast<char>(static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0))); }

void put_yuv(double y, double u, double v, char * pixel) {
  pixel[0] = byte(y + 1.402 * (v - 128));
  pixel[1] = byte(y - 0.344136 * (u - 128) - 0.714136 * (v - 128));
  pixel[2] = byte(y + 1.772 * (u - 128));
}

double number_at(const std::uint8_t * place, const Encoding & encoding) {
  const auto read = [place](auto value) {
    std::memcpy(&value, place, sizeof value);
    return static_cast<double>(value);
  };
  switch (encoding.number) {
    case Encoding::kUint16: return read(std::uint16_t{});
    case Encoding::kInt16: return read(std::int16_t{});
    case Encoding::kFloat32: return read(float{});
    default: return *place;
  }
}

void put_colour(const Source & source, std::uint32_t x, std::uint32_t y, char * pixel) {
  const Encoding & encoding = source.encoding;
  switch (encoding.layout) {
    case Layout::kColours:
      for (std::size_t i = 0; i < 4; ++i) {
        pixel[i] = encoding.offsets[i] < 0 ? '\xff' : static_cast<char>(source.at(x, y)[encoding.offsets[i]]);
      }
      break;
    case Layout::kUyvy: {
      const std::uint8_t * pair = source.at(x & ~1U, y);
      put_yuv(pair[1 + 2 * (x & 1)], pair[0], pair[2], pixel);
      break;
    }
    case Layout::kYuyv: {
      const std::uint8_t * pair = source.at(x & ~1U, y);
      put_yuv(pair[2 * (x & 1)], pair[1], pair[3], pixel);
      break;
    }
    case Layout::kBayer:
      for (std::size_t i = 0; i < 3; ++i) {
        const auto place = static_cast<std::uint32_t>(encoding.offsets[i]);
        pixel[i] = static_cast<char>(*source.at((x & ~1U) + (place & 1), (y & ~1U) + (place >> 1)));
      }
      break;
    case Layout::kNumbers: break;
  }
}

/// Grey from the least number to the greatest; what is no number stays transparent.
void stretch(const std::vector<double> & numbers, std::string & pixels) {
  double least = std::numeric_limits<double>::max();
  double greatest = std::numeric_limits<double>::lowest();
  for (const double each : numbers) {
    if (std::isfinite(each)) {
      least = std::min(least, each);
      greatest = std::max(greatest, each);
    }
  }
  const double scale = greatest > least ? 255 / (greatest - least) : 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool is_number = std::isfinite(numbers[i]);
    const char grey = is_number ? byte((numbers[i] - least) * scale) : '\0';
    pixels[4 * i] = pixels[4 * i + 1] = pixels[4 * i + 2] = grey;
    pixels[4 * i + 3] = is_number ? '\xff' : '\0';
  }
}

}  // namespace

tl::expected<Picture, std::string> picture_of(const sensor_msgs::msg::Image & image, std::uint32_t width,
                                              std::uint32_t height) {
  const auto refuse = [](std::string why) { return tl::unexpected<std::string>(std::move(why)); };
  const std::string name(image.encoding);
  const auto encoding = kEncodings.find(name);
  if (encoding == kEncodings.end()) {
    return refuse(fmt::format("images with the encoding '{}' cannot be shown", name));
  }
  const Source source{image.data.data(), image.width, image.height, image.step, encoding->second};
  const std::size_t size = image.data.size();
  const std::uint64_t row = std::uint64_t{source.width} * source.encoding.bytes;
  // Pairs and squares of pixels are whole.
  const std::uint32_t unit =
      source.encoding.layout == Layout::kColours || source.encoding.layout == Layout::kNumbers ? 1 : 2;
  if (source.width == 0 || source.height == 0 || source.width % unit != 0 || source.height % unit != 0) {
    return refuse(fmt::format("an image of {} x {} pixels cannot be shown", source.width, source.height));
  }
  if (source.step < row || std::uint64_t{source.step} * (source.height - 1) + row > size) {
    return refuse(fmt::format("an image of {} x {} pixels ({}) with a step of {} bytes needs more than its {} bytes",
                              source.width, source.height, name, source.step, size));
  }
  const std::uint32_t every = std::max(
      {1U, (source.width + width - 1) / std::max(width, 1U), (source.height + height - 1) / std::max(height, 1U)});
  Picture picture{(source.width + every - 1) / every, (source.height + every - 1) / every, {}};
  picture.pixels.assign(std::size_t{picture.width} * picture.height * 4, '\xff');
  std::vector<double> numbers;
  char * pixel = picture.pixels.data();
  for (std::uint32_t y = 0; y < source.height; y += every) {
    for (std::uint32_t x = 0; x < source.width; x += every, pixel += 4) {
      if (source.encoding.layout == Layout::kNumbers) {
        numbers.push_back(number_at(source.at(x, y), source.encoding));
      } else {
        put_colour(source, x, y, pixel);
      }
    }
  }
  if (!numbers.empty()) {
    stretch(numbers, picture.pixels);
  }
  return picture;
}

}  // namespace tandem::view
