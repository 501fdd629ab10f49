// Which topics the gateway carries.
#pragma once

#include <string>
#include <vector>

namespace tandem::gateway {

/// Patterns of topic names: `*` is any text, `/` included; `?` any character; `[ab]` one of these.
struct TopicFilter {
  std::vector<std::string> allow;  ///< none: all topics
  std::vector<std::string> deny;   ///< wins

  bool allows(const std::string & topic) const;
};

}  // namespace tandem::gateway
