// Functions of a test that run in another process of the same program.
//
// The other process executes the same file as this one (Child in harness.hpp). Wherever the kernel has put the program
// there, all of its code has moved together, even if it is position-independent: a function lies as far from serve() as
// it does here. That distance is sent, and the words of the arguments. Only code of the program itself can be called so,
// and none of a shared library: a lambda or function of a test, and its instance of call_with_words(), are that.
#pragma once

#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "encoding.hpp"
#include "user.hpp"

namespace tandem::test {

/// What a function on a user takes and gives.
template <class Function>
struct Signature;
template <class R, class... A>
struct Signature<R (*)(User &, A...)> {
  using Result = R;
  using Arguments = std::tuple<std::decay_t<A>...>;
};
template <class R, class... A>
struct Signature<R (User::*)(A...)> : Signature<R (*)(User &, A...)> {};
template <class R, class... A>
struct Signature<R (User::*)(A...) const> : Signature<R (*)(User &, A...)> {};

/// A lambda as a function with a name. (What a lambda is converted to has none, and GCC 12 wants one for kFunction.)
template <class Lambda, class Function = decltype(+Lambda{})>
struct Unnamed;
template <class Lambda, class R, class... A>
struct Unnamed<Lambda, R (*)(User &, A...)> {
  static R call(User & user, A... arguments) { return Lambda{}(user, std::forward<A>(arguments)...); }
};

template <auto kFunction>
using ResultOf = typename Signature<decltype(kFunction)>::Result;
template <auto kFunction>
using ArgumentsOf = typename Signature<decltype(kFunction)>::Arguments;

template <auto kFunction>
ResultOf<kFunction> call(User & user, const ArgumentsOf<kFunction> & arguments) {
  return std::apply([&](const auto &... each) { return std::invoke(kFunction, user, each...); }, arguments);
}

/// Calls a function with what the words say, and writes its result.
using Call = void(User & user, std::istream & words, std::ostream & result);

template <auto kFunction>
void call_with_words(User & user, std::istream & words, std::ostream & result) {
  const auto read = [&]<class... A>(std::tuple<A...> *) { return std::tuple<A...>{decode<A>(words)...}; };
  const auto arguments = read(static_cast<ArgumentsOf<kFunction> *>(nullptr));
  if constexpr (std::is_void_v<ResultOf<kFunction>>) {
    call<kFunction>(user, arguments);
  } else {
    encode(result, call<kFunction>(user, arguments));
  }
}

/// Role "user": a user that does what it is told by the lines of standard input, until their end.
int serve();

/// The line that has serve() call a function.
template <auto kFunction>
std::string line_of(const ArgumentsOf<kFunction> & arguments) {
  Call * const here = &call_with_words<kFunction>;
  std::ostringstream line;
  encode(line, reinterpret_cast<std::intptr_t>(here) - reinterpret_cast<std::intptr_t>(&serve));
  std::apply([&](const auto &... each) { (encode(line, each), ...); }, arguments);
  return line.str();
}

}  // namespace tandem::test
