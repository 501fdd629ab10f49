#include "tandem/gateway/topic_filter.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace tandem::gateway {

bool TopicFilter::allows(const std::string & name) const {
  const auto matches = [&name](const std::string & pattern) {
    return fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
  };
  return (allow.empty() || std::any_of(allow.begin(), allow.end(), matches)) &&
         std::none_of(deny.begin(), deny.end(), matches);
}

}  // namespace tandem::gateway
