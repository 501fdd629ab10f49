#include "tracer.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <random>
#include <set>
#include <utility>

#include "payload.hpp"
#include "tandem/kept_region.hpp"
#include "victim.hpp"

namespace tandem::test {
namespace {

enum class Deed { kKill, kStop, kNothing };

/// The point that is at work: said when it takes too long.
char current[300] = "the survivors's start";

void on_alarm(int) {
  char line[400];
  const int length = std::snprintf(line, sizeof line, "error: it hangs: %s\n", current);
  _exit(write(1, line, static_cast<std::size_t>(length)) > 0 ? 7 : 9);
}

std::string describe(const Event & event) {
  Dl_info info{};
  std::string text = "the begin";
  if (event.from != 0 && dladdr(reinterpret_cast<void *>(event.from), &info) != 0) {
    char place[40];
    std::snprintf(place, sizeof place, "+0x%lx",
                  static_cast<unsigned long>(event.from - reinterpret_cast<std::uint64_t>(info.dli_fbase)));
    text = std::string(info.dli_sname != nullptr ? info.dli_sname : "?") + " (core" + place + ") visit " +
           std::to_string(event.visit);
  }
  if (event.kind == Event::Kind::kInstruction) {
    return text;
  }
  return text + ", then event " + std::to_string(event.extra) + ": " +
         (event.kind == Event::Kind::kCall ? "call of" : "return from") + " system call " +
         std::to_string(event.number);
}

class Tracer {
 public:
  explicit Tracer(const Scenario & scenario) : scenario_(scenario) {}

  /// All events of the phase.
  std::vector<Event> reference();
  /// False if the phase ended before the point.
  bool perform(const Event & point, Deed deed);
  /// The survivors learns what it has when nobody is there. It publishes most while a victim stands still.
  void warm_up();

 private:
  std::unique_ptr<SingleStepper> begin();
  bool reach(SingleStepper & stepper, const Event & point);
  void after();
  void verify_remains();
  void finish(SingleStepper & stepper);

  const Scenario & scenario_;
  Survivors survivors_;
  inspection::RegionKeeper keeper_{"", 0};
};

std::unique_ptr<SingleStepper> Tracer::begin() {
  alarm(120);
  survivors_.reset_state();
  VictimState & state = survivors_.state();
  const pid_t child = fork();
  if (child == 0) {
    live(scenario_, state);
  }
  auto stepper = std::make_unique<SingleStepper>(child, scenario_.thread, [&state] { return state.over.load(); });
  if (scenario_.on_sleep != nullptr) {
    stepper->set_on_call([this](long number) {
      if (number == SYS_futex) {
        scenario_.on_sleep(survivors_);
      }
    });
  }
  state.go = true;
  if (!stepper->start()) {
    throw Fault(std::string("the victim has ended before its phase: ") + state.failure);
  }
  if (scenario_.before != nullptr) {
    scenario_.before(survivors_);
  }
  return stepper;
}

bool Tracer::reach(SingleStepper & stepper, const Event & point) {
  if (point.from != 0 && !stepper.seek(point.from, point.visit)) {
    return false;
  }
  const std::uint32_t steps = point.extra + (point.from != 0 ? 1 : 0);
  for (std::uint32_t i = 0; i < steps; ++i) {
    if (stepper.next().kind == Event::Kind::kEnd) {
      return false;
    }
  }
  return true;
}

void Tracer::after() {
  if (scenario_.after != nullptr) {
    scenario_.after(survivors_);
  }
}

void Tracer::finish(SingleStepper & stepper) {
  const int status = stepper.finish();
  if (status != 0) {
    throw Fault("the victim ends with " + std::to_string(status) + ": " + survivors_.state().failure);
  }
}

/// What the victim has left in its rings is whole, whatever it was doing.
void Tracer::verify_remains() {
  for (const auto & dead : keeper_.look()) {
    const inspection::Region region = dead->read();
    for (const inspection::Publisher & publisher : region.publishers) {
      const std::string whose = "the dead publisher of " + publisher.info.topic;
      std::uint64_t last = 0;
      for (const auto & message : dead->messages(publisher)) {
        if (!is_whole(message.memory, message.size)) {
          throw Fault(whose + " has left a torn message: " + std::to_string(message.number));
        }
        if (last != 0 && message.number != last + 1) {
          throw Fault(whose + " has left message " + std::to_string(message.number) + " behind " +
                      std::to_string(last));
        }
        last = message.number;
      }
    }
  }
}

bool Tracer::perform(const Event & point, Deed deed) {
  const auto stepper = begin();
  const bool reached = deed != Deed::kNothing && reach(*stepper, point);
  if (deed == Deed::kKill) {
    keeper_.look();
    stepper->kill();
    verify_remains();
    after();
    survivors_.verify_flow();
  } else if (deed == Deed::kStop) {
    const pid_t victim = stepper->stop();
    after();
    survivors_.verify_flow();
    survivors_.verify_lap();
    if (victim != 0) {
      ::kill(victim, SIGCONT);
    }
    finish(*stepper);
    survivors_.verify_flow();
  } else {
    stepper->release();
    finish(*stepper);
    after();
    survivors_.verify_flow();
    survivors_.verify_lap();
  }
  survivors_.verify_clean();
  return reached;
}

void Tracer::warm_up() {
  const Deed deed = scenario_.may_stop ? Deed::kStop : Deed::kNothing;
  perform({}, deed);
  perform({}, deed);
}

std::vector<Event> Tracer::reference() {
  std::vector<Event> events;
  const auto stepper = begin();
  for (Event event = stepper->next(); event.kind != Event::Kind::kEnd; event = stepper->next()) {
    events.push_back(event);
  }
  stepper->release();
  finish(*stepper);
  after();
  survivors_.verify_flow();
  survivors_.verify_clean();
  return events;
}

// ---- the choice of points ------------------------------------------------------------------------------------------

std::vector<std::size_t> choose(std::size_t count, const std::string & wanted, std::mt19937 & random) {
  std::vector<std::size_t> chosen(count);
  for (std::size_t i = 0; i < count; ++i) {
    chosen[i] = i;
  }
  if (wanted != "all") {
    std::shuffle(chosen.begin(), chosen.end(), random);
    chosen.resize(std::min<std::size_t>(count, std::stoul(wanted)));
  }
  return chosen;
}

struct Part {
  std::size_t index;
  std::size_t count;
};

class Run {
 public:
  Run(const Scenario & scenario, unsigned seed, Part part)
      : scenario_(scenario), tracer_(scenario), random_(seed), part_(part) {}

