// Errors that a person can do something about, as opposed to bugs.
#pragma once

#include <stdexcept>

namespace tandem::tools {

/// what() says what happened and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tandem::tools
