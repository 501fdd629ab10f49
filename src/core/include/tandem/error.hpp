// Errors of set-up calls: a code for programs and a sentence for people.
#pragma once

#include <string>

#include <tl/expected.hpp>

namespace tandem {

/// Why a set-up call failed. `message` says what happened, to which topic or file, and what to do.
template <class Code>
struct Failure {
  Code code;
  std::string message;
};

template <class T, class Code>
using Result = tl::expected<T, Failure<Code>>;

}  // namespace tandem
