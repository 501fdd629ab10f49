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

Belongings of(Child & child) {
  return {descriptors_of(child.pid()), mappings_of(child.pid()), std::stoul(child.ask("in_use")),
          std::stoul(child.ask("committed"))};
}

bool until(Child & child, const std::string & line, const std::string & wanted) {
  return wait_until([&] { return child.ask(line) == wanted; });
}

class Restarts : public testing::Test {
 protected:
  Restarts() : survivor_("subject") {
    EXPECT_EQ(survivor_.ask("join 0"), "ok");
    EXPECT_EQ(survivor_.ask("pub p down depth=5 transient"), "ok");
    EXPECT_EQ(survivor_.ask("sub s up depth=20"), "ok");
    EXPECT_EQ(survivor_.ask("publish p 10 20000"), "ok");
  }
  /// One life of a guest that publishes "up" or reads "down". \return what the survivor has afterwards.
  void live(bool publishes, bool is_killed) {
    Child guest("subject");
    ASSERT_EQ(guest.ask("join 0"), "ok");
    if (publishes) {
      ASSERT_EQ(guest.ask("pub p up depth=5"), "ok");
      ASSERT_TRUE(until(guest, "matched p", "1") && until(survivor_, "matched s", "1"));
      ASSERT_EQ(guest.ask("publish p 5 20000"), "ok");
      ASSERT_EQ(survivor_.ask("await s 5"), "ok");
    } else {
      ASSERT_EQ(guest.ask("sub s down depth=5 transient"), "ok");
      ASSERT_TRUE(until(guest, "matched s", "1") && until(survivor_, "matched p", "1"));
      ASSERT_NE(guest.ask("keep s 3"), "nothing");
      ASSERT_EQ(survivor_.ask("publish p 5 20000"), "ok");
      ASSERT_NE(guest.ask("take s 5"), "nothing");
    }
    if (is_killed) {
      guest.kill();
    } else {
      ASSERT_EQ(guest.finish(), 0);
    }
  }
  bool is_alone() {
    return wait_until([&] {
      return folder_.files(0, ".region").size() == 1 && folder_.files(0, ".bell").size() == 1 &&
             survivor_.ask("processes").rfind("1 ", 0) == 0;
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
    EXPECT_EQ(survivor_.ask("log"), "none");
    std::cout << "figures: " << all << " restarts of a " << (publishes ? "publisher" : "subscriber") << ", "
              << testing::PrintToString(of(survivor_)) << " left to the survivor; after four "
              << testing::PrintToString(first) << std::endl;
    EXPECT_EQ(survivor_.finish(), 0);
    EXPECT_TRUE(folder_.files(0, ".region").empty() && folder_.files(0, ".bell").empty());
  }

  Folder folder_;
  Child survivor_;
};

TEST_F(Restarts, OfAPublisherLeaveNothing) { run(true); }
TEST_F(Restarts, OfASubscriberLeaveNothing) { run(false); }

}  // namespace
}  // namespace tandem::test
