// One fuzz target as a libFuzzer program: TANDEM_FUZZ_TARGET names it.
#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t * data, std::size_t size) {
  return tandem::fuzz::TANDEM_FUZZ_TARGET(data, size);
}
