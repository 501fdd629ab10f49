// The phases, each with what goes before it.
#include <cstdlib>

#include "victim.hpp"

namespace tandem::test {
namespace {

using Gated = Victim::Gated;
using Thread = SingleStepper::Thread;

/// By how many messages the victim may be ahead: more than a word of a bitmap has bits. Each kill costs as many to fill
/// the ring, and as many are steps of the run when they are collected.
constexpr std::uint32_t kVictimMaxSamples = 100;

void prepare_nothing(Victim &) {}

void become_publisher(Victim & victim) {
  victim.become_publisher();
  victim.publish(4, Gated::kNone);
}

void fill_ring(Victim & victim) {
  victim.become_publisher({.keep_all = true, .samples = kVictimMaxSamples});
  victim.publish(static_cast<int>(kVictimMaxSamples), Gated::kNone);
}

void become_reader(Victim & victim) { victim.become_reader({.keep_all = true, .quota = 2}); }

/// The reader has some of the victim's messages, and keeps others.
void read_some(Survivors & survivors) {
  survivors.reader("victim 2");
  survivors.reader("keep 1");
}

void publish_some(Survivors & survivors) { survivors.publish(4); }

void finish_publisher(Victim & victim) {
  victim.publish(3, Gated::kNone);
  victim.leave();
}

void finish_reader(Victim & victim) {
  victim.take_rest(true);
  victim.check();
}

void join_as_publisher(Victim & victim) {
  victim.join();
  victim.create_publisher({.depth = 10});  // a step for each of the 16,384 slots of keep-all would be most of the run
  victim.await_matches();
}

void join_as_reader(Victim & victim) {
  victim.join();
  victim.create_subscription({.keep_all = true});
  victim.await_matches();
}

void leave_as_publisher(Victim & victim) {
  victim.close_publisher();
  victim.leave();
}

void take_and_leave(Victim & victim) {
  victim.take(5, false, true);
  victim.close_subscription();
  victim.release();
  victim.leave();
}

void take_and_leave_housekeeping(Victim & victim) {
  victim.take(5, false, true);
  victim.close_subscription();
  victim.check();
  victim.release();
}

std::vector<Scenario> make_scenes() {
  std::vector<Scenario> all;
  all.push_back({.name = "borrow",
                 .prepare = become_publisher,
                 .before = read_some,
                 .act = [](Victim & victim) { victim.publish(6, Gated::kBorrow); },
                 .finish = finish_publisher});
  all.push_back({.name = "publish",
                 .prepare = become_publisher,
                 .before = read_some,
                 .act =
                     [](Victim & victim) {
                       victim.publish(5, Gated::kPublish);
                       victim.publish_copy();
                       victim.publish_allocation();
                     },
                 .finish = finish_publisher});
  all.push_back({.name = "publish_wake",
                 .prepare = [](Victim & victim) { victim.become_publisher(); },
                 .before = [](Survivors & survivors) { survivors.reader("sleep"); },
                 .act = [](Victim & victim) { victim.publish(1, Gated::kPublish); },
                 .finish = finish_publisher,
                 .after = [](Survivors & survivors) { survivors.verify_wake(); },
                 .kills = 40});
  all.push_back({.name = "publish_wait",
                 .prepare = fill_ring,
                 .act = [](Victim & victim) { victim.publish(3, Gated::kPublish); },
                 .finish = [](Victim & victim) { victim.leave(); },
                 .on_sleep = [](Survivors & survivors) { survivors.reader("victim 1"); },
                 .kills = 60});
  all.push_back({.name = "take",
                 .prepare = become_reader,
                 .before = publish_some,
                 .act = [](Victim & victim) { victim.take(10, true, true); },
                 .finish = finish_reader});
  all.push_back({.name = "take_lapped",
                 .prepare = [](Victim & victim) { victim.become_reader({.depth = 2}); },
                 .before = [](Survivors & survivors) { survivors.verify_lap(); },
                 .act = [](Victim & victim) { victim.take(10, true, false); },
                 .finish =
                     [](Victim & victim) {
                       victim.take_rest(false);
                       victim.check();
                     }});
  all.push_back({.name = "take_waited",
                 .prepare = become_reader,
                 .before = [](Survivors & survivors) { survivors.fill(); },
                 .act = [](Victim & victim) { victim.take(3, true, true); },
                 .finish = finish_reader,
                 .after = [](Survivors & survivors) { survivors.end_fill(); },
                 .may_stop = false,
                 .kills = 60});
  all.push_back({.name = "release",
                 .prepare = become_reader,
                 .before = publish_some,
                 .act =
                     [](Victim & victim) {
                       victim.take(10, false, true);
                       victim.release();
                     },
                 .finish = finish_reader});
  all.push_back(
      {.name = "join_publisher", .prepare = prepare_nothing, .act = join_as_publisher, .finish = finish_publisher});
  all.push_back({.name = "join_publisher_housekeeping",
                 .thread = Thread::kHousekeeping,
                 .prepare = prepare_nothing,
                 .act = join_as_publisher,
                 .finish = finish_publisher});
  all.push_back({.name = "join_reader", .prepare = prepare_nothing, .act = join_as_reader, .finish = finish_reader});
  all.push_back({.name = "join_reader_housekeeping",
                 .thread = Thread::kHousekeeping,
                 .prepare = prepare_nothing,
                 .act = join_as_reader,
                 .finish = finish_reader});
  all.push_back(
      {.name = "leave_publisher", .prepare = become_publisher, .before = read_some, .act = leave_as_publisher});
  all.push_back(
      {.name = "leave_publisher_housekeeping",
       .thread = Thread::kHousekeeping,
       .prepare = become_publisher,
       .before = [](Survivors & survivors) { survivors.drain(); },  // so that the reader lets go as soon as it is told
       .act = [](Victim & victim) { victim.close_publisher(); },
       .finish = [](Victim & victim) { victim.leave(); }});
  all.push_back({.name = "leave_reader", .prepare = become_reader, .before = publish_some, .act = take_and_leave});
  all.push_back({.name = "leave_reader_housekeeping",
                 .thread = Thread::kHousekeeping,
                 .prepare = become_reader,
                 .before = publish_some,
                 .act = take_and_leave_housekeeping,
                 .finish = [](Victim & victim) { victim.leave(); }});
  all.push_back(
      {.name = "exit", .prepare = become_publisher, .before = read_some, .act = [](Victim &) { std::exit(0); }});
  return all;
}

}  // namespace

const std::vector<Scenario> & scenarios() {
  static const std::vector<Scenario> all = make_scenes();
  return all;
}

const Scenario * find_scenario(const std::string & name) {
  for (const Scenario & scenario : scenarios()) {
    if (name == scenario.name) {
      return &scenario;
    }
  }
  return nullptr;
}

}  // namespace tandem::test
