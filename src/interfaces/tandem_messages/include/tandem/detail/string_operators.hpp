// Comparison, concatenation, streaming and hash of tandem::BasicString: those of its std::basic_string_view.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace tandem {

template <class Char, std::size_t Bound>
class BasicString;

namespace detail {

template <class T>
struct Identity {
  using type = T;
};
/// Anything that converts to a view; Char is deduced from elsewhere.
template <class Char>
using Text = typename Identity<std::basic_string_view<Char>>::type;

template <class Char>
std::basic_string<Char> concatenate(std::basic_string_view<Char> a, std::basic_string_view<Char> b) {
  std::basic_string<Char> sum;
  sum.reserve(a.size() + b.size());
  return sum.append(a).append(b);
}

}  // namespace detail

// Each operator in three forms: ours with ours, ours with other text, other text with ours.
#define TANDEM_STRING_OPERATOR(RESULT, OPERATOR, EXPRESSION)                                        \
  template <class Char, std::size_t A, std::size_t B>                                               \
  RESULT operator OPERATOR(const BasicString<Char, A> & left, const BasicString<Char, B> & right) { \
    const std::basic_string_view<Char> a = left;                                                    \
    const std::basic_string_view<Char> b = right;                                                   \
    return EXPRESSION;                                                                              \
  }                                                                                                 \
  template <class Char, std::size_t A>                                                              \
  RESULT operator OPERATOR(const BasicString<Char, A> & left, detail::Text<Char> b) {               \
    const std::basic_string_view<Char> a = left;                                                    \
    return EXPRESSION;                                                                              \
  }                                                                                                 \
  template <class Char, std::size_t B>                                                              \
  RESULT operator OPERATOR(detail::Text<Char> a, const BasicString<Char, B> & right) {              \
    const std::basic_string_view<Char> b = right;                                                   \
    return EXPRESSION;                                                                              \
  }
TANDEM_STRING_OPERATOR(bool, ==, a == b)
TANDEM_STRING_OPERATOR(bool, !=, a != b)
TANDEM_STRING_OPERATOR(bool, <, a < b)
TANDEM_STRING_OPERATOR(bool, >, a > b)
TANDEM_STRING_OPERATOR(bool, <=, a <= b)
TANDEM_STRING_OPERATOR(bool, >=, a >= b)
TANDEM_STRING_OPERATOR(std::basic_string<Char>, +, detail::concatenate(a, b))
#undef TANDEM_STRING_OPERATOR

template <class Char, std::size_t Bound>
std::basic_string<Char> operator+(const BasicString<Char, Bound> & text, typename detail::Identity<Char>::type c) {
  return text + std::basic_string_view<Char>(&c, 1);
}
template <class Char, std::size_t Bound>
std::basic_string<Char> operator+(typename detail::Identity<Char>::type c, const BasicString<Char, Bound> & text) {
  return std::basic_string_view<Char>(&c, 1) + text;
}

// Arrays of them with arrays of std's; those of one type compare by themselves.
template <class Char, std::size_t Bound, std::size_t N>
bool operator==(const std::array<BasicString<Char, Bound>, N> & a, const std::array<std::basic_string<Char>, N> & b) {
  return std::equal(a.begin(), a.end(), b.begin());
}
template <class Char, std::size_t Bound, std::size_t N>
bool operator==(const std::array<std::basic_string<Char>, N> & a, const std::array<BasicString<Char, Bound>, N> & b) {
  return b == a;
}
template <class Char, std::size_t Bound, std::size_t N>
bool operator!=(const std::array<BasicString<Char, Bound>, N> & a, const std::array<std::basic_string<Char>, N> & b) {
  return !(a == b);
}
template <class Char, std::size_t Bound, std::size_t N>
bool operator!=(const std::array<std::basic_string<Char>, N> & a, const std::array<BasicString<Char, Bound>, N> & b) {
  return !(b == a);
}

// Those of <regex>, for calls without `std::`, which cannot deduce their types from a string of ours.
template <class Char, std::size_t Bound, class Expression>
auto regex_match(const BasicString<Char, Bound> & text, const Expression & expression)
    -> decltype(regex_match(text.begin(), text.end(), expression)) {
  return regex_match(text.begin(), text.end(), expression);
}
template <class Char, std::size_t Bound, class Expression>
auto regex_search(const BasicString<Char, Bound> & text, const Expression & expression)
    -> decltype(regex_search(text.begin(), text.end(), expression)) {
  return regex_search(text.begin(), text.end(), expression);
}

template <class Char, class Traits, std::size_t Bound>
std::basic_ostream<Char, Traits> & operator<<(std::basic_ostream<Char, Traits> & out,
                                              const BasicString<Char, Bound> & text) {
  return out << std::basic_string_view<Char, Traits>(text.data(), text.size());
}
template <class Char, class Traits, std::size_t Bound>
std::basic_istream<Char, Traits> & operator>>(std::basic_istream<Char, Traits> & in, BasicString<Char, Bound> & text) {
  std::basic_string<Char, Traits> word;
  in >> word;
  text.assign(word.data(), word.size());
  return in;
}

}  // namespace tandem

template <class Char, std::size_t Bound>
struct std::hash<tandem::BasicString<Char, Bound>> {
  std::size_t operator()(const tandem::BasicString<Char, Bound> & text) const noexcept {
    return std::hash<std::basic_string_view<Char>>()(text);
  }
};
