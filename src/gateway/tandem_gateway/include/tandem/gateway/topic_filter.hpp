// Which topics and services the gateway carries.
#pragma once

#include <string>
#include <vector>

namespace tandem::gateway {

/// Patterns of names: `*` is any text, `/` included; `?` any character; `[ab]` one of these.
struct TopicFilter {
  std::vector<std::string> allow;  ///< none: everything
  std::vector<std::string> deny;   ///< wins

  bool allows(const std::string & name) const;
};

}  // namespace tandem::gateway
