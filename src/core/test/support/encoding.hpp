// Arguments and results on their way between two processes of one program, as the words of a line: integers,
// enumerations, strings, durations, vectors of these, and structures whose members() is a tuple of pointers to members.
#pragma once

#include <cstddef>
#include <istream>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>

namespace tandem::test {

template <class T>
void encode(std::ostream & out, const T & value) {
  if constexpr (std::is_enum_v<T>) {
    encode(out, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_integral_v<T>) {
    out << +value << ' ';
  } else if constexpr (std::is_same_v<T, std::string>) {
    out << 'x';  // a word even if it is empty; then its bytes, whatever they are
    for (const char c : value) {
      const auto byte = static_cast<unsigned char>(c);
      out << "0123456789abcdef"[byte / 16] << "0123456789abcdef"[byte % 16];
    }
    out << ' ';
  } else if constexpr (requires { typename T::period; }) {
    encode(out, value.count());
  } else if constexpr (requires { value.size(); }) {
    encode(out, value.size());
    for (const auto & element : value) {
      encode(out, element);
    }
  } else {
    std::apply([&](auto... member) { (encode(out, value.*member), ...); }, T::members());
  }
}

/// What encode() has written. Zeros and nothing where the words end too early.
template <class T>
T decode(std::istream & in) {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(decode<std::underlying_type_t<T>>(in));
  } else if constexpr (std::is_integral_v<T>) {
    std::conditional_t<std::is_signed_v<T>, long long, unsigned long long> number = 0;
    in >> number;
    return static_cast<T>(number);
  } else if constexpr (std::is_same_v<T, std::string>) {
    std::string word;
    std::string text;
    in >> word;
    for (std::size_t i = 1; i + 1 < word.size(); i += 2) {
      text += static_cast<char>(std::stoi(word.substr(i, 2), nullptr, 16));
    }
    return text;
  } else if constexpr (requires { typename T::period; }) {
    return T(decode<typename T::rep>(in));
  } else if constexpr (requires { typename T::value_type; }) {
    T values;
    for (auto left = decode<std::size_t>(in); left > 0; --left) {
      values.push_back(decode<typename T::value_type>(in));
    }
    return values;
  } else {
    T value;
    std::apply(
        [&](auto... member) { ((value.*member = decode<std::remove_reference_t<decltype(value.*member)>>(in)), ...); },
        T::members());
    return value;
  }
}

}  // namespace tandem::test
