// A transport over a wire within the process that loses, delays and refuses as it is told.
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "ether.hpp"

namespace tandem::transport {
namespace {

TEST_F(OverAWire, AdmissionIsAskedForUntilItIsThere) {
  ether_.refusals = 5;
  connect();
  EXPECT_TRUE(eventually([&] { return is_matched(); }));
  EXPECT_EQ(publish(7), PublishResult::kOk);
  EXPECT_EQ(take(), 7u);
}

TEST_F(OverAWire, WhatComesBeforeTheAdmissionIsNotOwed) {
  ether_.refusals = 1'000'000;
  connect();
  ASSERT_TRUE(eventually([&] {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    return !ether_.inboxes[publisher_->gid()].empty();
  }));
  EXPECT_EQ(publish(1), PublishResult::kOk);
  EXPECT_FALSE(subscription_->take());
  ether_.refusals = 0;
  ASSERT_TRUE(eventually([&] { return is_matched(); }));
  EXPECT_EQ(publish(2), PublishResult::kOk);
  EXPECT_EQ(take(), 2u);
  EXPECT_EQ(subscription_->lost(), 0u);
}

TEST_F(OverAWire, LossesAreCountedInTheMiddleAndAtTheEnd) {
  connect();
  ASSERT_TRUE(eventually([&] { return is_matched(); }));
  EXPECT_EQ(publish(1), PublishResult::kOk);
  ether_.is_losing = true;
  EXPECT_EQ(publish(2), PublishResult::kOk);
  EXPECT_EQ(publish(3), PublishResult::kOk);
  ether_.is_losing = false;
  EXPECT_EQ(publish(4), PublishResult::kOk);
  EXPECT_EQ(take(), 1u);
  EXPECT_EQ(take(), 4u);
  EXPECT_EQ(subscription_->lost(), 2u);
  ether_.is_losing = true;
  EXPECT_EQ(publish(5), PublishResult::kOk);
  EXPECT_EQ(subscription_->lost(), 2u) << "it may still come";
  publisher_.reset();
  EXPECT_TRUE(eventually([&] { return subscription_->lost() == 3; }));
}

TEST_F(OverAWire, WhatFailsToBeSentHasNoNumber) {
  connect();
  ASSERT_TRUE(eventually([&] { return is_matched(); }));
  ether_.is_out_of_memory = true;
  EXPECT_EQ(publish(1), PublishResult::kNoMemory);
  ether_.is_out_of_memory = false;
  EXPECT_EQ(publish(2), PublishResult::kOk);
  EXPECT_EQ(take(), 2u);
  EXPECT_EQ(subscription_->lost(), 0u);
}

TEST_F(OverAWire, ACopyThatIsGivenBackIsUsedAgain) {
  ether_.is_memory_scarce = true;
  connect();
  ASSERT_TRUE(eventually([&] { return is_matched(); }));
  for (std::uint64_t value = 1; value <= 3; ++value) {
    EXPECT_EQ(publish(value), PublishResult::kOk);
  }
  const auto value_of = [](const Sample & sample) { return static_cast<const Number *>(sample.message)->value; };
  const Sample kept = subscription_->take();
  Sample sample = subscription_->take();
  ASSERT_TRUE(kept && sample);
  EXPECT_EQ(value_of(sample), 2u);
  const void * const place = sample.message;
  sample = {};
  sample = subscription_->take();
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample.message, place);
  EXPECT_EQ(value_of(sample), 3u);
  EXPECT_EQ(value_of(kept), 1u);
}

TEST_F(OverAWire, AcknowledgementsOfWhatIsLostAreNotMadeUp) {
  connect(History::kKeepAll);
  ASSERT_TRUE(eventually([&] { return is_matched(); }));
  EXPECT_EQ(publish(1), PublishResult::kOk);
  EXPECT_TRUE(publisher_->wait_for_all_acked(std::chrono::minutes(1)));
  ether_.is_losing = true;
  EXPECT_EQ(publish(2), PublishResult::kOk);
  EXPECT_FALSE(publisher_->wait_for_all_acked(std::chrono::milliseconds(5)));
  ether_.is_losing = false;
  EXPECT_EQ(publish(3), PublishResult::kOk);
  EXPECT_TRUE(publisher_->wait_for_all_acked(std::chrono::minutes(1)));
}

TEST_F(OverAWire, AKeepAllPublisherWaitsForTheWindow) {
  connect(History::kKeepAll);
  ASSERT_TRUE(eventually([&] { return is_matched(); }));
  std::uint64_t count = 0;
  while (count < 100'000 && publish(count) == PublishResult::kOk) {
    ++count;
  }
  EXPECT_EQ(publish(count), PublishResult::kTimeout);
  EXPECT_EQ(take(), 0u);
  EXPECT_EQ(publish(count), PublishResult::kOk);
  for (std::uint64_t value = 1; value <= count; ++value) {
    ASSERT_EQ(take(), value);
  }
  EXPECT_EQ(subscription_->lost(), 0u);
}

TEST_F(OverAWire, ASilentPublisherIsToldOfOnce) {
  ether_.refusals = 1'000'000'000;
  testing::internal::CaptureStderr();
  connect();
  std::this_thread::sleep_for(std::chrono::milliseconds(6200));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_NE(said.find("topic '/a': the publisher of node 'test' does not answer"), std::string::npos) << said;
}

TEST_F(OverAWire, MessagesOfAnotherSizeAreToldOfOnceAndCounted) {
  connect();
  ASSERT_TRUE(eventually([&] { return is_matched(); }));
  std::shared_ptr<Inbox> inbox;
  {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    inbox = ether_.inboxes[publisher_->gid()].begin()->second;
  }
  testing::internal::CaptureStderr();
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{100}}) {
    inbox->push({size, 0}, make_heap_chunk(size));
    EXPECT_FALSE(subscription_->take());
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_EQ(subscription_->lost(), 3u + 2 + 96) << "two between 0 and 3, 96 between 3 and 100, and those that are none";
}

