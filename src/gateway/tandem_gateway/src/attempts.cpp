#include "attempts.hpp"

#include <exception>

namespace tandem::gateway {
namespace {

constexpr auto kRetryPeriod = std::chrono::seconds(5);

}  // namespace

bool Attempts::run(const std::string & what, const std::string & subject, const char * where,
                   const std::function<void()> & create) {
  const std::string key = what + " of " + subject;
  const auto failed = failed_.find(key);
  if (failed != failed_.end() && Clock::now() - failed->second <= kRetryPeriod) {
    return false;
  }
  try {
    create();
    failed_.erase(key);
    return true;
  } catch (const std::exception & error) {
    failed_[key] = Clock::now();
    log_.warn_once(subject + " is not carried to " + where + ": " + error.what());
    return false;
  }
}

}  // namespace tandem::gateway
