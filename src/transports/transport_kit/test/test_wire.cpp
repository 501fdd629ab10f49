// A transport over a wire within the process that loses, delays and refuses as it is told.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <thread>

#include "support.hpp"
#include "tandem/detail/make_message_type.hpp"
#include "tandem/kit/wire.hpp"

namespace tandem::transport {
namespace {

struct Number {
  std::uint64_t value = 0;
};

const MessageType & number() {
  static const auto type = detail::make_message_type<Number>({"test/msg/Number", {1}, nullptr, 0});
  return type;
}

/// What the wires of all contexts share.
struct Ether {
  std::mutex mutex;
  std::map<Gid, std::map<Gid, std::shared_ptr<Inbox>>> inboxes;  ///< by publisher and subscription; guarded by mutex
  std::atomic<bool> is_losing{false};
  std::atomic<int> refusals{0};      ///< of admit(), before it says yes
  std::atomic<bool> is_deaf{false};  ///< admit() says no, and the publisher's words reach the subscription
  std::atomic<bool> is_out_of_memory{false};
  std::atomic<bool> is_memory_scarce{false};  ///< users get copies
  std::vector<int>
      connections;  ///< descriptors of receivers that are there: what is written breaks them; guarded by mutex
};

class EtherSender final : public Sender {
 public:
  EtherSender(Ether & ether, const Gid & gid) : ether_(ether), gid_(gid) {}
  bool admit(const RosterEntry & subscription) override {
    if (ether_.is_deaf) {
      const auto inbox = find(subscription.endpoint.gid);
      if (inbox) {
        inbox->reached();
      }
      return false;
    }
    return ether_.refusals-- <= 0;
  }
  void dismiss(const Gid &) override {}
  PublishResult send(const Header & header, std::shared_ptr<Chunk> chunk) override {
    if (ether_.is_out_of_memory) {
      return PublishResult::kNoMemory;
    }
    for (const auto & [subscription, inbox] : all()) {
      push(*inbox, header, *chunk);
    }
    return PublishResult::kOk;
  }
  void send_to(const Gid & subscription, const Header & header, std::shared_ptr<Chunk> chunk) override {
    push(*find(subscription), header, *chunk);
  }

 private:
  std::map<Gid, std::shared_ptr<Inbox>> all() {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    return ether_.inboxes[gid_];
  }
  std::shared_ptr<Inbox> find(const Gid & subscription) {
    const auto found = all();
    const auto one = found.find(subscription);
    return one == found.end() ? nullptr : one->second;
  }
  void push(Inbox & inbox, const Header & header, const Chunk & chunk) const {
    if (!ether_.is_losing) {
      auto copy = make_heap_chunk(chunk.size);
      std::memcpy(copy->data, chunk.data, chunk.size);
      copy->hold = ether_.is_memory_scarce ? Chunk::Hold::kNever : copy->hold;
      inbox.push(header, std::move(copy));
    }
  }

  Ether & ether_;
  const Gid gid_;
};

class EtherReceiver final : public Receiver {
 public:
  EtherReceiver(Ether & ether, const Gid & publisher, const Gid & subscription)
      : ether_(ether), publisher_(publisher), subscription_(subscription), breaker_(eventfd(0, EFD_CLOEXEC)) {
    ether_.connections.push_back(breaker_.get());
  }
  ~EtherReceiver() override {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    ether_.inboxes[publisher_].erase(subscription_);
    std::erase(ether_.connections, breaker_.get());
  }
  int fd() const override { return breaker_.get(); }
  bool receive() override {
    pollfd ready{breaker_.get(), POLLIN, 0};
    return poll(&ready, 1, 0) == 0;
  }

 private:
  Ether & ether_;
  const Gid publisher_;
  const Gid subscription_;
  const Descriptor breaker_;
};

class EtherWire final : public Wire {
 public:
  explicit EtherWire(Ether & ether) : ether_(ether) {}
  Waking waking() const override { return Waking::kCallback; }
  std::unique_ptr<Sender> open_sender(const SenderOptions & options) override {
    return std::make_unique<EtherSender>(ether_, options.entry.endpoint.gid);
  }
  std::unique_ptr<Receiver> open_receiver(const ReceiverOptions & options) override {
    const Gid & publisher = options.publisher.endpoint.gid;
    const Gid & own = options.entry.endpoint.gid;
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    ether_.inboxes[publisher][own] = options.inbox;
    return std::make_unique<EtherReceiver>(ether_, publisher, own);
  }

 private:
  Ether & ether_;
};

class OverAWire : public testing::Test {
 protected:
  std::shared_ptr<Context> context() {
    return make_context(
        make_bus("test", 1, [this](const Surroundings &) { return std::make_unique<EtherWire>(ether_); }));
  }
  static TopicOptions options(History history = History::kKeepLast) {
    TopicOptions result;
    result.node = {"/", "test"};
    result.topic = "/a";
    result.qos.history = history;
    result.qos.max_blocking_time = std::chrono::milliseconds(20);
    return result;
  }
  void connect(History history = History::kKeepLast) {
    publisher_ = here_->create_publisher(number(), options(history));
    subscription_ = there_->create_subscription(number(), options(history));
  }
  bool is_matched() const { return publisher_->subscription_count() == 1 && subscription_->publisher_count() == 1; }
  PublishResult publish(std::uint64_t value) {
    const Number message{value};
    return publisher_->publish(&message);
  }
  std::uint64_t take() {
    Sample sample;
    EXPECT_TRUE(eventually([&] { return static_cast<bool>(sample = subscription_->take()); }));
    return sample ? static_cast<const Number *>(sample.message)->value : 0;
  }

  const SharedMemoryFolder folder_;
  Ether ether_;
  std::shared_ptr<Context> here_ = context();
  std::shared_ptr<Context> there_ = context();
  std::shared_ptr<Publisher> publisher_;
  std::shared_ptr<Subscription> subscription_;
};

TEST_F(OverAWire, AdmissionIsAskedForUntilItIsThere) {
  ether_.refusals = 5;
  connect();
  EXPECT_TRUE(eventually([&] { return is_matched(); }));
  EXPECT_EQ(publish(7), PublishResult::kOk);
  EXPECT_EQ(take(), 7u);
}

TEST_F(OverAWire, ASubscriptionMaySayThatItIsReached) {
  ether_.is_deaf = true;
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
