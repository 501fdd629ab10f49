// A reader that stands still, at whatever moment, delays nobody when messages may be lost.
#include <gtest/gtest.h>
#include <signal.h>

#include <random>

#include "payload.hpp"
#include "roles.hpp"

namespace tandem::test {
namespace {

class StoppedReader : public testing::TestWithParam<const char *> {};

INSTANTIATE_TEST_SUITE_P(, StoppedReader,
                         testing::Values("depth=1", "depth=1 best_effort", "depth=10", "depth=10 best_effort",
                                         "depth=10 transient", "depth=1000", "keep_all best_effort"),
                         [](const auto & info) {
                           std::string name = info.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

// A publish that waited would wait for ever: the stopped one goes on only afterwards.
TEST_P(StoppedReader, DelaysNobody) {
  const Folder folder;
  std::mt19937 random(seed());
  const auto participant = Participant::join(0);
  const auto out = std::move(*participant->create_publisher(publisher_options("topic", GetParam())));
  const auto observer = std::move(*participant->create_subscription(subscription_options("topic", GetParam())));
  ReadingChild stopped({GetParam()});
  ASSERT_EQ(stopped.process().read_line(), "ready");
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
  const std::string tally = stopped.tally();
  EXPECT_TRUE(is_sound(tally)) << tally;
}

}  // namespace
}  // namespace tandem::test
