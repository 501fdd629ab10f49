// Messages with an address: to all, or to one subscription each, as the replies of a service are.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "harness.hpp"
#include "options.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

using std::chrono::milliseconds;

class Addressed : public testing::Test {
 protected:
  PublisherOptions out_options(Addressing addressing) {
    PublisherOptions options = publisher_options("topic");
    options.addressing = addressing;
    options.qos.max_blocking_time = milliseconds(20);
    return options;
  }
  void open(Addressing addressing, std::size_t subscriptions) {
    out_ = std::move(*participant_->create_publisher(out_options(addressing)));
    for (std::size_t i = 0; i < subscriptions; ++i) {
      in_.push_back(subscribe(addressing));
    }
    ASSERT_TRUE(wait_until([&] { return out_->matched_count() == subscriptions; }));
    for (const auto & one : in_) {
      ASSERT_TRUE(wait_until([&] { return one->matched_count() == 1; }));
    }
  }
  std::unique_ptr<Subscription> subscribe(Addressing addressing) {
    SubscriptionOptions options = subscription_options("topic");
    options.addressing = addressing;
    return std::move(*participant_->create_subscription(options));
  }
  bool publish(const EndpointId & to, std::uint64_t number, std::size_t size = 100) {
    std::vector<std::uint64_t> words(size / 8 + 1, number);
    return out_->publish_copy(words.data(), size, Address{to, number}).has_value();
  }
  EndpointId id(std::size_t i) const { return in_[i]->info().id; }
  /// The numbers of all that is there for this one.
  std::vector<std::uint64_t> take_all(std::size_t i) {
    std::vector<std::uint64_t> numbers;
    while (const Sample sample = in_[i]->take()) {
      const Address address = sample.address();
      EXPECT_EQ(address.subscription, id(i));
      std::uint64_t word = 0;
      std::memcpy(&word, sample.data(), sizeof word);
      EXPECT_EQ(word, address.number) << "the address is another message's";
      numbers.push_back(address.number);
    }
    return numbers;
  }
  static std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t end) {
    std::vector<std::uint64_t> numbers;
    for (; first != end; ++first) {
      numbers.push_back(first);
    }
    return numbers;
  }

  Folder folder_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
  std::unique_ptr<Publisher> out_;
  std::vector<std::unique_ptr<Subscription>> in_;
};

TEST_F(Addressed, AttachedAddressesComeWithTheirMessagesToAll) {
  open(Addressing::kAttached, 2);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    std::uint64_t words[3] = {i, i, i};  // as small as fits into a slot elsewhere
    ASSERT_TRUE(out_->publish_copy(words, i % 25, Address{{i, ~i}, 7 * i}));
    for (const auto & one : in_) {
      Sample sample = one->take();
      ASSERT_TRUE(sample);
      const Sample moved = std::move(sample);
      EXPECT_EQ(moved.address().subscription, (EndpointId{i, ~i}));
      EXPECT_EQ(moved.address().number, 7 * i);
      EXPECT_EQ(std::memcmp(moved.data(), words, i % 25), 0);
    }
  }
}

TEST_F(Addressed, DeliveredMessagesComeToTheirSubscriptionOnly) {
  open(Addressing::kDelivered, 3);
  for (std::uint64_t i = 0; i < 3000; ++i) {
    ASSERT_TRUE(publish(id(i % 3), i));
    EXPECT_EQ(take_all(i % 3), range(i, i + 1));
  }
  for (std::size_t i = 0; i < in_.size(); ++i) {
    EXPECT_FALSE(in_[i]->has_data());
    EXPECT_TRUE(take_all(i).empty());
    EXPECT_EQ(in_[i]->lost(), 0U);
  }
}

// Whatever goes to others meanwhile, and however little they are behind: it is not counted by messages of the topic.
TEST_F(Addressed, WhatWaitsIsKeptWhileOthersAreServed) {
  open(Addressing::kDelivered, 2);
  ASSERT_TRUE(publish(id(0), 1000));
  for (std::uint64_t i = 0; i < 250; ++i) {
    ASSERT_TRUE(publish(id(1), i));
    EXPECT_EQ(take_all(1), range(i, i + 1));
  }
  EXPECT_EQ(take_all(0), range(1000, 1001));
}

