#include "tandem/kit/tuning.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace tandem::transport {
namespace {

Tuning read() {
  const char * value = std::getenv("TANDEM_TRANSPORT_TUNING");
  const std::string_view word = value != nullptr ? value : "";
  if (word == "vendor") {
    return Tuning::kVendor;
  }
  if (!word.empty() && word != "tuned") {
    std::fprintf(stderr,
                 "[WARN] [tandem_transport]: TANDEM_TRANSPORT_TUNING=%s is unknown; use `tuned` or `vendor`. "
                 "Going on with `tuned`\n",
                 value);
  }
  return Tuning::kTuned;
}

}  // namespace

Tuning tuning() {
  static const Tuning chosen = read();
  return chosen;
}

}  // namespace tandem::transport
