// HdrHistogram's V2 encoding: base64 of {cookie, length, zlib of {header, counts}}; numbers are big-endian.
//
//   outer    u32 0x1c849314 | u32 bytes that follow | zlib stream
//   inner    u32 0x1c849313 | u32 bytes of counts | u32 index offset (0) | u32 digits | i64 lowest | i64 highest
//            | f64 ratio (1.0) | counts
//   counts   ZigZag LEB128 of at most 9 bytes, the ninth with 8 bits; a negative number is a run of empty counters
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "tandem/measure/histogram.hpp"

namespace tandem::measure {
namespace {

constexpr std::uint32_t kCookie = 0x1c849313;
constexpr std::uint32_t kCompressedCookie = 0x1c849314;
constexpr std::size_t kHeaderSize = 40;
constexpr std::size_t kLargestInner = std::size_t{16} << 20;
constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

[[noreturn]] void refuse(const char * reason) {
  throw std::invalid_argument(std::string("not an HdrHistogram V2 histogram: ") + reason);
}

template <class T>
void put(std::string & out, T value) {
  for (int shift = (sizeof(T) - 1) * 8; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>((static_cast<std::uint64_t>(value) >> shift) & 0xff));
  }
}

template <class T>
T get(std::string_view in, std::size_t at) {
  if (in.size() < at + sizeof(T)) refuse("too short");
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) value = value << 8 | static_cast<std::uint8_t>(in[at + i]);
  return static_cast<T>(value);
}

void put_zigzag(std::string & out, std::int64_t value) {
  std::uint64_t rest = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  for (int i = 0; i < 8 && rest > 0x7f; ++i, rest >>= 7) out.push_back(static_cast<char>((rest & 0x7f) | 0x80));
  out.push_back(static_cast<char>(rest));
}

std::int64_t get_zigzag(std::string_view in, std::size_t & at) {
  std::uint64_t value = 0;
  for (int i = 0; i < 9; ++i) {
    if (at == in.size()) refuse("a count is cut off");
    const auto byte = static_cast<std::uint8_t>(in[at++]);
    value |= static_cast<std::uint64_t>(i == 8 ? byte : byte & 0x7f) << (7 * i);
    if (i == 8 || byte < 0x80) break;
  }
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

std::string to_base64(std::string_view in) {
  std::string out;
  for (std::size_t i = 0; i < in.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < in.size() ? static_cast<std::uint8_t>(in[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out.push_back(i + k > in.size() ? '=' : kBase64[word >> (18 - 6 * k) & 63]);
  }
  return out;
}

std::string from_base64(std::string_view in) {
  while (!in.empty() && in.back() == '=') in.remove_suffix(1);
  std::string out;
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : in) {
    const auto digit = kBase64.find(c);
    if (digit == std::string_view::npos) refuse("a character that is not base64");
    word = (word << 6 | static_cast<std::uint32_t>(digit)) & 0xffffff;
    bits += 6;
    if (bits >= 8) out.push_back(static_cast<char>(word >> (bits -= 8) & 0xff));
  }
  return out;
}

std::string deflated(const std::string & in) {
  uLongf size = compressBound(in.size());
  std::string out(size, '\0');
  const auto * source = reinterpret_cast<const Bytef *>(in.data());
  if (compress(reinterpret_cast<Bytef *>(out.data()), &size, source, in.size()) != Z_OK) {
    throw std::runtime_error("zlib could not compress a histogram");
  }
  out.resize(size);
  return out;
}

std::string inflated(std::string_view in) {
  std::string out(1 << 16, '\0');
  for (;;) {
    uLongf size = out.size();
    const auto * source = reinterpret_cast<const Bytef *>(in.data());
    const int result = uncompress(reinterpret_cast<Bytef *>(out.data()), &size, source, in.size());
    if (result == Z_OK) {
      out.resize(size);
      return out;
    }
    if (result != Z_BUF_ERROR || out.size() >= kLargestInner) refuse("its compressed part is damaged");
    out.resize(out.size() * 4);
  }
}

}  // namespace

void Histogram::put_counts(std::string & out) const {
  for (std::size_t i = 0; i < used_;) {
    if (counts_[i] != 0) {
      put_zigzag(out, static_cast<std::int64_t>(counts_[i++]));
      continue;
    }
    std::int64_t empty = 0;
    for (; i < used_ && counts_[i] == 0; ++i) ++empty;
    put_zigzag(out, empty == 1 ? 0 : -empty);
  }
}

std::string Histogram::encode() const {
  std::string counts;
  put_counts(counts);
  std::string inner;
  put(inner, kCookie);
  put(inner, static_cast<std::uint32_t>(counts.size()));
  put(inner, std::uint32_t{0});
  put(inner, static_cast<std::uint32_t>(range_.digits));
  put(inner, range_.lowest);
  put(inner, range_.highest);
  put(inner, std::bit_cast<std::uint64_t>(1.0));
  const std::string packed = deflated(inner + counts);
  std::string outer;
  put(outer, kCompressedCookie);
  put(outer, static_cast<std::uint32_t>(packed.size()));
  return to_base64(outer + packed);
}

void Histogram::take_counts(std::string_view bytes) {
  std::size_t index = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::int64_t count = get_zigzag(bytes, at);
    const std::uint64_t step = count < 0 ? -static_cast<std::uint64_t>(count) : 1;
    if (step > counts_.size() - index) refuse("more counts than its range has");
    if (count > 0) {
      // The first and the last one set minimum and maximum.
      record(std::min(lowest_at(index), range_.highest), static_cast<std::uint64_t>(count));
      max_ = std::max(max_, std::min(highest_at(index), range_.highest));
    }
    index += step;
  }
}

Histogram Histogram::decode(std::string_view text) {
  const std::string outer = from_base64(text);
  if (get<std::uint32_t>(outer, 0) != kCompressedCookie) refuse("wrong cookie");
  if (get<std::uint32_t>(outer, 4) != outer.size() - 8) refuse("wrong length");
  const std::string inner = inflated(std::string_view(outer).substr(8));
  if (inner.size() < kHeaderSize || get<std::uint32_t>(inner, 0) != kCookie) refuse("wrong inner cookie");
  if (get<std::uint32_t>(inner, 8) != 0) refuse("its counters are shifted, which is not supported");
  Range range;
  range.digits = static_cast<int>(get<std::uint32_t>(inner, 12));
  range.lowest = get<std::int64_t>(inner, 16);
  range.highest = get<std::int64_t>(inner, 24);
  Histogram histogram(range);
  // Some writers give the whole of the counters' space, padded with zeros.
  const std::size_t length = get<std::uint32_t>(inner, 4);
  if (length > inner.size() - kHeaderSize) refuse("its counts are cut off");
  histogram.take_counts(std::string_view(inner).substr(kHeaderSize, length));
  return histogram;
}

}  // namespace tandem::measure
