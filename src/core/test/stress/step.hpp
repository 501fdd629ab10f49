// Rounds of publish and take that meet at random instructions.
#pragma once

#include <string>
#include <vector>

namespace tandem::test {

/// Arguments: options of both ends, rounds, seed, and anything to end with the first fault. Prints what it saw; 0 when
/// there was no fault.
int step_rounds(const std::vector<std::string> & arguments);

}  // namespace tandem::test
