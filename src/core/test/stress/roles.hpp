// The children of core_stress_test: each returns its exit status. A depth may be "keep_all".
#pragma once

#include <string>
#include <vector>

namespace tandem::test {

/// Arguments: depth, messages, seed. Reads until the last message and prints "N torn N disordered N", N taken or lost.
int reading(const std::vector<std::string> & arguments);
/// Arguments: depth. Publishes until it is killed.
int flooding(const std::vector<std::string> & arguments);
/// Arguments: depth, seed. Takes until it is killed, or something is wrong.
int draining(const std::vector<std::string> & arguments);
/// Arguments: path of the counters, worker, seed. Until SharedCounters::stop.
int storm_writer(const std::vector<std::string> & arguments);
int storm_reader(const std::vector<std::string> & arguments);
/// Arguments: depth of both ends, rounds, seed, and anything to end with the first fault. Prints what it saw; 0 when
/// there was no fault.
int step_rounds(const std::vector<std::string> & arguments);

}  // namespace tandem::test
