// The phases, each with what goes before it.
#include "guest.hpp"
#include "publisher_body.hpp"

namespace tandem::test {
namespace {

using Gated = Guest::Gated;
using Thread = Walker::Thread;

/// By how many messages the guest may be ahead: more than a word of a bitmap has bits. Each kill costs as many to fill
/// the ring, and as many are steps of the walk when they are collected.
constexpr std::uint32_t kGuestLead = 100;

void prepare_nothing(Guest &) {}

void become_publisher(Guest & guest) {
  guest.become_publisher();
  guest.publish(4, Gated::kNone);
}

void fill_ring(Guest & guest) {
  PublisherBody::greatest_lead = kGuestLead;
  guest.become_publisher();
  guest.publish(static_cast<int>(kGuestLead), Gated::kNone);
}

void become_reader(Guest & guest) { guest.become_reader("keep_all quota=2"); }

/// The reader has some of the guest's messages, and keeps others.
void read_some(Stage & stage) {
  stage.reader("guest 2");
  stage.reader("keep 1");
}

void publish_some(Stage & stage) { stage.publish(4); }

void finish_publisher(Guest & guest) {
  guest.publish(3, Gated::kNone);
  guest.leave();
}

void finish_reader(Guest & guest) {
  guest.take_rest(true);
  guest.check();
}

void join_as_publisher(Guest & guest) {
  guest.join();
  guest.create_publisher("depth=10");  // a step for each of the 16,384 slots of keep-all would be most of the walk
  guest.await_matches();
}

void join_as_reader(Guest & guest) {
  guest.join();
  guest.create_subscription("keep_all");
  guest.await_matches();
}

void leave_as_publisher(Guest & guest) {
  guest.close_publisher();
  guest.leave();
}

void take_and_leave(Guest & guest) {
  guest.take(5, false, true);
  guest.close_subscription();
  guest.release();
  guest.leave();
}

void take_and_leave_housekeeping(Guest & guest) {
  guest.take(5, false, true);
  guest.close_subscription();
  guest.check();
  guest.release();
}

std::vector<Scene> make_scenes() {
  std::vector<Scene> all;
  all.push_back({.name = "borrow",
                 .prepare = become_publisher,
                 .before = read_some,
                 .act = [](Guest & guest) { guest.publish(6, Gated::kBorrow); },
                 .finish = finish_publisher});
  all.push_back({.name = "publish",
                 .prepare = become_publisher,
                 .before = read_some,
                 .act =
                     [](Guest & guest) {
                       guest.publish(5, Gated::kPublish);
                       guest.publish_copy();
                       guest.publish_allocation();
                     },
                 .finish = finish_publisher});
  all.push_back({.name = "publish_wake",
                 .prepare = [](Guest & guest) { guest.become_publisher(); },
                 .before = [](Stage & stage) { stage.reader("sleep"); },
                 .act = [](Guest & guest) { guest.publish(1, Gated::kPublish); },
                 .finish = finish_publisher,
                 .after = [](Stage & stage) { stage.verify_wake(); },
                 .kills = 40});
  all.push_back({.name = "publish_wait",
                 .prepare = fill_ring,
                 .act = [](Guest & guest) { guest.publish(3, Gated::kPublish); },
                 .finish = [](Guest & guest) { guest.leave(); },
                 .on_sleep = [](Stage & stage) { stage.reader("guest 1"); },
                 .kills = 60});
  all.push_back({.name = "take",
                 .prepare = become_reader,
                 .before = publish_some,
                 .act = [](Guest & guest) { guest.take(10, true, true); },
                 .finish = finish_reader});
  all.push_back({.name = "take_lapped",
                 .prepare = [](Guest & guest) { guest.become_reader("depth=2"); },
                 .before = [](Stage & stage) { stage.verify_lap(); },
                 .act = [](Guest & guest) { guest.take(10, true, false); },
                 .finish =
                     [](Guest & guest) {
                       guest.take_rest(false);
                       guest.check();
                     }});
  all.push_back({.name = "take_waited",
                 .prepare = become_reader,
                 .before = [](Stage & stage) { stage.fill(); },
                 .act = [](Guest & guest) { guest.take(3, true, true); },
                 .finish = finish_reader,
                 .after = [](Stage & stage) { stage.end_fill(); },
                 .may_stop = false,
                 .kills = 60});
  all.push_back({.name = "release",
                 .prepare = become_reader,
                 .before = publish_some,
                 .act =
                     [](Guest & guest) {
                       guest.take(10, false, true);
                       guest.release();
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
  all.push_back({.name = "leave_publisher_housekeeping",
                 .thread = Thread::kHousekeeping,
                 .prepare = become_publisher,
                 .before = [](Stage & stage) { stage.drain(); },  // so that the reader lets go as soon as it is told
                 .act = [](Guest & guest) { guest.close_publisher(); },
                 .finish = [](Guest & guest) { guest.leave(); }});
  all.push_back({.name = "leave_reader", .prepare = become_reader, .before = publish_some, .act = take_and_leave});
  all.push_back({.name = "leave_reader_housekeeping",
                 .thread = Thread::kHousekeeping,
                 .prepare = become_reader,
                 .before = publish_some,
                 .act = take_and_leave_housekeeping,
                 .finish = [](Guest & guest) { guest.leave(); }});
  all.push_back(
      {.name = "exit", .prepare = become_publisher, .before = read_some, .act = [](Guest &) { std::exit(0); }});
  return all;
}

}  // namespace

const std::vector<Scene> & scenes() {
  static const std::vector<Scene> all = make_scenes();
  return all;
}

const Scene * find_scene(const std::string & name) {
  for (const Scene & scene : scenes()) {
    if (name == scene.name) {
      return &scene;
    }
  }
  return nullptr;
}

}  // namespace tandem::test
