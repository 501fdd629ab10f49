// From the bursts of all rounds to series, ratios and slopes.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bench {

/// For each series, what a worker reported in each round.
using Bursts = std::map<std::string, std::vector<nlohmann::json>>;

/// The "series" and "targets" of coordinator.hpp. Series that were not played are left out, and their targets too.
nlohmann::json evaluate_series(const Bursts & bursts);
nlohmann::json evaluate_targets(const Bursts & bursts);

}  // namespace bench