TEST_F(OverAWire, AKeepAllReaderLosesNothingThatAnotherPublisherOwes) {
  connect(History::kKeepAll);
  const auto careless = here_->create_publisher(number(), options());
  ASSERT_TRUE(eventually([&] { return subscription_->publisher_count() == 2; }));
  std::uint64_t count = 0;
  while (count < 100'000 && publish(count) == PublishResult::kOk) {
    ++count;
  }
  const Number other{1'000'000};
  EXPECT_EQ(careless->publish(&other), PublishResult::kOk);
  for (std::uint64_t value = 0; value < count; ++value) {
    ASSERT_EQ(take(), value);
  }
  EXPECT_EQ(take(), other.value);
  EXPECT_EQ(subscription_->lost(), 0u);
}

TEST_F(OverAWire, LossesAtTheEndAreCountedWithinAContext) {
  there_ = here_;
  connect();
  ASSERT_TRUE(eventually([&] { return is_matched(); }));
  ether_.is_losing = true;
  EXPECT_EQ(publish(1), PublishResult::kOk);
  publisher_.reset();
  EXPECT_TRUE(eventually([&] { return subscription_->lost() == 1; }));
}

TEST_F(OverAWire, ABrokenConnectionIsMadeAnew) {
  connect();
  ASSERT_TRUE(eventually([&] { return is_matched(); }));
  EXPECT_EQ(publish(1), PublishResult::kOk);
  EXPECT_EQ(take(), 1u);
  int broken = -1;
  {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    ASSERT_EQ(ether_.connections.size(), 1u);
    broken = ether_.connections.front();
    const std::uint64_t one = 1;
    ASSERT_EQ(write(broken, &one, sizeof one), static_cast<ssize_t>(sizeof one));
  }
  ASSERT_TRUE(eventually([&] {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    pollfd ready{ether_.connections.empty() ? -1 : ether_.connections.front(), POLLIN, 0};
    return !ether_.connections.empty() && poll(&ready, 1, 0) == 0;
  }));
  ASSERT_TRUE(eventually([&] { return is_matched(); }));
  EXPECT_EQ(publish(2), PublishResult::kOk);
  EXPECT_EQ(take(), 2u);
}

}  // namespace
}  // namespace tandem::transport
