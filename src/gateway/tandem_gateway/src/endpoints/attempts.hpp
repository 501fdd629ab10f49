// Creating endpoints, which may fail.
#pragma once

#include <functional>
#include <string>

#include "base/log.hpp"
#include "base/recent.hpp"

namespace tandem::gateway {

/// Used by one thread.
class Attempts {
 public:
  explicit Attempts(Log & log) : log_(log) {}

  /// Calls `create`, unless it failed for this `what` of this `subject` a short time ago. A failure is logged:
  /// "<subject> is not carried to <where>". \return whether it was called and succeeded.
  bool run(const std::string & what, const std::string & subject, const char * where,
           const std::function<void()> & create);

 private:
  Log & log_;
  Recent<std::string> failed_{std::chrono::seconds(5)};  ///< what could not be created
};

}  // namespace tandem::gateway
