#pragma once

#include <string>
#include <vector>

namespace tandem::test {

/// Has a forged region and writes garbage into a part of it until it is killed. Arguments: part, incarnation and number of
/// the publisher that its lane leads to, seed. Says its path; each line of its input is a lane to acknowledge.
int scribbler(const std::vector<std::string> & arguments);

/// Touches memory that is missing, with handlers of its own. Arguments: what it does; see guard_test.cpp.
int guarded(const std::vector<std::string> & arguments);

}  // namespace tandem::test
