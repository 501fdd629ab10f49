// bench: measures Tandem against the floors of the machine. See docs/design/performance.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "common/machine.hpp"
#include "plan/plan.hpp"
#include "program/child.hpp"
#include "program/coordinator.hpp"
#include "program/worker.hpp"
#include "report/report.hpp"

namespace {

struct Options {
  bench::RunOptions run;
  std::string output;
  std::string markdown;
  std::string from;
  // Of worker processes.
  std::string side;
  std::string group;
  std::string folder;
  std::size_t index = 0;
};

void describe_options(CLI::App & app, Options & options) {
  std::vector<std::string> groups;
  for (const bench::Group & group : bench::groups()) {
    groups.push_back(group.name);
  }
  groups.emplace_back("transports");
  app.add_option("--output", options.output, "write the results as JSON to this file");
  app.add_option("--markdown", options.markdown,
                 "put the tables into this Markdown file, between its 'tables: begin' and 'tables: end' comments");
  app.add_option("--from", options.from, "show the results in this JSON file instead of measuring")
      ->check(CLI::ExistingFile);
  app.add_option("--rounds", options.run.rounds, "bursts of every contestant; at least 20 for good intervals")
      ->check(CLI::Range(1, 10000));
  app.add_option("--only", options.run.groups,
                 "measure these groups only; bag, which writes gigabytes to the disk, is left out unless it is named")
      ->check(CLI::IsMember(groups))
      ->delimiter(',');
  app.add_option("--cpus", options.run.cpus, "the two processors to use (default: the first two)")->delimiter(',');
  app.add_flag("--quick", options.run.quick, "3 rounds of short bursts, to see that everything works");
  app.add_option("--worker", options.side)->group("");
  app.add_option("--group", options.group)->group("");
  app.add_option("--folder", options.folder)->group("");
  app.add_option("--index", options.index)->group("");
}

void choose_cpus(bench::RunOptions & options) {
  const std::vector<int> allowed = bench::allowed_cpus();
  if (options.cpus.empty()) {
    options.cpus = {allowed.at(0), allowed.at(allowed.size() > 1 ? 1 : 0)};
  }
  if (options.cpus.size() != 2) {
    throw std::runtime_error("--cpus wants two processors, for example --cpus 0,1");
  }
  for (const int cpu : options.cpus) {
    if (std::find(allowed.begin(), allowed.end(), cpu) == allowed.end()) {
      throw std::runtime_error(fmt::format("this process may not run on processor {}", cpu));
    }
  }
  if (options.cpus[0] == options.cpus[1]) {
    fmt::print(stderr, "warning: both sides share one processor; the polling figures then show its scheduler\n");
  }
}

int run(Options & options, bool rounds_given) {
  nlohmann::json result;
  if (!options.from.empty()) {
    result = nlohmann::json::parse(bench::read_file(options.from));
  } else {
    choose_cpus(options.run);
    if (options.run.quick && !rounds_given) {
      options.run.rounds = 3;
    }
    bench::catch_interrupts();
    result = bench::run_benchmarks(options.run);
  }
  fmt::print("{}", bench::render_terminal(result));
  if (!options.output.empty()) {
    bench::write_file(options.output, result.dump(1) + "\n");
  }
  if (!options.markdown.empty()) {
    bench::write_markdown(options.markdown, bench::render_markdown(result));
  }
  return 0;
}

}  // namespace

int main(int argc, char ** argv) {
  CLI::App app("Measures Tandem between two processes, against floors taken in the same run.", "bench");
  Options options;
  describe_options(app, options);
  CLI11_PARSE(app, argc, argv);
  if (!options.side.empty()) {
    const bench::Role role{options.side == "ping", options.index, options.folder};
    return bench::run_worker({options.group, role, options.run.cpus.at(0), options.run.quick});
  }
  try {
    return run(options, app.count("--rounds") != 0);
  } catch (const bench::Interrupted & interrupted) {
    fmt::print(stderr, "interrupted\n");
    return 128 + interrupted.signal;
  } catch (const std::exception & error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
