// Runs a fuzz target over changed copies of good data, where there is no libFuzzer: the same inputs for the same seed.
// The seed is TANDEM_TEST_SEED or new, and printed; TANDEM_TEST_ROUNDS multiplies the number of inputs.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "../oracle/random_message.hpp"
#include "../test/all_kinds.hpp"
#include "../test/support.hpp"
#include "tandem/cdr.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t * data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes good_data(std::mt19937_64 & random) {
  kinds::All message;
  tandem::oracle::randomize(test::type_of(message), &message, random);
  return tandem::serialize(test::type_of(message), &message);
}

void change(Bytes & bytes, std::mt19937_64 & random) {
  if (bytes.empty()) {
    return;
  }
  const auto place = static_cast<std::ptrdiff_t>(random() % bytes.size());
  switch (random() % 6) {
    case 0: bytes[place] = static_cast<std::uint8_t>(random()); break;
    case 1: bytes[place] ^= static_cast<std::uint8_t>(1u << random() % 8); break;
    case 2: bytes[place] = 0xFF; break;
    case 3: bytes.resize(place); break;
    case 4: bytes.insert(bytes.begin() + place, static_cast<std::uint8_t>(random())); break;
    default:
      std::fill_n(bytes.begin() + place / 4 * 4, std::min<std::ptrdiff_t>(4, std::ssize(bytes) - place / 4 * 4),
                  random() % 2 == 0 ? 0xFF : 0);
      break;
  }
}

}  // namespace

int main() {
  std::mt19937_64 random(test::seed_of_this_run());
  const char * const factor = std::getenv("TANDEM_TEST_ROUNDS");
  const std::size_t rounds = factor != nullptr ? std::strtoull(factor, nullptr, 0) : 1;
  for (std::size_t i = 0; i < 200 * rounds; ++i) {
    const Bytes good = good_data(random);
    for (int variant = 0; variant < 100; ++variant) {
      Bytes bytes = good;
      for (std::size_t changes = random() % 4; changes > 0; --changes) {
        change(bytes, random);
      }
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
  }
  return 0;
}
