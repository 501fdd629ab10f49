#include "licence.hpp"

#include <filesystem>

namespace connext {

std::string no_participant(std::uint32_t domain, const std::string & reason, const char * licence) {
  const std::string path = licence != nullptr ? licence : "";
  std::string advice = "the licence in RTI_LICENSE_FILE, " + path + ", may have run out, or its network is not there";
  std::error_code none;
  if (path.empty()) {
    advice = "it wants a licence: set RTI_LICENSE_FILE to yours";
  } else if (!std::filesystem::is_regular_file(path, none)) {
    advice = "RTI_LICENSE_FILE is set to " + path + ", and no such file is there";
  }
  const std::string text = reason.substr(0, reason.find('\n'));
  return std::string(kName) + ": Connext makes no participant of domain " + std::to_string(domain) + " (" + text +
         "); " + advice;
}

}  // namespace connext
