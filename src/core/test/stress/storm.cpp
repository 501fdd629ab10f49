#include "storm.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <random>
#include <thread>

#include "harness.hpp"
#include "roles.hpp"

namespace tandem::test {
namespace {

/// A child's worker and role; it is started again when it is killed.
struct Place {
  std::string role;
  std::size_t worker = 0;
  std::unique_ptr<Child> child;
};

class Coordinator {
 public:
  explicit Coordinator(const Storm & storm)
      : storm_(storm), counters_(map_counters(storm.counters)), random_(storm.seed) {
    for (unsigned worker = 0; worker < storm.writers + storm.readers; ++worker) {
      places_.push_back({worker < storm.writers ? "storm_writer" : "storm_reader", worker, nullptr});
      start(places_.back());
    }
  }

  StormEnd run() {
    Watchdog watchdog("storm", [this] { return counters_.text(); });
    while (!is_over()) {
      await_progress(random_() % 30000, 1);
      Place & place = places_[random_() % places_.size()];
      if (random_() % 3 != 0) {
        place.child->signal(SIGSTOP);
        const bool is_long = random_() % 4 == 0;  // so that rings become full
        await_progress(is_long ? 300000 : random_() % 10000, is_long ? 0.5 : 0.05);
        place.child->signal(SIGCONT);
        ++end_.stopped;
      } else if (has_ended(place)) {
        ++end_.broken;
        break;
      } else {
        place.child->kill();
        start(place);
        ++end_.killed;
      }
      if (const std::uint64_t taken = counters_.sum(&WorkerCounters::taken); taken != beaten_) {
        beaten_ = taken;
        watchdog.beat();
      }
      report();
    }
    counters_.stop = true;
    for (Place & place : places_) {
      end_.broken += place.child->finish() == 0 ? 0 : 1;
    }
    return end_;
  }

 private:
  bool is_over() const {
    return counters_.sum(&WorkerCounters::reused) >= storm_.reuses ||
           (storm_.any_fault_ends_it && counters_.faults() != 0);
  }
  void start(Place & place) {
    const std::string seed = std::to_string(random_());
    place.child = std::make_unique<Child>(
        place.role, std::vector<std::string>{storm_.counters, std::to_string(place.worker), seed});
  }
  static bool has_ended(const Place & place) {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(place.child->pid()), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
  }
  void await_progress(std::uint64_t messages, double seconds) const {
    const std::uint64_t end = counters_.sum(&WorkerCounters::taken) + messages;
    wait_until([&] { return counters_.sum(&WorkerCounters::taken) >= end || is_over(); }, seconds);
  }
  void report() {
    if (const auto now = std::chrono::steady_clock::now(); now >= next_report_) {
      next_report_ = now + std::chrono::seconds(10);
      std::cout << "done " << counters_.sum(&WorkerCounters::reused) << "/" << storm_.reuses << ": " << counters_.text()
                << ", " << end_.killed << " killed, " << end_.stopped << " stopped" << std::endl;
    }
  }

  const Storm & storm_;
  SharedCounters & counters_;
  std::mt19937 random_;
  std::vector<Place> places_;
  StormEnd end_;
  std::uint64_t beaten_ = 0;
  std::chrono::steady_clock::time_point next_report_ = std::chrono::steady_clock::now();
};

StormEnd run_threads(const Storm & storm) {
  SharedCounters & counters = map_counters(storm.counters);
  std::mt19937 random(storm.seed);
  Watchdog watchdog("storm", [&] { return counters.text(); });
  std::vector<std::thread> threads;
  for (unsigned worker = 0; worker < storm.writers + storm.readers; ++worker) {
    const std::vector<std::string> arguments{storm.counters, std::to_string(worker), std::to_string(random())};
    threads.emplace_back(worker < storm.writers ? storm_writer : storm_reader, arguments);
  }
  for (std::uint64_t seen = 0; counters.sum(&WorkerCounters::reused) < storm.reuses;) {
    const std::uint64_t end = seen + 1000;
    if (wait_until([&] { return (seen = counters.sum(&WorkerCounters::taken)) >= end; }, 1)) {
      watchdog.beat();
    }
  }
  counters.stop = true;
  for (std::thread & thread : threads) {
    thread.join();
  }
  return {};
}

}  // namespace

StormEnd run_storm(const Storm & storm) { return storm.in_threads ? run_threads(storm) : Coordinator(storm).run(); }

}  // namespace tandem::test
