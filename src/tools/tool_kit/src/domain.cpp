#include "tandem/tools/domain.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "tandem/tools/error.hpp"

namespace tandem::tools {
namespace {

constexpr unsigned long kMaxDomain = 232;

}  // namespace

std::uint32_t domain_of_environment() {
  const char * text = std::getenv("ROS_DOMAIN_ID");
  if (text == nullptr || *text == '\0') {
    return 0;
  }
  char * end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value > kMaxDomain) {
    throw Error(fmt::format("ROS_DOMAIN_ID is '{}', which is not a number from 0 to {}; correct or unset it", text,
                            kMaxDomain));
  }
  return static_cast<std::uint32_t>(value);
}

}  // namespace tandem::tools
