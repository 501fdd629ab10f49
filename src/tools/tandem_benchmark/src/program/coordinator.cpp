#include "program/coordinator.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <tuple>

#include "common/machine.hpp"
#include "plan/plan.hpp"
#include "program/child.hpp"
#include "program/run_folder.hpp"
#include "report/results.hpp"

namespace bench {
namespace {

constexpr std::chrono::seconds kWorkerPatience = 2 * kPatience;

/// The processes of one group. Those that keep the time are on the first processor, all others on the second.
class Team {
 public:
  Team(const Group & group, const RunOptions & options, const std::string & folder) {
    for (std::size_t i = 0; i <= group.pongs; ++i) {
      const bool ping = i == 0;
      std::vector<std::string> arguments = {"--worker", ping ? "ping" : "pong",
                                            "--group",  group.name,
                                            "--folder", folder,
                                            "--index",  std::to_string(ping ? 0 : i - 1),
                                            "--cpus",   std::to_string(options.cpus[ping ? 0 : 1])};
      if (options.quick) {
        arguments.push_back("--quick");
      }
      children_.emplace_back(group.name + (ping ? "/ping" : "/pong"), arguments);
    }
  }

  void connect() {
    for (Child & child : children_) {
      child.send("connect");
    }
    for (Child & child : children_) {
      child.receive(kWorkerPatience);
    }
  }

  nlohmann::json play(const Contest & contest) {
    const std::string go = fmt::format("go {} {} {} {} {}", contest.name, contest.burst.warm_up, contest.burst.samples,
                                       contest.burst.batch, contest.burst.budget.count());
    for (std::size_t i = 1; i < children_.size(); ++i) {
      children_[i].send(go);
      children_[i].receive(kWorkerPatience);  // ready
    }
    children_[0].send(go);
    const nlohmann::json summaries = nlohmann::json::parse(children_[0].receive(kWorkerPatience));
    for (std::size_t i = 1; i < children_.size(); ++i) {
      children_[i].receive(kWorkerPatience);  // done
    }
    return summaries;
  }

 private:
  std::vector<Child> children_;
};

/// One line on the terminal, or a line for each tenth of the run where stderr is none.
class Progress {
 public:
  explicit Progress(std::size_t rounds) : rounds_(rounds), terminal_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() { clear(); }

  void show(std::size_t round, const std::string & contest, double share) {
    if (!terminal_) {
      return;
    }
    fmt::print(stderr, "\r\033[Kround {}/{}  {:<22}  {}", round + 1, rounds_, contest, left(share));
    std::fflush(stderr);
  }
  void end_round(std::size_t round) {
    if (!terminal_ && (round + 1) * 10 / rounds_ != round * 10 / rounds_) {
      fmt::print(stderr, "round {}/{}  {}\n", round + 1, rounds_, left(static_cast<double>(round + 1) / rounds_));
    }
  }
  void clear() const {
    if (terminal_) {
      fmt::print(stderr, "\r\033[K");
    }
  }

 private:
  std::string left(double share) const {
    if (share <= 0.01) {
      return "";
    }
    const double spent = std::chrono::duration<double>(Clock::now() - start_).count();
    const auto seconds = static_cast<long>(spent * (1 - share) / share + 0.5);
    return fmt::format("{}:{:02} left", seconds / 60, seconds % 60);
  }

