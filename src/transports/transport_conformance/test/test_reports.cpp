// Messages of strings and nested sequences: handed over where that is possible, copied once where it is not.
#include <new>

#include "conformance.hpp"
#include "peer.hpp"

namespace conformance {
namespace {

class Reports : public Conformance {
 protected:
  /// Publishes a report of this value, made by `new`.
  static void publish_new(Publisher & publisher, std::uint64_t value) {
    auto message = std::make_unique<Report>();
    fill(*message, value);
    auto owned = tandem::erase_type(std::move(message));
    ASSERT_EQ(publisher.publish(owned), PublishResult::kOk);
    EXPECT_EQ(owned == nullptr, has(Feature::kVariableLoans));
  }
};

TEST_F(Reports, LoanIsClearedAndArrives) {
  const auto pub = publisher<Report>(topic(), keep_last(10));
  const auto sub = subscription<Report>(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  for (std::uint64_t value = 0; value < 200; ++value) {
    auto loan = pub->borrow();
    ASSERT_TRUE(loan);
    auto & message = *static_cast<Report *>(loan.data());
    EXPECT_EQ(message, Report());
    fill(message, value);
    if (value % 5 == 0) {
      continue;  // dropped
    }
    ASSERT_EQ(pub->publish(std::move(loan)), PublishResult::kOk);
    const Sample sample = take_one(*sub);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample.size, sizeof(Report));
    EXPECT_EQ(value_of<Report>(sample), value);
  }
  EXPECT_EQ(pub->can_loan(), has(Feature::kVariableLoans));
  if (pub->can_loan()) {
    EXPECT_EQ(pub->copied() + sub->copied(), 0u);
  }
}

TEST_F(Reports, OwnedMessageIsHandedOver) {
  const auto pub = publisher<Report>(topic(), keep_last(10));
  const auto sub = subscription<Report>(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  for (std::uint64_t value = 0; value < 200; ++value) {
    publish_new(*pub, value);
    const Sample sample = take_one(*sub);
    ASSERT_TRUE(sample);
    EXPECT_EQ(value_of<Report>(sample), value);
  }
  if (pub->can_loan()) {
    EXPECT_EQ(pub->copied() + sub->copied(), 0u);
  }
}

TEST_F(Reports, MessageOfTheCallerIsCopiedOnce) {
  const auto pub = publisher<Report>(topic(), keep_last(10));
  const auto sub = subscription<Report>(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  Report message;
  for (std::uint64_t value = 0; value < 200; ++value) {
    fill(message, value);
    ASSERT_EQ(pub->publish(&message), PublishResult::kOk);
    fill(message, value + 1);
    const Sample sample = take_one(*sub);
    ASSERT_TRUE(sample);
    EXPECT_EQ(value_of<Report>(sample), value);
  }
  EXPECT_EQ(pub->copied(), 200u);
}

TEST_F(Reports, MessageOnTheStackIsCopied) {
  const auto pub = publisher<Report>(topic(), keep_last(10));
  const auto sub = subscription<Report>(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  Report message;
  fill(message, 8);
  tandem::OwnedMessage owned(&message, {&tandem::message_type<Report>()});
  EXPECT_EQ(pub->publish(owned), PublishResult::kOk);
  ASSERT_EQ(owned.release(), &message);
  EXPECT_TRUE(holds(message, 8));
  EXPECT_EQ(value_of<Report>(take_one(*sub)), 8u);
}

TEST_F(Reports, KeptSamplesStayWhole) {
  constexpr std::uint64_t kKept = 100;  // more than any quota
  auto pub = publisher<Report>(topic(), keep_last(5));
  auto sub = subscription<Report>(topic(), keep_last(5));
  ASSERT_TRUE(matched(*pub, *sub));
  std::vector<Sample> kept;
  for (std::uint64_t value = 0; value < kKept; ++value) {
    publish_new(*pub, value);
    kept.push_back(take_one(*sub));
    ASSERT_TRUE(kept.back());
  }
  EXPECT_GT(sub->copied(), 0u);
  sub.reset();
  pub.reset();
  // Others use the memory meanwhile.
  const auto next = publisher<Report>(topic(), keep_last(5));
  for (std::uint64_t value = 1000; value < 1100; ++value) {
    publish_new(*next, value);
  }
  for (std::uint64_t value = 0; value < kKept; ++value) {
    EXPECT_EQ(value_of<Report>(kept[value]), value);
  }
}

TEST_F(Reports, LateJoinerReadsHistory) {
  NEEDS(Feature::kTransientLocal);
  const auto pub = publisher<Report>(topic(), transient_local(keep_last(50)));
  for (std::uint64_t value = 0; value < 300; ++value) {
    if (value % 2 == 0) {
      publish_new(*pub, value);
    } else {
      ASSERT_EQ(publish<Report>(*pub, value), PublishResult::kOk);
    }
  }
  const auto sub = subscription<Report>(topic(), transient_local(keep_last(50)));
  for (std::uint64_t value = 250; value < 300; ++value) {
    const Sample sample = take_one(*sub);
    ASSERT_TRUE(sample);
    EXPECT_EQ(value_of<Report>(sample), value);
  }
}

TEST_F(Reports, RoundTripThroughAnotherProcess) {
  const auto pub = publisher<Report>(topic("to"), keep_last(10));
  const auto sub = subscription<Report>(topic("back"), keep_last(10));
  Peer peer({"echo", "report", topic("to"), topic("back")});
  ASSERT_TRUE(peer.says("ready"));
  ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 1 && sub->publisher_count() == 1; }));
  Report reused;
  transport::MessageInfo info;
  for (std::uint64_t value = 0; value < 100; ++value) {
    publish_new(*pub, value);
    if (value % 2 == 0) {
      EXPECT_EQ(value_of<Report>(take_one(*sub)), value);
    } else {
      ASSERT_TRUE(eventually([&] { return sub->take_into(&reused, info); }));
      EXPECT_TRUE(holds(reused, value));
    }
  }
  EXPECT_EQ(peer.finish(), 0);
}

TEST_F(Reports, KilledPublishersSamplesStay) {
  const auto sub = subscription<Report>(topic(), keep_last(10));
  std::vector<Sample> kept;
  Peer peer({"flood", "report", topic()});
  ASSERT_TRUE(eventually([&] {
    while (kept.size() < 90) {
      Sample sample = sub->take();
      if (!sample) {
        return false;
      }
      value_of<Report>(sample);
      kept.push_back(std::move(sample));
    }
    return true;
  }));
  peer.kill();
  while (const Sample sample = sub->take()) {
    value_of<Report>(sample);
  }
  for (const Sample & sample : kept) {
    value_of<Report>(sample);
  }
}

TEST_F(Reports, GrowingBeyondAllMemoryThrowsAndTheNodeLivesOn) {
  const auto pub = publisher<Report>(topic(), keep_last(5));
  const auto sub = subscription<Report>(topic(), keep_last(5));
  ASSERT_TRUE(matched(*pub, *sub));
  auto loan = pub->borrow();
  ASSERT_TRUE(loan);
  auto & message = *static_cast<Report *>(loan.data());
  {
    const CapturedStderr quiet;
    EXPECT_THROW(message.status.resize(std::size_t{1} << 40), std::bad_alloc);
  }
  fill(message, 3);
  ASSERT_EQ(pub->publish(std::move(loan)), PublishResult::kOk);
  EXPECT_EQ(value_of<Report>(take_one(*sub)), 3u);
}

}  // namespace
}  // namespace conformance
