#include "worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "common/processors.hpp"

namespace bench {
namespace {

/// Lines for the front end: the original stdout. What libraries print there goes to stderr instead.
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

struct Player {
  Burst burst;
  std::unique_ptr<Contestant> contestant;
};
using Players = std::map<std::string, Player>;

void connect(const Players & players) {
  const auto limit = Clock::now() + kPatience;
  for (const auto & [name, player] : players) {
    while (!player.contestant->is_connected()) {
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

void serve(const Suite & suite, const Role & role, int cpu, Answers & answer) {
  pin_to(cpu);
  Players players;
  for (const Contest & contest : suite.contests) {
    players[contest.name] = {contest.burst, suite.make(contest.name, role)};
  }
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "connect") {
      connect(players);
      answer("connected");
      continue;
    }
    const Player & player = players.at(line.substr(line.find(' ') + 1));
    if (role.ping) {
      answer(summaries(player.contestant->ping(player.burst)));
    } else {
      answer("ready");
      player.contestant->pong();
      answer("done");
    }
  }
}

}  // namespace

int run_worker(const Suite & suite, const Role & role, int cpu) {
  Answers answer;
  try {
    serve(suite, role, cpu, answer);
  } catch (const std::exception & error) {
    answer(fmt::format("error {}", error.what()));
    return 1;
  }
  return 0;
}

}  // namespace bench
