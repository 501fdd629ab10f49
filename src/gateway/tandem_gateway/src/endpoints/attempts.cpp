#include "endpoints/attempts.hpp"

#include <exception>

namespace tandem::gateway {

bool Attempts::run(const std::string & what, const std::string & subject, const char * where,
                   const std::function<void()> & create) {
  const std::string key = what + " of " + subject;
  if (failed_.contains(key)) {
    return false;
  }
  try {
    create();
    failed_.forget(key);
    return true;
  } catch (const std::exception & error) {
    failed_.note(key);
    log_.warn_once(subject + " is not carried to " + where + ": " + error.what());
    return false;
  }
}

}  // namespace tandem::gateway
