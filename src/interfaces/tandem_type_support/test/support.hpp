// What several tests need: seeds, rounds, the type of an object.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

#include "tandem/message_type.hpp"

namespace test {

/// TANDEM_TEST_SEED, or a new one; printed, so that a failure can be repeated.
inline std::uint64_t seed_of_this_run() {
  const char * const given = std::getenv("TANDEM_TEST_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device()();
  std::cout << "TANDEM_TEST_SEED=" << seed << '\n';
  return seed;
}

template <class T>
const tandem::MessageType & type_of(const T &) {
  return tandem::message_type<T>();
}

}  // namespace test
