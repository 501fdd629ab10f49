// That messages arrive: whole, in order, at everybody who wants them and nobody else.
#include <algorithm>
#include <iterator>
#include <set>

#include "conformance.hpp"

namespace conformance {
namespace {

TEST_F(Conformance, DeliversInOrder) {
  NEEDS(Feature::kReliable);
  const auto pub = publisher(topic(), keep_last(kDeep));
  const auto sub = subscription(topic(), keep_last(kDeep));
  ASSERT_TRUE(matched(*pub, *sub));
  for (std::uint64_t value = 0; value < kDeep; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  EXPECT_EQ(take_values(*sub, kDeep), range(0, kDeep - 1));
  EXPECT_FALSE(sub->take());
  EXPECT_FALSE(sub->has_data());
  EXPECT_EQ(sub->lost(), 0u);
}

TEST_F(Conformance, MessageInfoTellsPublisherSequenceAndTime) {
  NEEDS(Feature::kAttribution);
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = subscription(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  EXPECT_NE(pub->gid(), sub->gid());
  const auto now = [] { return std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); };
  const auto before = now();
  std::int64_t last = 0;
  for (std::uint64_t sequence = 0; sequence < 5; ++sequence) {
    ASSERT_EQ(publish(*pub, sequence), PublishResult::kOk);
    const Sample sample = take_one(*sub);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample.info.sequence, sequence);
    EXPECT_EQ(sample.info.publisher, pub->gid());
    EXPECT_GE(sample.info.source_timestamp, last);
    last = sample.info.source_timestamp;
  }
  EXPECT_GE(last, before - 1'000'000'000);
  EXPECT_LE(last, now() + 1'000'000'000);
}

TEST_F(Conformance, EverySubscriptionGetsEveryMessageOfEveryPublisher) {
  NEEDS(Feature::kReliable);
  std::vector<std::shared_ptr<Publisher>> pubs;
  std::vector<std::shared_ptr<Subscription>> subs;
  for (int i = 0; i < 3; ++i) {
    pubs.push_back(publisher(topic(), keep_last(kDeep)));
    subs.push_back(subscription(topic(), keep_last(kDeep)));
  }
  ASSERT_TRUE(eventually([&] {
    return std::all_of(pubs.begin(), pubs.end(), [](const auto & pub) { return pub->subscription_count() == 3; }) &&
           std::all_of(subs.begin(), subs.end(), [](const auto & sub) { return sub->publisher_count() == 3; });
  }));
  for (std::uint64_t i = 0; i < 80; ++i) {
    for (std::uint64_t p = 0; p < pubs.size(); ++p) {
      ASSERT_EQ(publish(*pubs[p], p * 1000 + i), PublishResult::kOk);
    }
  }
  for (const auto & sub : subs) {
    const auto values = take_values(*sub, 240);
    for (std::uint64_t p = 0; p < pubs.size(); ++p) {
      std::vector<std::uint64_t> of_one;
      std::copy_if(values.begin(), values.end(), std::back_inserter(of_one),
                   [p](auto value) { return value / 1000 == p; });
      EXPECT_EQ(of_one, range(p * 1000, p * 1000 + 79));
    }
    EXPECT_FALSE(sub->take());
  }
}

TEST_F(Conformance, TopicsAreApart) {
  const auto pub_a = publisher(topic("a"), keep_last(10));
  const auto pub_b = publisher(topic("b"), keep_last(10));
  const auto sub_a = subscription(topic("a"), keep_last(10));
  const auto sub_b = subscription(topic("b"), keep_last(10));
  ASSERT_TRUE(matched(*pub_a, *sub_a));
  ASSERT_TRUE(matched(*pub_b, *sub_b));
  ASSERT_EQ(publish(*pub_a, 1), PublishResult::kOk);
  ASSERT_EQ(publish(*pub_b, 2), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub_a, 1), range(1, 1));
  EXPECT_EQ(take_values(*sub_b, 1), range(2, 2));
  EXPECT_FALSE(sub_a->take());
  EXPECT_FALSE(sub_b->take());
}

TEST_F(Conformance, DomainsAreApart) {
  NEEDS(Feature::kDomains);
  const auto other_context = new_context(kOtherDomain);
  const auto other = other_context->create_publisher(type_of<Small>(), options_of(topic(), keep_last(10)));
  const auto other_sub = other_context->create_subscription(type_of<Small>(), options_of(topic(), keep_last(10)));
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = subscription(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  ASSERT_TRUE(matched(*other, *other_sub));
  ASSERT_EQ(publish(*other, 1), PublishResult::kOk);
  ASSERT_EQ(publish(*pub, 2), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub, 1), range(2, 2));
  EXPECT_EQ(take_values(*other_sub, 1), range(1, 1));
  EXPECT_FALSE(sub->take());
  EXPECT_FALSE(other_sub->take());
}

TEST_F(Conformance, TwoContextsOfOneProcessMeet) {
  const auto other_context = new_context();
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = other_context->create_subscription(type_of<Small>(), options_of(topic(), keep_last(10)));
  ASSERT_TRUE(matched(*pub, *sub));
  ASSERT_EQ(publish(*pub, 3), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub, 1), range(3, 3));
}

TEST_F(Conformance, TakesIntoAnObjectOfTheUser) {
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = subscription(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  Small message;
  transport::MessageInfo info;
  EXPECT_FALSE(sub->take_into(&message, info));
  EXPECT_TRUE(holds(message, kDefaultValue)) << "nothing was there, so nothing is written";
  for (std::uint64_t value = 0; value < 50; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
    if (value % 3 == 2) {
      EXPECT_EQ(take_values(*sub, 1), range(value, value)) << "the two ways to take go together";
      continue;
    }
    ASSERT_TRUE(eventually([&] { return sub->take_into(&message, info); }));
    EXPECT_TRUE(holds(message, value));
    if (has(Feature::kAttribution)) {
      EXPECT_EQ(info.sequence, value);
      EXPECT_EQ(info.publisher, pub->gid());
      EXPECT_TRUE(info.from_intra_process);
    }
  }
  EXPECT_FALSE(sub->take_into(&message, info));
}

TEST_F(Conformance, LargeMessages) {
  const auto pub = publisher<Large>(topic(), keep_last(2));
  const auto sub = subscription<Large>(topic(), keep_last(2));
  ASSERT_TRUE(matched(*pub, *sub));
  const auto copied = std::make_unique<Large>();
  for (std::uint64_t value = 0; value < 6; ++value) {
    if (value % 2 == 0) {
      auto loan = pub->borrow();
      ASSERT_TRUE(loan);
      fill(*static_cast<Large *>(loan.data()), value);
      ASSERT_EQ(pub->publish(std::move(loan)), PublishResult::kOk);
    } else {
      fill(*copied, value);
      ASSERT_EQ(pub->publish(copied.get()), PublishResult::kOk);
    }
    const Sample sample = take_one(*sub);
    ASSERT_TRUE(sample);
    EXPECT_TRUE(holds(message_of<Large>(sample), value));
  }
}

TEST_F(Conformance, ManyEndpoints) {
  constexpr std::uint64_t kTopics = 50;
  std::vector<std::shared_ptr<Publisher>> pubs;
  std::vector<std::shared_ptr<Subscription>> subs;
  for (std::uint64_t i = 0; i < kTopics; ++i) {
    subs.push_back(subscription(topic(std::to_string(i)), keep_last(5)));
    pubs.push_back(publisher(topic(std::to_string(i)), keep_last(5)));
  }
  for (std::uint64_t i = 0; i < kTopics; ++i) {
    ASSERT_TRUE(matched(*pubs[i], *subs[i]));
    ASSERT_EQ(publish(*pubs[i], i), PublishResult::kOk);
  }
  for (std::uint64_t i = 0; i < kTopics; ++i) {
    EXPECT_EQ(take_values(*subs[i], 1), range(i, i));
    EXPECT_FALSE(subs[i]->take());
  }
}

TEST_F(Conformance, ManyThreadsPublishAndTakeOnOnePair) {
  NEEDS(Feature::kKeepAll);
  constexpr std::uint64_t kThreads = 3;
  constexpr std::uint64_t kEach = 2000;
  const auto pub = publisher(topic(), keep_all());
  const auto sub = subscription(topic(), keep_all());
  ASSERT_TRUE(matched(*pub, *sub));
  std::mutex mutex;
  std::multiset<std::uint64_t> taken;
  const auto is_complete = [&] {
    const std::lock_guard<std::mutex> lock(mutex);
    return taken.size() >= kThreads * kEach;
  };
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < kEach; ++i) {
        EXPECT_EQ(publish(*pub, t * kEach + i), PublishResult::kOk);
      }
    });
    threads.emplace_back([&] {
      EXPECT_TRUE(eventually([&] {
        while (const Sample sample = sub->take()) {
          const std::lock_guard<std::mutex> lock(mutex);
          taken.insert(value_of(sample));
        }
        return is_complete();
      }));
    });
  }
  for (auto & thread : threads) {
    thread.join();
  }
  const auto expected = range(0, kThreads * kEach - 1);
  EXPECT_TRUE(std::equal(taken.begin(), taken.end(), expected.begin(), expected.end()));
  EXPECT_EQ(sub->lost(), 0u);
}

}  // namespace
}  // namespace conformance
