// Numbers of YAML 1.1, read exactly: each into the type that is asked for.
#include "text/parse_number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <type_traits>

namespace tandem::detail {
namespace {

constexpr const char * kNoNumber = "is no number";
constexpr const char * kNoBool = "is neither true nor false";
constexpr const char * kOutOfRange = "is out of range";

bool take_prefix(std::string_view & text, std::string_view prefix) {
  const bool has = text.size() > prefix.size() && text.substr(0, prefix.size()) == prefix;
  text.remove_prefix(has ? prefix.size() : 0);
  return has;
}

/// Sign and digits of a text without underscores.
struct Split {
  bool is_negative;
  std::string_view rest;
};

Split split_sign(std::string_view text) {
  const bool is_negative = !text.empty() && text[0] == '-';
  text.remove_prefix(is_negative || (!text.empty() && text[0] == '+') ? 1 : 0);
  return {is_negative, text};
}

int take_base(std::string_view & digits) {
  if (take_prefix(digits, "0x") || take_prefix(digits, "0X")) {
    return 16;
  }
  if (take_prefix(digits, "0b")) {
    return 2;
  }
  return take_prefix(digits, "0o") || take_prefix(digits, "0") ? 8 : 10;
}

template <class Float>
std::string parse_float(std::string_view text, Float & value) {
  const Split split = split_sign(text);
  static constexpr std::array kInfinities = {".inf", ".Inf", ".INF", "inf", "Infinity"};
  static constexpr std::array kNotNumbers = {".nan", ".NaN", ".NAN", "nan", "NaN"};
  const auto is_one_of = [&](const auto & words) {
    return std::find(words.begin(), words.end(), split.rest) != words.end();
  };
  if (is_one_of(kInfinities)) {
    value = std::numeric_limits<Float>::infinity();
  } else if (is_one_of(kNotNumbers)) {
    value = std::numeric_limits<Float>::quiet_NaN();
  } else {
    if (split.rest.empty() || !(split.rest[0] == '.' || (split.rest[0] >= '0' && split.rest[0] <= '9'))) {
      return kNoNumber;
    }
    const char * const end = split.rest.data() + split.rest.size();
    const auto [last, error] = std::from_chars(split.rest.data(), end, value);
    if (last != end || error == std::errc::invalid_argument) {
      return kNoNumber;
    }
    if (error == std::errc::result_out_of_range) {
      // Too large is an error. Too small is what is left of it, for long double too.
      const long double wide = std::strtold(std::string(split.rest).c_str(), nullptr);
      if (wide > 1) {
        return kOutOfRange;
      }
      value = static_cast<Float>(wide);
    }
  }
  value = split.is_negative ? -value : value;
  return "";
}

template <class Integer>
std::string parse_whole_float(std::string_view text, Integer & value) {
  long double number = 0;
  if (!parse_float(text, number).empty() || std::trunc(number) != number) {
    return kNoNumber;
  }
  if (number < static_cast<long double>(std::numeric_limits<Integer>::min()) ||
      number > static_cast<long double>(std::numeric_limits<Integer>::max())) {
    return kOutOfRange;
  }
  value = static_cast<Integer>(number);
  return "";
}

template <class Integer>
std::string parse_integer(std::string_view text, Integer & value) {
  const Split split = split_sign(text);
  std::string_view digits = split.rest;
  const int base = take_base(digits);
  std::uint64_t magnitude = 0;
  const char * const end = digits.data() + digits.size();
  const auto [last, error] = std::from_chars(digits.data(), end, magnitude, base);
  if (last != end || digits.empty()) {
    return parse_whole_float(text, value);
  }
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
  const std::uint64_t most = split.is_negative ? (std::is_signed_v<Integer> ? kMost + 1 : 0) : kMost;
  if (error != std::errc() || magnitude > most) {
    return kOutOfRange;
  }
  value = static_cast<Integer>(split.is_negative ? std::uint64_t{0} - magnitude : magnitude);
  return "";
}

std::string parse_bool(std::string_view text, bool & value) {
  static constexpr std::array kTrue = {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "1"};
  static constexpr std::array kFalse = {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "0"};
  value = std::find(kTrue.begin(), kTrue.end(), text) != kTrue.end();
  return value || std::find(kFalse.begin(), kFalse.end(), text) != kFalse.end() ? "" : kNoBool;
}

}  // namespace

template <class Number>
std::string parse_number(const std::string & text, Number & value) {
  std::string digits = text;
  if (text.find_first_of("0123456789") == 0 || text.find_first_of("0123456789") == 1) {
    digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  }
  if constexpr (std::is_same_v<Number, bool>) {
    return parse_bool(digits, value);
  } else if constexpr (std::is_floating_point_v<Number>) {
    std::uint64_t whole = 0;
    const Split split = split_sign(digits);
    if (split.rest.size() > 2 && split.rest[0] == '0' && (split.rest[1] == 'x' || split.rest[1] == 'b') &&
        parse_integer(split.rest, whole).empty()) {
      value = split.is_negative ? -static_cast<Number>(whole) : static_cast<Number>(whole);
      return "";
    }
    return parse_float(digits, value);
  } else {
    return parse_integer(digits, value);
  }
}

template std::string parse_number(const std::string & text, bool & value);
template std::string parse_number(const std::string & text, char16_t & value);
template std::string parse_number(const std::string & text, std::int8_t & value);
template std::string parse_number(const std::string & text, std::uint8_t & value);
template std::string parse_number(const std::string & text, std::int16_t & value);
template std::string parse_number(const std::string & text, std::uint16_t & value);
template std::string parse_number(const std::string & text, std::int32_t & value);
template std::string parse_number(const std::string & text, std::uint32_t & value);
template std::string parse_number(const std::string & text, std::int64_t & value);
template std::string parse_number(const std::string & text, std::uint64_t & value);
template std::string parse_number(const std::string & text, float & value);
template std::string parse_number(const std::string & text, double & value);
template std::string parse_number(const std::string & text, long double & value);

}  // namespace tandem::detail
