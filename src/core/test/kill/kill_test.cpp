// A process is killed, or stopped and continued, at each of its steps: nothing is lost, nothing is broken.
//
//   TANDEM_KILL_POINTS    points of each scenario at which it is killed, or "all"
//   TANDEM_STOP_POINTS    the same for stops
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <list>
#include <sstream>

#include "survivor_roles.hpp"
#include "tracer.hpp"
#include "victim.hpp"

namespace tandem::test {
namespace {

constexpr int kTracers = 2;

std::string setting(const char * name, const std::string & otherwise) {
  const char * text = std::getenv(name);
  return text != nullptr ? text : otherwise;
}

/// A tracer in a process and a folder of its own.
struct TracerProcess {
  TracerProcess(const Scenario & scenario, unsigned seed, int part)
      : tracer("tracer", {scenario.name, setting("TANDEM_KILL_POINTS", std::to_string(scenario.kills)),
                          setting("TANDEM_STOP_POINTS", "12"), std::to_string(seed), std::to_string(part),
                          std::to_string(kTracers)}) {}
  Folder folder;
  Child tracer;
};

struct Done {
  std::size_t kills = 0;
  std::size_t stops = 0;
  std::size_t points = 0;
  std::size_t places = 0;
};

/// Repeats what the tracer prints until it is done.
Done follow(Child & tracer) {
  Done done;
  std::string line;
  while ((line = tracer.read_line(300)).rfind("done ", 0) != 0) {
    if (line.rfind("progress", 0) != 0 && line.rfind("covered", 0) != 0) {
      ADD_FAILURE() << (line.empty() ? "the tracer says nothing" : line);
      return done;
    }
    std::cout << line << std::endl;
  }
  std::istringstream(line.substr(5)) >> done.kills >> done.stops >> done.points >> done.places;
  return done;
}

class Kill : public testing::TestWithParam<Scenario> {};

TEST_P(Kill, AtEachStep) {
  if (const std::string why = why_no_tracing(); !why.empty()) {
    GTEST_SKIP() << "a process may not trace its child here: " << why;
  }
  setenv("LD_BIND_NOW", "1", 1);          // libraries find each other at the start, not at some step
  setenv("TANDEM_REGION_SIZE", "64", 1);  // what looks at each page of it would be most of a run
  const unsigned seed = test::seed();
  std::list<TracerProcess> tracers;
  for (int part = 0; part < kTracers; ++part) {
    tracers.emplace_back(GetParam(), seed, part);
  }
  Done all;
  for (TracerProcess & process : tracers) {
    const Done done = follow(process.tracer);
    all = {all.kills + done.kills, all.stops + done.stops, done.points, done.places};
  }
  std::cout << "figures: " << GetParam().name << " has " << all.points << " points at " << all.places
            << " instructions; killed at " << all.kills << ", stopped at " << all.stops << std::endl;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Kill, testing::ValuesIn(scenarios()),
                         [](const auto & scenario) { return std::string(scenario.param.name); });

}  // namespace
}  // namespace tandem::test

int main(int argc, char ** argv) {
  using tandem::test::Role;
  return tandem::test::run(argc, argv, [](const std::string & name) -> Role {
    using Arguments = const std::vector<std::string> &;
    if (name == "writer") {
      return [](Arguments) { return tandem::test::run_writer(); };
    }
    if (name == "reader") {
      return [](Arguments) { return tandem::test::run_reader(); };
    }
    if (name == "tracer") {
      return [](Arguments arguments) { return tandem::test::run_tracer(arguments); };
    }
    return {};
  });
}