  void prepare() {
    tracer_.warm_up();
    // What another process's timing adds to a run is not met again: the shortest is the one to repeat.
    events_ = tracer_.reference();
    for (int i = 0; i < 2; ++i) {
      if (auto events = tracer_.reference(); events.size() < events_.size()) {
        events_ = std::move(events);
      }
    }
  }
  std::size_t points() const { return events_.size(); }
  std::size_t places() const {
    std::set<std::uint64_t> places;
    for (const Event & event : events_) {
      places.insert(event.from);
    }
    return places.size();
  }

  std::size_t work(Deed deed, const std::string & wanted) {
    const auto chosen = choose(events_.size(), wanted, random_);
    std::size_t done = 0;
    std::size_t missed = 0;
    auto next_line = std::chrono::steady_clock::now();
    for (std::size_t i = part_.index; i < chosen.size(); i += part_.count) {
      const Event & event = events_[chosen[i]];
      const char * verb = deed == Deed::kKill ? "killed" : "stopped";
      std::snprintf(current, sizeof current, "%s, %s after point %zu: %s", scenario_.name, verb, chosen[i],
                    describe(event).c_str());
      missed += tracer_.perform(event, deed) ? 0 : 1;
      ++done;
      if (const auto now = std::chrono::steady_clock::now(); now >= next_line) {
        next_line = now + std::chrono::seconds(5);
        std::cout << "progress " << scenario_.name << ": " << verb << " at " << i + 1 << " of " << chosen.size()
                  << " points" << std::endl;
      }
    }
    if (missed != 0) {
      std::cout << "covered " << scenario_.name << ": " << missed << " of " << done
                << " points were not met again; the phase had ended before" << std::endl;
    }
    return done;
  }

 private:
  const Scenario & scenario_;
  Tracer tracer_;
  std::mt19937 random_;
  Part part_;
  std::vector<Event> events_;
};

}  // namespace

int run_tracer(const std::vector<std::string> & arguments) {
  const Scenario * scenario = arguments.size() == 6 ? find_scenario(arguments[0]) : nullptr;
  if (scenario == nullptr) {
    return 3;
  }
  signal(SIGALRM, on_alarm);
  alarm(120);
  try {
    const auto seed = static_cast<unsigned>(std::stoul(arguments[3]));
    Run run(*scenario, seed, {std::stoul(arguments[4]), std::stoul(arguments[5])});
    run.prepare();
    const std::size_t kills = run.work(Deed::kKill, arguments[1]);
    const std::size_t stops = scenario->may_stop ? run.work(Deed::kStop, arguments[2]) : 0;
    std::cout << "done " << kills << " " << stops << " " << run.points() << " " << run.places() << std::endl;
  } catch (const Fault & fault) {
    std::cout << "error: " << current << ": " << fault.what() << std::endl;
    return 1;
  }
  return 0;
}

std::string why_no_tracing() {
  const pid_t child = fork();
  if (child == 0) {
    for (;;) {
      pause();
    }
  }
  const long result = ptrace(PTRACE_SEIZE, child, nullptr, nullptr);
  const std::string why = result == 0 ? "" : std::strerror(errno);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return why;
}

}  // namespace tandem::test
