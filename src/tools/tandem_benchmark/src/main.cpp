// bench_worker: what the laboratory's `bench` plays with. See docs/design/performance.md.
//
//   bench_worker list [quick]                                 the suites as JSON
//   bench_worker play SUITE ping|pong INDEX CPU FOLDER [quick]    one process of a suite, told when by lines on stdin:
//
//     connect           answers "connected" once every contestant has found its other sides
//     go NAME           a pong side answers "ready", plays, answers "done"; the ping side plays and answers its summaries
//                       as JSON in one line: {"series": {"samples": …, "p50": …}}
//     otherwise         "error REASON", and the process ends. It also ends with its stdin.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/suites.hpp"
#include "worker.hpp"

namespace {

using bench::Suite;

/// In the order in which reports show them.
std::vector<Suite> suites(const bench::Length & length) {
  using namespace bench;  // NOLINT: of this function
  std::vector<Suite> list = {floor_suite(length),    core_suite(length),    rclcpp_suite(length),
                             fan_out_suite(length),  micro_suite(length),   stream_suite(length),
                             matching_suite(length), service_suite(length), intra_suite(length),
                             messages_suite(length), grow_suite(length),    copy_suite(length),
                             callback_suite(length), heap_suite(length),    containers_suite(length),
                             waking_suite(length),   idle_suite(length),    bag_suite(length)};
  for (Suite & suite : transport_suites(length)) {
    list.push_back(std::move(suite));
  }
  return list;
}

nlohmann::json to_json(const Suite & suite) {
  nlohmann::json json = {{"name", suite.name},
                         {"processes", suite.pongs + 1},
                         {"optional", suite.is_optional},
                         {"disk", suite.writes_to_disk}};
  for (const bench::Contest & contest : suite.contests) {
    json["contests"].push_back(contest.name);
  }
  json["figures"] = json["targets"] = json["excesses"] = json["slopes"] = nlohmann::json::array();
  for (const auto & [series, what] : suite.figures) {
    json["figures"].push_back({{"series", series}, {"what", what}});
  }
  for (const auto & [what, series, reference, limit] : suite.targets) {
    json["targets"].push_back({{"what", what}, {"series", series}, {"reference", reference}, {"limit", limit}});
  }
  for (const auto & [what, series, floor] : suite.excesses) {
    json["excesses"].push_back({{"what", what}, {"series", series}, {"floor", floor}});
  }
  for (const auto & [what, prefix, counts, limit] : suite.slopes) {
    json["slopes"].push_back({{"what", what}, {"prefix", prefix}, {"counts", counts}, {"limit", limit}});
  }
  return json;
}

int list(bool quick) {
  nlohmann::json all = nlohmann::json::array();
  for (const Suite & suite : suites(bench::Length(quick))) {
    all.push_back(to_json(suite));
  }
  fmt::print("{}\n", nlohmann::json{{"compiler", __VERSION__}, {"suites", all}}.dump());
  return 0;
}

int play(const std::vector<std::string> & words, bool quick) {
  const bench::Role role{words[2] == "ping", std::stoul(words[3]), words[5]};
  for (const Suite & suite : suites(bench::Length(quick))) {
    if (suite.name == words[1]) {
      return bench::run_worker(suite, role, std::stoi(words[4]));
    }
  }
  fmt::print("error there is no suite '{}'\n", words[1]);
  return 1;
}

}  // namespace

int main(int argc, char ** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool quick = !words.empty() && words.back() == "quick";
  if (quick) {
    words.pop_back();
  }
  if (words == std::vector<std::string>{"list"}) {
    return list(quick);
  }
  if (words.size() == 6 && words[0] == "play") {
    return play(words, quick);
  }
  fmt::print(stderr,
             "usage: bench_worker list [quick], or bench_worker play SUITE ping|pong INDEX CPU FOLDER [quick]\n");
  return 2;
}
