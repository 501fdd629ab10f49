// Publishers that pass on what another one elsewhere has published, one after the other: nobody gets it twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "harness.hpp"
#include "options.hpp"

namespace tandem::test {
namespace {

using Stamps = std::vector<std::int64_t>;

class Origin : public testing::Test {
 protected:
  /// A publisher of a history of four, which gives each message the stamp that it is told.
  std::unique_ptr<Publisher> pass_on(std::uint8_t origin) {
    PublisherOptions options = publisher_options("topic", {.depth = 4, .transient = true});
    options.origin.fill(origin);
    options.source_timestamp = [this] { return stamp_; };
    std::unique_ptr<Publisher> publisher = std::move(*participant_->create_publisher(options));
    EXPECT_TRUE(wait_until([&] { return publisher->matched_count() == 1; }));
    return publisher;
  }
  std::unique_ptr<Subscription> subscribe() {
    return std::move(
        *participant_->create_subscription(subscription_options("topic", {.depth = 100, .transient = true})));
  }
  void publish(Publisher & publisher, const Stamps & stamps) {
    for (const std::int64_t stamp : stamps) {
      stamp_ = stamp;
      ASSERT_TRUE(publisher.publish_copy(&stamp, sizeof stamp));
    }
  }
  /// Until the last of these has come.
  static Stamps take(Subscription & subscription, std::int64_t last) {
    Stamps stamps;
    wait_until([&] {
      while (const Sample sample = subscription.take()) {
        stamps.push_back(sample.source_timestamp());
      }
      return !stamps.empty() && stamps.back() == last;
    });
    return stamps;
  }

  Folder folder_;
  std::int64_t stamp_ = 0;
  Result<Participant, JoinError> participant_ = Participant::join(0);
  std::unique_ptr<Subscription> in_ = subscribe();
};

TEST_F(Origin, NobodyGetsTwiceWhatASuccessorRepeats) {
  auto first = pass_on(1);
  publish(*first, {10, 20, 30});
  EXPECT_EQ(take(*in_, 30), (Stamps{10, 20, 30}));
  first.reset();
  const auto second = pass_on(1);
  publish(*second, {10, 20, 30, 40, 50});
  EXPECT_EQ(take(*in_, 50), (Stamps{40, 50}));
  EXPECT_EQ(in_->lost(), 0U);
  EXPECT_EQ(take(*subscribe(), 50), (Stamps{20, 30, 40, 50})) << "who comes later gets the history";
}

TEST_F(Origin, TheyMayBeThereAtOnce) {
  const auto first = pass_on(1);
  publish(*first, {10, 20});
  EXPECT_EQ(take(*in_, 20), (Stamps{10, 20}));
  const auto second = pass_on(1);
  publish(*second, {10, 20, 30});
  EXPECT_EQ(take(*in_, 30), (Stamps{30}));
}

TEST_F(Origin, WhoComesWhileTwoAreThereGetsEachOnce) {
  const auto first = pass_on(1);
  publish(*first, {10, 20, 30});
  const auto second = pass_on(1);
  publish(*second, {20, 30, 40});
  const auto late = subscribe();
  ASSERT_TRUE(wait_until([&] { return late->matched_count() == 2; }));
  const Stamps stamps = take(*late, 40);
  EXPECT_GE(stamps.size(), 3U);
  EXPECT_TRUE(std::is_sorted(stamps.begin(), stamps.end(), std::less_equal<>())) << testing::PrintToString(stamps);
}

TEST_F(Origin, OthersHaveHistoriesOfTheirOwn) {
  auto first = pass_on(1);
  publish(*first, {10, 20});
  EXPECT_EQ(take(*in_, 20), (Stamps{10, 20}));
  const auto other = pass_on(2);
  publish(*other, {5, 15});
  EXPECT_EQ(take(*in_, 15), (Stamps{5, 15}));
}

TEST_F(Origin, AClockThatIsSetBackCostsAHistoryAtMost) {
  auto first = pass_on(1);
  publish(*first, {1000});
  EXPECT_EQ(take(*in_, 1000), (Stamps{1000}));
  publish(*first, {10, 20});
  EXPECT_EQ(take(*in_, 20), (Stamps{10, 20})) << "the same publisher repeats nothing";
  publish(*first, {2000});
  EXPECT_EQ(take(*in_, 2000), (Stamps{2000}));
  first.reset();
  const auto second = pass_on(1);
  publish(*second, {30, 40, 50, 60, 70, 80});
  EXPECT_EQ(take(*in_, 80), (Stamps{70, 80}));
}

TEST_F(Origin, WithoutAStampATimeIsGiven) {
  const auto publisher = pass_on(1);
  publish(*publisher, {0});
  Sample sample;
  ASSERT_TRUE(wait_until([&] { return static_cast<bool>(sample = in_->take()); }));
  EXPECT_GT(sample.source_timestamp(), 1'000'000'000'000'000'000);
}

}  // namespace
}  // namespace tandem::test
