// What is wrong, where, and what to do about it.
#pragma once

#include <string>
#include <vector>

#include "view.hpp"

namespace tandem::doctor {

struct Finding {
  std::string code;   ///< stable, for programs: "dead-regions", ...
  std::string where;  ///< a file, "domain 0", "topic /a in domain 0", "process 17 (a) in domain 0"
  std::string what;   ///< a sentence
  std::string remedy;
};
std::vector<Finding> examine(const View & view);

}  // namespace tandem::doctor
