// The process that is killed or stopped: what it does, scenario by scenario.
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "options.hpp"
#include "single_stepper.hpp"
#include "survivor_roles.hpp"
#include "survivors.hpp"
#include "tandem/participant.hpp"

namespace tandem::test {

/// What it does between begin_phase() and end_phase() is stepped through, if there is a tracer.
class Victim {
 public:
  explicit Victim(VictimState & state) : state_(state) {}

  void join();
  void create_publisher(const EndpointOptions & options);
  void create_subscription(const EndpointOptions & options);
  void await_matches();
  /// join() to await_matches().
  void become_publisher(const EndpointOptions & options = {.keep_all = true});
  void become_reader(const EndpointOptions & options);

  /// Publishes, by `gated` calls to publish() or to borrow() or by none.
  enum class Gated { kNone, kBorrow, kPublish };
  void publish(int count, Gated gated);
  void publish_copy();
  void publish_allocation();
  /// Takes up to `count` messages and keeps each second one. Messages of one publisher come in order, and from "all"
  /// each if `all`.
  void take(int count, bool gated, bool all);
  void take_rest(bool all);
  void release();
  void close_publisher();
  void close_subscription();
  void leave();
  /// Messages that are kept are as they were.
  void check();
  void begin_phase();
  void end_phase();

 private:
  /// The next call is to be stepped through.
  void gate(bool wanted = true);
  void expect(bool condition, const char * what);

  VictimState & state_;
  std::optional<Participant> participant_;
  std::unique_ptr<Publisher> publisher_;
  std::unique_ptr<Subscription> subscription_;
  std::vector<Sample> kept_;
  std::uint64_t taken_ = 0;
  std::uint64_t next_[4] = {};
  bool has_begun_[4] = {};
};

struct Scenario {
  const char * name;
  SingleStepper::Thread thread = SingleStepper::Thread::kMain;
  void (*prepare)(Victim &);                ///< by the victim, before the phase
  void (*before)(Survivors &) = nullptr;    ///< by the survivors, after that
  void (*act)(Victim &);                    ///< the phase
  void (*finish)(Victim &) = nullptr;       ///< by the victim, if it lives: the end of its work
  void (*on_sleep)(Survivors &) = nullptr;  ///< by the survivors, when the victim is about to sleep in the phase
  void (*after)(Survivors &) = nullptr;  ///< by the survivors, when the victim was killed or stopped or is at its end
  bool may_stop = true;
  int kills = 100;  ///< points, a random sample of all
};

inline void PrintTo(const Scenario & scenario, std::ostream * stream) { *stream << scenario.name; }

const std::vector<Scenario> & scenarios();
/// nullptr when there is none of that name.
const Scenario * find_scenario(const std::string & name);

/// The victim's life, in a process of its own.
[[noreturn]] void live(const Scenario & scenario, VictimState & state);

}  // namespace tandem::test
