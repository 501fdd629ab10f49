// Kills or stops a victim at many points of a scenario, one after the other, and has the survivors verify each time.
#pragma once

#include <string>
#include <vector>

namespace tandem::test {

/// Role "tracer": SCENARIO KILLS STOPS SEED PART PARTS. KILLS and STOPS are numbers of points, chosen at random, or "all".
/// Of these it takes each PARTSth, beginning with PART. Uses TANDEM_SHM_DIR alone. Prints one line now and then:
///   progress ...    covered ...    error ...    done KILLS STOPS POINTS PLACES
/// where the phase has so many points, at so many different instructions.
int run_tracer(const std::vector<std::string> & arguments);

/// Why processes cannot be traced here; empty if they can.
std::string why_no_tracing();

}  // namespace tandem::test
