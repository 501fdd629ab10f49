// Values of Image's field encoding, and what they mean. All functions are thread-safe.
//
// Beside the names below there are those of OpenCV: <bits><kind>C<channels>, such as 32FC1, for channels without a meaning.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sensor_msgs {
namespace image_encodings {

inline constexpr char RGB8[] = "rgb8";
inline constexpr char RGBA8[] = "rgba8";
inline constexpr char RGB16[] = "rgb16";
inline constexpr char RGBA16[] = "rgba16";
inline constexpr char BGR8[] = "bgr8";
inline constexpr char BGRA8[] = "bgra8";
inline constexpr char BGR16[] = "bgr16";
inline constexpr char BGRA16[] = "bgra16";
inline constexpr char MONO8[] = "mono8";
inline constexpr char MONO16[] = "mono16";

inline constexpr char TYPE_8UC1[] = "8UC1";
inline constexpr char TYPE_8UC2[] = "8UC2";
inline constexpr char TYPE_8UC3[] = "8UC3";
inline constexpr char TYPE_8UC4[] = "8UC4";
inline constexpr char TYPE_8SC1[] = "8SC1";
inline constexpr char TYPE_8SC2[] = "8SC2";
inline constexpr char TYPE_8SC3[] = "8SC3";
inline constexpr char TYPE_8SC4[] = "8SC4";
inline constexpr char TYPE_16UC1[] = "16UC1";
inline constexpr char TYPE_16UC2[] = "16UC2";
inline constexpr char TYPE_16UC3[] = "16UC3";
inline constexpr char TYPE_16UC4[] = "16UC4";
inline constexpr char TYPE_16SC1[] = "16SC1";
inline constexpr char TYPE_16SC2[] = "16SC2";
inline constexpr char TYPE_16SC3[] = "16SC3";
inline constexpr char TYPE_16SC4[] = "16SC4";
inline constexpr char TYPE_32SC1[] = "32SC1";
inline constexpr char TYPE_32SC2[] = "32SC2";
inline constexpr char TYPE_32SC3[] = "32SC3";
inline constexpr char TYPE_32SC4[] = "32SC4";
inline constexpr char TYPE_32FC1[] = "32FC1";
inline constexpr char TYPE_32FC2[] = "32FC2";
inline constexpr char TYPE_32FC3[] = "32FC3";
inline constexpr char TYPE_32FC4[] = "32FC4";
inline constexpr char TYPE_64FC1[] = "64FC1";
inline constexpr char TYPE_64FC2[] = "64FC2";
inline constexpr char TYPE_64FC3[] = "64FC3";
inline constexpr char TYPE_64FC4[] = "64FC4";

inline constexpr char BAYER_RGGB8[] = "bayer_rggb8";
inline constexpr char BAYER_BGGR8[] = "bayer_bggr8";
inline constexpr char BAYER_GBRG8[] = "bayer_gbrg8";
inline constexpr char BAYER_GRBG8[] = "bayer_grbg8";
inline constexpr char BAYER_RGGB16[] = "bayer_rggb16";
inline constexpr char BAYER_BGGR16[] = "bayer_bggr16";
inline constexpr char BAYER_GBRG16[] = "bayer_gbrg16";
inline constexpr char BAYER_GRBG16[] = "bayer_grbg16";

// Names of FourCC and Video4Linux. The two with "422" are older names of the one before them.
inline constexpr char UYVY[] = "uyvy";
inline constexpr char YUV422[] = "yuv422";
inline constexpr char YUYV[] = "yuyv";
inline constexpr char YUV422_YUY2[] = "yuv422_yuy2";
inline constexpr char NV12[] = "nv12";
inline constexpr char NV21[] = "nv21";
inline constexpr char NV24[] = "nv24";

inline constexpr char ABSTRACT_ENCODING_PREFIXES[][5] = {"8UC", "8SC", "16UC", "16SC", "32SC", "32FC", "64FC"};

namespace detail {

enum class Content { kMono, kColor, kColorAlpha, kBayer, kPlanar, kAbstract };

struct Encoding {
  std::string_view name;
  Content content;
  int channels;  // that share a row of the image
  int bits;      // per channel
};

inline constexpr Encoding kEncodings[] = {
    {MONO8, Content::kMono, 1, 8},          {MONO16, Content::kMono, 1, 16},
    {RGB8, Content::kColor, 3, 8},          {BGR8, Content::kColor, 3, 8},
    {RGB16, Content::kColor, 3, 16},        {BGR16, Content::kColor, 3, 16},
    {RGBA8, Content::kColorAlpha, 4, 8},    {BGRA8, Content::kColorAlpha, 4, 8},
    {RGBA16, Content::kColorAlpha, 4, 16},  {BGRA16, Content::kColorAlpha, 4, 16},
    {BAYER_RGGB8, Content::kBayer, 1, 8},   {BAYER_BGGR8, Content::kBayer, 1, 8},
    {BAYER_GBRG8, Content::kBayer, 1, 8},   {BAYER_GRBG8, Content::kBayer, 1, 8},
    {BAYER_RGGB16, Content::kBayer, 1, 16}, {BAYER_BGGR16, Content::kBayer, 1, 16},
    {BAYER_GBRG16, Content::kBayer, 1, 16}, {BAYER_GRBG16, Content::kBayer, 1, 16},
    {UYVY, Content::kColor, 2, 8},          {YUV422, Content::kColor, 2, 8},
    {YUYV, Content::kColor, 2, 8},          {YUV422_YUY2, Content::kColor, 2, 8},
    {NV12, Content::kPlanar, 1, 8},         {NV21, Content::kPlanar, 1, 8},
    {NV24, Content::kPlanar, 2, 8},
};

// OpenCV's names: 8, 16, 32 or 64; U, S or F; C; nothing or a number of at most 4 digits.
inline bool parse_abstract(std::string_view name, Encoding & encoding) {
  for (const int bits : {8, 16, 32, 64}) {
    const std::string prefix = std::to_string(bits);
    if (name.substr(0, prefix.size()) != prefix) {
      continue;
    }
    const std::string_view rest = name.substr(prefix.size());
    if (rest.size() < 2 || rest.size() > 6 || rest.find_first_of("USF") != 0 || rest[1] != 'C' ||
        rest.find_first_not_of("0123456789", 2) != std::string_view::npos) {
      return false;
    }
    encoding = {name, Content::kAbstract, rest.size() == 2 ? 1 : 0, bits};
    for (const char digit : rest.substr(2)) {
      encoding.channels = encoding.channels * 10 + (digit - '0');
    }
    return true;
  }
  return false;
}

inline bool find(std::string_view name, Encoding & encoding) {
  for (const Encoding & known : kEncodings) {
    if (known.name == name) {
      encoding = known;
      return true;
    }
  }
  return parse_abstract(name, encoding);
}

inline Encoding get(std::string_view name) {
  Encoding encoding{};
  if (!find(name, encoding)) {
    throw std::runtime_error("Unknown encoding " + std::string(name));
  }
  return encoding;
}

inline bool has_content(std::string_view name, Content content) {
  Encoding encoding{};
  return find(name, encoding) && encoding.content == content;
}

}  // namespace detail

/// Whether the channels are known to be colours; not so for Bayer patterns and OpenCV's names.
inline bool isColor(std::string_view encoding) {
  using detail::Content;
  return detail::has_content(encoding, Content::kColor) || detail::has_content(encoding, Content::kColorAlpha) ||
         detail::has_content(encoding, Content::kPlanar);
}

/// Whether there is one channel and it is known to be brightness.
inline bool isMono(std::string_view encoding) { return detail::has_content(encoding, detail::Content::kMono); }

inline bool isBayer(std::string_view encoding) { return detail::has_content(encoding, detail::Content::kBayer); }

inline bool hasAlpha(std::string_view encoding) { return detail::has_content(encoding, detail::Content::kColorAlpha); }

/// Whether brightness and colour lie in planes one after the other: NV12, NV21, NV24.
inline bool isPlanar(std::string_view encoding) { return detail::has_content(encoding, detail::Content::kPlanar); }

/// Rows of the buffer per row of the image: 1.5 for NV12 and NV21, whose second plane has half the rows; else 1.
inline float getHeightScaling(std::string_view encoding) { return encoding == NV12 || encoding == NV21 ? 1.5F : 1.0F; }

/// Channels of a row of the (first) plane. \throws std::runtime_error for an unknown encoding.
inline int numChannels(std::string_view encoding) { return detail::get(encoding).channels; }

/// Bits per channel. \throws std::runtime_error for an unknown encoding.
inline int bitDepth(std::string_view encoding) { return detail::get(encoding).bits; }

}  // namespace image_encodings
}  // namespace sensor_msgs
