// Who takes part in a soak. Arguments of all: path of the counters, worker; then those of the role.
#pragma once

#include <string>
#include <vector>

namespace tandem::test {

/// Publishes small messages at full speed: topic ("all" or "last"), "yields" to let others run now and then.
int soak_writer(const std::vector<std::string> & arguments);
/// Takes everything there is: "waits" or "yields". 1 if it lost what it was owed.
int soak_reader(const std::vector<std::string> & arguments);
/// Endpoints that live for some messages: rounds (0: until SharedCounters::stop). Messages are kept beyond the endpoints.
int soak_churn(const std::vector<std::string> & arguments);

}  // namespace tandem::test
