// A reader that stands still, at whatever moment, delays nobody when messages may be lost.
#include <gtest/gtest.h>
#include <signal.h>

#include <random>

#include "payload.hpp"
#include "reading.hpp"

namespace tandem::test {
namespace {

struct Kind {
  const char * name;
  EndpointOptions options;
};

void PrintTo(const Kind & kind, std::ostream * out) { *out << kind.name; }

class StoppedReader : public testing::TestWithParam<Kind> {};

INSTANTIATE_TEST_SUITE_P(
    , StoppedReader,
    testing::Values(Kind{"depth_1", {.depth = 1}}, Kind{"depth_1_best_effort", {.depth = 1, .best_effort = true}},
                    Kind{"depth_10", {.depth = 10}}, Kind{"depth_10_best_effort", {.depth = 10, .best_effort = true}},
                    Kind{"depth_10_transient", {.depth = 10, .transient = true}}, Kind{"depth_1000", {.depth = 1000}},
                    Kind{"keep_all_best_effort", {.keep_all = true, .best_effort = true}}),
    [](const auto & info) { return std::string(info.param.name); });

// A publish that waited would wait for ever: the stopped one goes on only afterwards.
TEST_P(StoppedReader, DelaysNobody) {
  const Folder folder;
  std::mt19937 random(seed());
  const auto participant = Participant::join(0);
  const auto out = std::move(*participant->create_publisher(publisher_options("topic", GetParam().options)));
  const auto observer = std::move(*participant->create_subscription(subscription_options("topic", GetParam().options)));
  ReadingChild stopped({GetParam().options});
  ASSERT_TRUE(stopped.is_matched());
  ASSERT_TRUE(wait_until([&] { return out->matched_count() == 2 && observer->matched_count() == 1; }));
  std::uint64_t counter = 0;
  const auto pass = [&](std::uint64_t messages) {
    for (std::uint64_t i = 0; i < messages; ++i, ++counter) {
      auto loan = out->borrow(1000);
      ASSERT_TRUE(loan) << to_string(loan.error());
      fill(loan->data(), loan->size(), 0, counter);
      ASSERT_TRUE(out->publish(std::move(*loan)));
      const Sample sample = observer->take();
      ASSERT_TRUE(sample);
      ASSERT_EQ(counter_of(sample.data(), sample.size()), counter);
    }
  };
  const int rounds = std::max(3, static_cast<int>(20 * scale()));
  for (int round = 0; round < rounds; ++round) {
    pass(random() % 500);
    stopped.process().signal(SIGSTOP);
    pass(round == 0 ? 20'000 : 2000);
    stopped.process().signal(SIGCONT);
  }
  EXPECT_EQ(out->failed_borrows(), 0U);
  EXPECT_EQ(observer->lost(), 0U);
  char last[64];
  fill(last, sizeof last, 0, kEnd);
  ASSERT_TRUE(out->publish_copy(last, sizeof last));
  const Tally tally = stopped.tally();
  EXPECT_TRUE(tally.is_sound()) << tally;
}

}  // namespace
}  // namespace tandem::test
