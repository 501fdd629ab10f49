"""`bench`: the benchmark's suites, played in interleaved rounds, and what their figures should be."""