// Large messages that were taken are used again although an older one waits.
TEST_F(Addressed, MemoryBehindOneThatWaitsIsUsedAgain) {
  constexpr std::size_t kSize = 1 << 20;
  open(Addressing::kDelivered, 2);
  ASSERT_TRUE(publish(id(0), 1000, kSize));
  for (std::uint64_t i = 0; i < 200; ++i) {
    ASSERT_TRUE(publish(id(1), i, kSize));
    EXPECT_EQ(take_all(1), range(i, i + 1));
  }
  EXPECT_LT(heap_statistics().in_use, 20 * kSize);
  EXPECT_EQ(take_all(0), range(1000, 1001));
}

TEST_F(Addressed, OneThatTakesNothingLosesItsOwnAndCostsOthersNothing) {
  open(Addressing::kDelivered, 3);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    if (i < 50) {
      ASSERT_TRUE(publish(id(0), i));
    }
    ASSERT_TRUE(publish(id(1), i)) << i;
    EXPECT_EQ(take_all(1), range(i, i + 1));
    if (i == 1990) {
      ASSERT_TRUE(publish(id(2), i));
    }
  }
  EXPECT_TRUE(take_all(0).empty()) << "they were in the way";
  EXPECT_EQ(take_all(2), range(1990, 1991)) << "an idle one is not behind";
  ASSERT_TRUE(publish(id(0), 5000));
  EXPECT_EQ(take_all(0), range(5000, 5001));
}

TEST_F(Addressed, NobodysMessagesAreDropped) {
  open(Addressing::kDelivered, 1);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(publish(EndpointId{1, i}, i));
  }
  ASSERT_TRUE(publish(id(0), 7));
  EXPECT_EQ(take_all(0), range(7, 8));
}

// A reply may be there before its client is acknowledged.
TEST_F(Addressed, OneThatComesFindsWhatWasSentToItBefore) {
  open(Addressing::kDelivered, 1);
  ASSERT_TRUE(publish(EndpointId{id(0).incarnation, id(0).number + 1}, 1));
  auto late = subscribe(Addressing::kDelivered);
  const EndpointId other{id(0).incarnation, late->info().id.number};
  ASSERT_TRUE(publish(other, 2));
  in_.push_back(std::move(late));
  ASSERT_TRUE(wait_until([&] { return in_[1]->matched_count() == 1; }));
  const auto numbers = take_all(1);
  ASSERT_FALSE(numbers.empty());
  EXPECT_EQ(numbers.back(), 2U);
}

TEST_F(Addressed, WakesItsSubscriptionAlone) {
  open(Addressing::kDelivered, 2);
  const auto set = std::move(*participant_->create_wait_set());
  const auto other = std::move(*participant_->create_wait_set());
  set->attach(*in_[0]);
  other->attach(*in_[1]);
  other->wait(milliseconds(0));
  for (std::uint64_t i = 0; i < 200; ++i) {
    std::thread writer([&] { ASSERT_TRUE(publish(id(0), i)); });
    while (!in_[0]->has_data()) {
      EXPECT_TRUE(set->wait(std::chrono::seconds(60)));
    }
    writer.join();
    EXPECT_EQ(take_all(0), range(i, i + 1));
    EXPECT_FALSE(other->wait(milliseconds(0)));
  }
}

// Each subscription's thread takes its own while the ring goes around; none is lost, none comes to another.
TEST_F(Addressed, ManyTakeSideBySide) {
  constexpr std::uint64_t kCount = 20000;
  constexpr std::size_t kReaders = 4;
  open(Addressing::kDelivered, kReaders);
  std::vector<std::vector<std::uint64_t>> taken(kReaders);
  std::atomic<std::uint64_t> all{0};
  std::vector<std::thread> readers;
  for (std::size_t i = 0; i < kReaders; ++i) {
    readers.emplace_back([&, i] {
      EXPECT_TRUE(wait_until([&] {
        for (const std::uint64_t number : take_all(i)) {
          taken[i].push_back(number);
          ++all;
        }
        return all == kCount;
      }));
    });
  }
  for (std::uint64_t i = 0; i < kCount; ++i) {
    while (i - all > 40) {  // what fits: for a reader that gets no processor none has to be dropped
      std::this_thread::yield();
    }
    ASSERT_TRUE(publish(id(i % kReaders), i));
  }
  for (auto & reader : readers) {
    reader.join();
  }
  for (std::size_t i = 0; i < kReaders; ++i) {
    ASSERT_EQ(taken[i].size(), kCount / kReaders);
    for (std::uint64_t k = 0; k < taken[i].size(); ++k) {
      ASSERT_EQ(taken[i][k], k * kReaders + i);
    }
  }
}

}  // namespace
}  // namespace tandem::test
