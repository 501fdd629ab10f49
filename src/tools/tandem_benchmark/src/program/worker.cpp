#include "program/worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "common/machine.hpp"
#include "common/measure.hpp"
#include "plan/plan.hpp"

namespace bench {
namespace {

using Contestants = std::map<std::string, std::unique_ptr<Contestant>>;

/// Lines for the coordinator: the original stdout. What libraries print there goes to stderr instead.
class Answers {
 public:
  Answers() : file_(fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "w")) { dup2(STDERR_FILENO, STDOUT_FILENO); }
  void operator()(const std::string & line) {
    std::fputs((line + "\n").c_str(), file_);
    std::fflush(file_);
  }

 private:
  std::FILE * file_;
};

Contestants make_contestants(const WorkerOptions & options) {
  const auto group = std::find_if(groups().begin(), groups().end(),
                                  [&](const Group & candidate) { return candidate.name == options.group; });
  if (group == groups().end()) {
    throw std::runtime_error("there is no group '" + options.group + "'");
  }
  Contestants made;
  for (const Contest & contest : contests(options.quick)) {
    if (contest.group == options.group) {
      made[contest.name] = group->make(contest.name, options.role);
    }
  }
  return made;
}

void connect(const Contestants & contestants) {
  const auto limit = Clock::now() + kPatience;
  for (const auto & [name, contestant] : contestants) {
    while (!contestant->is_connected()) {
      if (Clock::now() > limit) {
        throw std::runtime_error(name + ": its other side is not to be seen");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

std::string summaries(Samples && samples) {
  nlohmann::json answer;
  for (auto & [name, values] : samples) {
    if (values.empty()) {
      throw std::runtime_error(name + ": not one sample");
    }
    const Summary summary = summarise(std::move(values));
    answer[name] = {{"samples", summary.samples}, {"p50", summary.p50},   {"p90", summary.p90},
                    {"p99", summary.p99},         {"p999", summary.p999}, {"max", summary.max}};
  }
  return answer.dump();
}

void serve(const WorkerOptions & options, Answers & answer) {
  pin_to(options.cpu);
  const Contestants contestants = make_contestants(options);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string verb;
    std::string name;
    Burst burst;
    std::int64_t budget = 0;
    words >> verb >> name >> burst.warm_up >> burst.samples >> burst.batch >> budget;
    burst.budget = std::chrono::milliseconds(budget);
    if (verb == "connect") {
      connect(contestants);
      answer("connected");
    } else if (options.role.ping) {
      answer(summaries(contestants.at(name)->ping(burst)));
    } else {
      answer("ready");
      contestants.at(name)->pong();
      answer("done");
    }
  }
}

}  // namespace

int run_worker(const WorkerOptions & options) {
  Answers answer;
  try {
    serve(options, answer);
  } catch (const std::exception & error) {
    answer(fmt::format("error {}", error.what()));
    return 1;
  }
  return 0;
}

}  // namespace bench
