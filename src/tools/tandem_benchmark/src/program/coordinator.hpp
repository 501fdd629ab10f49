// Runs the programme in interleaved rounds and gathers the results as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bench {

struct RunOptions {
  std::size_t rounds = 100;
  bool quick = false;
  std::vector<int> cpus;            ///< of the ping and of the pong sides
  std::vector<std::string> groups;  ///< empty: all
};

/// In each round every contestant plays one burst, in an order shuffled anew. The answer:
///
///   {"format": 1, "started", "seconds", "machine": {…}, "settings": {…}, "left_out": {group: why},
///    "series":  [{"name", "what", "bursts": [p50 of each round], "p50": {"value", "low", "high"},
///                 "p90", "p99", "p999" (medians over rounds), "max" (greatest), "samples" (all)}],   all in ns
///    "targets": [{"what", "value", "low", "high", "limit", "met", "unit": "ratio" | "ns"}]}
///
/// Throws std::runtime_error when a worker fails, Interrupted when the user wants an end.
nlohmann::json run_benchmarks(const RunOptions & options);

}  // namespace bench
