#include "report/results.hpp"

#include <algorithm>
#include <optional>

#include "common/measure.hpp"
#include "plan/plan.hpp"

namespace bench {
namespace {

std::vector<double> over_rounds(const std::vector<nlohmann::json> & bursts, const char * key) {
  std::vector<double> values;
  for (const nlohmann::json & burst : bursts) {
    values.push_back(burst.at(key).get<double>());
  }
  return values;
}

nlohmann::json to_json(const Median & median) {
  return {{"value", median.value}, {"low", median.low}, {"high", median.high}};
}

nlohmann::json judge(const std::string & what, const char * unit, const Median & median, double limit) {
  nlohmann::json verdict = to_json(median);
  verdict["what"] = what;
  verdict["unit"] = unit;
  if (limit > 0) {
    verdict["limit"] = limit;
    verdict["met"] = median.value <= limit;
  }
  return verdict;
}

std::optional<Median> ratio(const Bursts & bursts, const Target & target) {
  const auto series = bursts.find(target.series);
  const auto reference = bursts.find(target.reference);
  if (series == bursts.end() || (reference == bursts.end() && !target.reference.empty())) {
    return std::nullopt;
  }
  std::vector<double> ratios = over_rounds(series->second, "p50");
  if (target.reference.empty()) {
    return median_of(ratios);
  }
  const std::vector<double> below = over_rounds(reference->second, "p50");
  for (std::size_t round = 0; round < ratios.size(); ++round) {
    ratios[round] /= below[round];
  }
  return median_of(ratios);
}

nlohmann::json judge_excess(const Bursts & bursts, const ExcessTarget & target) {
  std::vector<double> excess = over_rounds(bursts.at(target.series), "p50");
  const std::vector<double> floor = over_rounds(bursts.at(target.floor), "p50");
  for (std::size_t round = 0; round < excess.size(); ++round) {
    excess[round] -= floor[round];
  }
  return judge(target.what, "ns", median_of(excess), excess_limit(median_of(floor).value));
}

std::optional<Median> slope(const Bursts & bursts, const SlopeTarget & target) {
  std::vector<double> x;
  std::vector<std::vector<double>> y;  // by count, then by round
  for (const std::size_t count : target.counts) {
    const auto series = bursts.find(target.prefix + std::to_string(count));
    if (series == bursts.end()) {
      return std::nullopt;
    }
    x.push_back(static_cast<double>(count));
    y.push_back(over_rounds(series->second, "p50"));
  }
  std::vector<double> slopes;
  for (std::size_t round = 0; round < y.front().size(); ++round) {
    std::vector<double> times;
    for (const auto & series : y) {
      times.push_back(series[round]);
    }
    slopes.push_back(least_squares_slope(x, times));
  }
  return median_of(slopes);
}

}  // namespace

nlohmann::json evaluate_series(const Bursts & bursts) {
  nlohmann::json list = nlohmann::json::array();
  for (const SeriesInfo & info : series_infos()) {
    const auto found = bursts.find(info.name);
    if (found == bursts.end()) {
      continue;
    }
    const std::vector<double> p50s = over_rounds(found->second, "p50");
    const std::vector<double> counts = over_rounds(found->second, "samples");
    const std::vector<double> maxima = over_rounds(found->second, "max");
    nlohmann::json series = {{"name", info.name}, {"what", info.what}, {"bursts", p50s}};
    series["p50"] = to_json(median_of(p50s));
    for (const char * key : {"p90", "p99", "p999"}) {
      series[key] = median_of(over_rounds(found->second, key)).value;
    }
    series["max"] = *std::max_element(maxima.begin(), maxima.end());
    double samples = 0;
    for (const double count : counts) {
      samples += count;
    }
    series["samples"] = samples;
    list.push_back(series);
  }
  return list;
}

nlohmann::json evaluate_targets(const Bursts & bursts) {
  nlohmann::json list = nlohmann::json::array();
  for (const Target & target : targets()) {
    if (const auto median = ratio(bursts, target)) {
      list.push_back(judge(target.what, target.reference.empty() ? "ns" : "ratio", *median, target.limit));
    }
  }
  for (const ExcessTarget & target : excess_targets()) {
    if (bursts.count(target.series) != 0 && bursts.count(target.floor) != 0) {
      list.push_back(judge_excess(bursts, target));
    }
  }
  for (const SlopeTarget & target : slope_targets()) {
    if (const auto median = slope(bursts, target)) {
      list.push_back(judge(target.what, "ns", *median, target.limit));
    }
  }
  return list;
}

}  // namespace bench