  const std::size_t rounds_;
  const bool terminal_;
  const Clock::time_point start_ = Clock::now();
};

void set_environment(const std::string & folder) {
  setenv("TANDEM_SHM_DIR", folder.c_str(), 1);
  setenv("TANDEM_SPIN_US", "0", 1);  // blocking means blocking
  setenv("ROS_DOMAIN_ID", "1", 1);   // apart from the core's benchmarks, which are in domain 0
  setenv("TANDEM_ICEORYX_ROUDI", "start", 0);
}

bool is_chosen(const RunOptions & options, const Group & group) {
  if (options.groups.empty()) {
    return !group.writes_to_disk;
  }
  return std::any_of(options.groups.begin(), options.groups.end(), [&](const auto & chosen) {
    return group.name == chosen || group.name.rfind(chosen + ".", 0) == 0;
  });
}

/// For groups that write to a disk: a folder below TANDEM_BENCH_DISK or the working folder. The workers read the same variable.
void make_disk_folder(const RunOptions & options, std::optional<RunFolder> & folder) {
  const auto & all = groups();
  if (std::any_of(all.begin(), all.end(), [&](const Group & g) { return g.writes_to_disk && is_chosen(options, g); })) {
    const char * const chosen = std::getenv("TANDEM_BENCH_DISK");
    folder.emplace(std::filesystem::absolute(chosen != nullptr ? chosen : "."));
    setenv("TANDEM_BENCH_DISK", folder->path().c_str(), 1);
  }
}

nlohmann::json describe_settings(const RunOptions & options) {
  const char * middleware = std::getenv("RMW_IMPLEMENTATION");
  return {{"rounds", options.rounds},
          {"quick", options.quick},
          {"cpus", options.cpus},
          {"middleware", middleware != nullptr ? middleware : "rmw_tandem_cpp"},
          {"qos", "reliable, volatile, keep last 10"},
          {"TANDEM_SPIN_US", 0}};
}

/// Those that cannot play here are named in `left_out`, with the reason.
std::map<std::string, Team> make_teams(const RunOptions & options, const std::string & folder,
                                       nlohmann::json & left_out) {
  std::map<std::string, Team> teams;
  left_out = nlohmann::json::object();
  for (const Group & group : groups()) {
    if (!is_chosen(options, group)) {
      continue;
    }
    try {
      const auto place = teams.emplace(std::piecewise_construct, std::forward_as_tuple(group.name),
                                       std::forward_as_tuple(group, options, folder));
      place.first->second.connect();
    } catch (const Interrupted &) {
      throw;
    } catch (const std::runtime_error & error) {
      if (!group.is_optional) {
        throw;
      }
      fmt::print(stderr, "left out: {}\n", error.what());
      left_out[group.name] = error.what();
      teams.erase(group.name);
    }
  }
  return teams;
}

void play_rounds(const RunOptions & options, std::map<std::string, Team> & teams, Bursts & bursts) {
  std::vector<Contest> programme;
  for (const Contest & contest : contests(options.quick)) {
    if (teams.count(contest.group) != 0) {
      programme.push_back(contest);
    }
  }
  Progress progress(options.rounds);
  std::mt19937 random(1);
  for (std::size_t round = 0; round < options.rounds; ++round) {
    std::shuffle(programme.begin(), programme.end(), random);
    for (std::size_t i = 0; i < programme.size(); ++i) {
      const double done = static_cast<double>(round) + static_cast<double>(i) / static_cast<double>(programme.size());
      progress.show(round, programme[i].name, done / static_cast<double>(options.rounds));
      const nlohmann::json summaries = teams.at(programme[i].group).play(programme[i]);
      for (const auto & [name, summary] : summaries.items()) {
        bursts[name].push_back(summary);
      }
    }
    progress.end_round(round);
  }
}

}  // namespace

nlohmann::json run_benchmarks(const RunOptions & options) {
  nlohmann::json result = {{"format", 1}, {"machine", describe_machine()}, {"settings", describe_settings(options)}};
  result["started"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  const StolenTicks ticks = stolen_ticks();
  const auto start = Clock::now();
  const RunFolder folder;
  std::optional<RunFolder> disk_folder;
  set_environment(folder.path());
  make_disk_folder(options, disk_folder);
  std::map<std::string, Team> teams = make_teams(options, folder.path(), result["left_out"]);
  Bursts bursts;
  play_rounds(options, teams, bursts);
  result["seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
  const StolenTicks now = stolen_ticks();
  result["machine"]["stolen_percent"] = 100 * (now.stolen - ticks.stolen) / std::max(1.0, now.all - ticks.all);
  result["series"] = evaluate_series(bursts);
  result["targets"] = evaluate_targets(bursts);
  return result;
}

}  // namespace bench
