// Creating endpoints, which may fail.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "log.hpp"

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
  using Clock = std::chrono::steady_clock;
  Log & log_;
  std::map<std::string, Clock::time_point> failed_;  ///< what could not be created, and when
};

}  // namespace tandem::gateway
