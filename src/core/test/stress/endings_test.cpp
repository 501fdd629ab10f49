// Publishers and readers that are killed at random places while memory is used again.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>

#include "reading.hpp"
#include "roles.hpp"

namespace tandem::test {

/// Arguments: depth. Publishes until it is killed.
int flooding(const std::vector<std::string> & arguments) {
  const auto participant = Participant::join(0);
  const auto out = make_publisher(*participant, options_of(arguments[0]));
  wait_until([&] { return out->matched_count() == 1; });
  std::cout << "ready" << std::endl;
  for (std::uint64_t counter = 0;; ++counter) {
    send(*out, counter, 512);
  }
}

/// Arguments: depth, seed. Takes until it is killed.
int draining(const std::vector<std::string> & arguments) {
  const auto participant = Participant::join(0);
  const auto in = make_subscription(*participant, options_of(arguments[0]));
  Tally tally;
  Reader reader(*in, tally, static_cast<unsigned>(std::stoul(arguments[1])));
  wait_until([&] { return in->matched_count() == 1; });
  std::cout << "ready" << std::endl;
  while (tally.torn == 0 && tally.disordered == 0) {
    reader.step();
  }
  std::cout << "error " << tally.text() << std::endl;
  return 1;
}

namespace {

class Endings : public testing::TestWithParam<int> {
 protected:
  std::string depth() const { return std::to_string(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Depth, Endings, testing::Values(1, 2, 3, 10), testing::PrintToStringParamName());

// A publisher that dies between marking a message gone and storing its head must not stop its readers.
TEST_P(Endings, AreGoodWhenThePublisherIsKilled) {
  const Folder folder;
  std::mt19937 random(seed());
  const auto participant = Participant::join(0);
  const auto in = make_subscription(*participant, options_of(depth()));
  const std::uint64_t rounds = std::max<std::uint64_t>(3, static_cast<std::uint64_t>(15 * scale()));
  std::uint64_t round = 0;
  Tally tally;
  Watchdog watchdog("reader", [&] {
    return "round " + std::to_string(round) + ": " + tally.text() + " lost " + std::to_string(in->lost()) +
           " matched " + std::to_string(in->matched_count());
  });
  for (; round < rounds; ++round) {  // the dead of the last rounds may still be there: that must not matter
    Child publisher("flooding", {depth()});
    ASSERT_EQ(publisher.read_line(), "ready");
    tally.taken = 0;
    Reader reader(*in, tally, random());
    const std::uint64_t enough = 1 + random() % 100;
    while (tally.taken < enough) {
      if (!reader.step()) {
        std::this_thread::yield();
      }
    }
    publisher.kill();
    // What is left ends: at most a ring's worth, whatever state it was left in.
    std::uint64_t left = 0;
    while (reader.step()) {
      ++left;
    }
    EXPECT_LE(left, 16384U);
    EXPECT_FALSE(in->has_data()) << "round " << round << ": data that take does not give";
    ASSERT_EQ(tally.torn, 0U);
    ASSERT_EQ(tally.disordered, 0U);
    watchdog.beat();
  }
  EXPECT_TRUE(wait_until([&] { return in->matched_count() == 0; })) << "dead publishers are still there";
}

TEST_P(Endings, AreGoodWhenReadersAreKilled) {
  const Folder folder;
  std::mt19937 random(seed());
  const auto participant = Participant::join(0);
  const auto out = make_publisher(*participant, options_of(depth()));
  const std::uint64_t rounds = std::max<std::uint64_t>(3, static_cast<std::uint64_t>(15 * scale()));
  std::uint64_t sent = 0;
  std::uint64_t round = 0;
  Watchdog watchdog("writer", [&] { return "round " + std::to_string(round) + " sent " + std::to_string(sent); });
  Child observer("draining", {depth(), "1"});
  ASSERT_EQ(observer.read_line(), "ready");
  for (; round < rounds; ++round) {
    Child reader("draining", {depth(), std::to_string(round)});
    while (reader.read_line(0) != "ready") {
      send(*out, sent++, 512);
      watchdog.beat();
    }
    const std::uint64_t end = sent + random() % 3000;
    while (sent < end) {
      send(*out, sent++, 512);
    }
    reader.kill();
  }
  while (out->matched_count() > 1) {
    send(*out, sent++, 512);
    watchdog.beat();
  }
  EXPECT_EQ(observer.read_line(0.001), "") << "the observer saw a torn or disordered message";
  EXPECT_EQ(out->failed_borrows(), 0U);
}

}  // namespace
}  // namespace tandem::test
