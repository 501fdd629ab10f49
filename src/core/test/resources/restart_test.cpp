// Processes that are restarted again and again, half of them killed: nothing of them stays.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <memory>

#include "subject.hpp"
#include "sweep.hpp"

namespace tandem::test {
namespace {

int rounds() {
  if (const char * text = std::getenv("TANDEM_RESOURCES_RESTARTS")) {
    return static_cast<int>(std::strtol(text, nullptr, 10));
  }
  return scale() < 0.06 ? 6 : scale() < 1 ? 16 : 50;
}

/// What a process has, once nothing moves any more.
struct Belongings {
  std::size_t descriptors;
  std::size_t mappings;
  std::size_t in_use;
  std::size_t committed;
  bool operator==(const Belongings & other) const {
    return descriptors == other.descriptors && mappings == other.mappings && in_use == other.in_use;
  }
  /// A block that the publisher keeps for the next message may have gone back meanwhile.
  bool is_no_more_than(const Belongings & other) const {
    return descriptors == other.descriptors && mappings == other.mappings && in_use <= other.in_use;
  }
};

void PrintTo(const Belongings & b, std::ostream * out) {
  *out << b.descriptors << " descriptors, " << b.mappings << " mappings, " << b.in_use << " bytes in use, "
       << b.committed << " committed";
}

Belongings of(Station & station) {
  const pid_t pid = station.child().pid();
  return {descriptors_of(pid), mappings_of(pid), station.in_use(), station.call<committed>()};
}

class Restarts : public testing::Test {
 protected:
  Restarts() : survivor_(Place::kElsewhere) {
    EXPECT_TRUE(survivor_.join(0));
    EXPECT_TRUE(survivor_.create_publisher("p", "down", {.depth = 5, .transient = true}));
    EXPECT_TRUE(survivor_.create_subscription("s", "up", {.depth = 20}));
    EXPECT_TRUE(survivor_.publish("p", 10, 20000));
  }
  /// One life of a guest that publishes "up" or reads "down". \return what the survivor has afterwards.
  void live(bool publishes, bool is_killed) {
    Station guest(Place::kElsewhere);
    ASSERT_TRUE(guest.join(0));
    if (publishes) {
      ASSERT_TRUE(guest.create_publisher("p", "up", {.depth = 5}));
      ASSERT_TRUE(guest.until_matched("p", 1) && survivor_.until_matched("s", 1));
      ASSERT_TRUE(guest.publish("p", 5, 20000));
      ASSERT_TRUE(survivor_.await("s", 5));
    } else {
      ASSERT_TRUE(guest.create_subscription("s", "down", {.depth = 5, .transient = true}));
      ASSERT_TRUE(guest.until_matched("s", 1) && survivor_.until_matched("p", 1));
      ASSERT_FALSE(guest.keep("s", 3).empty());
      ASSERT_TRUE(survivor_.publish("p", 5, 20000));
      ASSERT_FALSE(guest.take("s", 5).empty());
    }
    if (is_killed) {
      guest.child().kill();
    } else {
      ASSERT_EQ(guest.finish(), 0);
    }
  }
  bool is_alone() {
    return wait_until([&] {
      return folder_.files(0, ".region").size() == 1 && folder_.files(0, ".bell").size() == 1 &&
             survivor_.graph_size().processes == 1;
    });
  }
  void run(bool publishes) {
    const int all = rounds();
    Belongings first{};
    for (int round = 0; round < all; ++round) {
      live(publishes, round % 2 == 1);
      ASSERT_FALSE(HasFailure()) << "round " << round;
      if (round == 3) {
        ASSERT_TRUE(is_alone());
        ASSERT_TRUE(wait_until([&] {  // what the last reader held comes back with its housekeeping
          const Belongings now = of(survivor_);
          const bool same = now == first;
          first = now;
          return same;
        }));
      }
      if (round % 100 == 99) {
        std::cout << round + 1 << "/" << all << std::endl;
      }
    }
    ASSERT_TRUE(is_alone());
    EXPECT_TRUE(wait_until([&] { return of(survivor_).is_no_more_than(first); }))
        << testing::PrintToString(of(survivor_)) << "; after the first ones " << testing::PrintToString(first);
    EXPECT_LE(of(survivor_).committed, first.committed + (16U << 20));
    EXPECT_TRUE(survivor_.log().empty());
    std::cout << "figures: " << all << " restarts of a " << (publishes ? "publisher" : "subscriber") << ", "
              << testing::PrintToString(of(survivor_)) << " left to the survivor; after four "
              << testing::PrintToString(first) << std::endl;
    EXPECT_EQ(survivor_.finish(), 0);
    EXPECT_TRUE(folder_.files(0, ".region").empty() && folder_.files(0, ".bell").empty());
  }

  Folder folder_;
  Station survivor_;
};

TEST_F(Restarts, OfAPublisherLeaveNothing) { run(true); }
TEST_F(Restarts, OfASubscriberLeaveNothing) { run(false); }

}  // namespace
}  // namespace tandem::test
