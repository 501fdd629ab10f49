#pragma once

namespace tandem::test {

/// Says in the roster of a domain that somebody came or went, as a process does that joins or leaves: the others look at
/// once, not within a second.
void announce(unsigned domain);

}  // namespace tandem::test
