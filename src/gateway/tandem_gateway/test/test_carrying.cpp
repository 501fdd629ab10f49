// Messages between hosts: all of them, once, in order, as their QoS says.
#include <algorithm>
#include <atomic>
#include <future>
#include <iterator>
#include <set>
#include <thread>

#include "support.hpp"

namespace tandem::gateway {
namespace {

using transport::EndpointKind;
using transport::PublishResult;

/// What `all` has and `others` have not; both are sorted.
std::vector<std::uint64_t> difference(const std::vector<std::uint64_t> & all,
                                      const std::vector<std::uint64_t> & others) {
  std::vector<std::uint64_t> rest;
  std::set_difference(all.begin(), all.end(), others.begin(), others.end(), std::back_inserter(rest));
  return rest;
}

TEST_F(Hosts, MessagesReachTheOtherHost) {
  const auto sub = host(82).subscription<Text>(topic(), reliable());
  const auto pub = host(81).publisher<Text>(topic(), reliable());
  ASSERT_TRUE(joined({pub}, {sub}));
  Text message;
  message.data = std::string(100'000, 'x');
  ASSERT_EQ(pub->publish(&message), PublishResult::kOk);
  transport::Sample sample;
  ASSERT_TRUE(eventually([&] { return static_cast<bool>(sample = sub->take()); }));
  EXPECT_EQ(static_cast<const Text *>(sample.message)->data, message.data);
  const auto status = status_of(82, topic());
  EXPECT_EQ(status["in"]["messages"], 1);
  EXPECT_EQ(status["in"]["copied"], 0) << "read from the network straight into shared memory";
  EXPECT_EQ(status["in"]["bytes"], 4 + 4 + 100'001);
}

TEST_F(Hosts, EachHostHearsEachOnceWithoutLoops) {
  std::vector<Place *> places = {&host(81), &host(82), &host(83), &network()};
  std::vector<std::shared_ptr<Publisher>> pubs;
  std::vector<std::shared_ptr<Subscription>> subs;
  for (Place * place : places) {
    pubs.push_back(place->publisher(topic(), reliable()));
    subs.push_back(place->subscription(topic(), reliable()));
  }
  ASSERT_TRUE(joined(pubs, subs));
  // A publisher sees everybody; the gateway says whether they hear it.
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(eventually([&] { return pubs[i]->subscription_count() == 4; }));
    const auto domain = static_cast<std::uint32_t>(81 + i);
    ASSERT_TRUE(eventually([&] { return status_of(domain, topic())["out"]["readers"] == 3; })) << status_of(domain);
    ASSERT_TRUE(eventually([&] { return status_of(domain, topic())["in"]["readers"] == 3; })) << status_of(domain);
  }
  ASSERT_TRUE(eventually([&] { return pubs[3]->subscription_count() == 4; }));
  for (std::uint64_t i = 0; i < pubs.size(); ++i) {
    for (std::uint64_t k = 0; k < 50; ++k) {
      ASSERT_EQ(publish(*pubs[i], 1000 * i + k), PublishResult::kOk);
    }
  }
  for (const auto & sub : subs) {
    auto values = take(*sub, 200);
    std::sort(values.begin(), values.end());
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < pubs.size(); ++i) {
      const auto part = range(1000 * i, 50);
      expected.insert(expected.end(), part.begin(), part.end());
    }
    EXPECT_EQ(difference(expected, values), std::vector<std::uint64_t>()) << "missing";
    EXPECT_EQ(difference(values, expected), std::vector<std::uint64_t>()) << "too many";
  }
  EXPECT_EQ(subs[0]->publisher_count(), 4U);
}

TEST_F(Hosts, SubscribesOnlyToWhatIsWanted) {
  const auto pub = host(81).publisher(topic(), reliable());
  ASSERT_TRUE(eventually([&] { return network().endpoints(topic(), EndpointKind::kPublisher) == 1; }));
  EXPECT_EQ(pub->subscription_count(), 0U);
  auto sub = network().subscription(topic(), reliable());
  ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 1; }));
  sub.reset();
  ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 0; }));
  EXPECT_EQ(network().endpoints(topic(), EndpointKind::kPublisher), 1U);
}

TEST_F(Hosts, KeepAllLosesNothingAndDelaysNoOther) {
  const auto sub = host(82).subscription(topic(), keep_all());
  const auto other_sub = host(82).subscription(topic("other"), reliable());
  const auto pub = host(81).publisher(topic(), keep_all());
  const auto other_pub = host(81).publisher(topic("other"), reliable());
  ASSERT_TRUE(joined({pub}, {sub}));
  ASSERT_TRUE(joined({other_pub}, {other_sub}));
  constexpr std::uint64_t kCount = 60'000;  // more than all the queues between them can hold
  const auto publishing = std::async(std::launch::async, [&] {
    for (std::uint64_t i = 0; i < kCount; ++i) {
      EXPECT_EQ(publish(*pub, i), PublishResult::kOk);
    }
  });
  // Nobody reads for as long as the publisher gets on.
  std::uint64_t before = 1;
  EXPECT_TRUE(eventually([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const std::uint64_t carried = status_of(82, topic())["in"]["messages"];
    return carried == std::exchange(before, carried);
  }));
  for (std::uint64_t i = 0; i < 20; ++i) {
    ASSERT_EQ(publish(*other_pub, i), PublishResult::kOk);
  }
  EXPECT_EQ(take(*other_sub, 20), range(0, 20));
  EXPECT_EQ(take(*sub, kCount), range(0, kCount));
  publishing.wait();
}

TEST_F(Hosts, LateJoinersGetTheHistoryOfEachPublisherOnce) {
  const auto first = host(81).publisher(topic(), transient_local(reliable(1)));
  const auto second = host(81).publisher(topic(), transient_local(reliable(2)));
  for (std::uint64_t i = 0; i < 5; ++i) {
    publish(*first, i);
    publish(*second, 100 + i);
  }
  const auto sorted = [](std::vector<std::uint64_t> values) {
    std::sort(values.begin(), values.end());
    return values;
  };
  const std::vector<std::uint64_t> history = {4, 103, 104};
  auto sub = host(82).subscription(topic(), transient_local(reliable(100)));
  EXPECT_EQ(sorted(take(*sub, 3)), history);
  const auto second_sub = host(82).subscription(topic(), transient_local(reliable(100)));
  EXPECT_EQ(sorted(take(*second_sub, 3)), history);
  sub.reset();
  const auto third_sub = host(83).subscription(topic(), transient_local(reliable(100)));
  EXPECT_EQ(sorted(take(*third_sub, 3)), history);
  publish(*first, 5);
  EXPECT_EQ(take(*second_sub, 1), range(5, 1));
  EXPECT_EQ(take(*third_sub, 1), range(5, 1));
}

TEST_F(Hosts, HistoryComesOnceToThoseWhoComeAgain) {
  const auto pub = host(81).publisher(topic(), transient_local(reliable(3)));
  for (std::uint64_t i = 0; i < 5; ++i) {
    publish(*pub, i);
  }
  for (int round = 0; round < 3; ++round) {
    const auto sub = host(82).subscription(topic(), transient_local(reliable(100)));
    EXPECT_EQ(take(*sub, 3), range(2, 3));
    const auto remote = network().subscription(topic(), transient_local(reliable(100)));
    EXPECT_EQ(take(*remote, 3), range(2, 3));
  }
}

TEST_F(Hosts, MixedReliabilityCarriesEachOnce) {
  const auto sure = network().publisher(topic(), reliable());
  const auto unsure = network().publisher(topic(), best_effort());
  const auto strict = host(81).subscription(topic(), reliable());
  const auto lenient = host(81).subscription(topic(), best_effort());
  ASSERT_TRUE(joined({sure}, {strict}));
  ASSERT_TRUE(joined({sure, unsure}, {lenient}));
  ASSERT_TRUE(eventually([&] { return status_of(81, topic())["in"]["subscriptions"] == 2; }));
  for (std::uint64_t i = 0; i < 100; ++i) {
    publish(*sure, i);
    publish(*unsure, 1000 + i);
  }
  EXPECT_EQ(take(*strict, 100), range(0, 100));
  auto values = take(*lenient, 200);
  std::sort(values.begin(), values.end());
  auto expected = range(0, 100);
  const auto more = range(1000, 100);
  expected.insert(expected.end(), more.begin(), more.end());
  EXPECT_EQ(values, expected);
}

TEST_F(Hosts, SubscriptionsChangeOverWithoutLoss) {
  const auto stays = host(81).subscription(topic(), reliable(100), "stays");
  auto leaves = host(81).subscription(topic(), reliable(100), "leaves");
  const auto pub = network().publisher(topic(), reliable());
  ASSERT_TRUE(joined({pub}, {stays, leaves}));
  std::atomic<bool> is_over = false;
  std::uint64_t count = 0;
  const auto publishing = std::async(std::launch::async, [&] {
    for (; !is_over; ++count) {
      publish(*pub, count);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  std::vector<std::uint64_t> values;
  const auto owners = [this] {
    std::set<std::string> names;
    for (const auto & endpoint : network().context->graph().endpoints) {
      if (endpoint.topic == topic() && endpoint.kind == EndpointKind::kSubscription) {
        names.insert(endpoint.node.name);
      }
    }
    return names;
  };
  const auto becomes = [&](const std::set<std::string> & names) {
    return eventually([&] {
      const auto some = take_all(*stays);
      values.insert(values.end(), some.begin(), some.end());
      return owners() == names;
    });
  };
  EXPECT_TRUE(becomes({"leaves", "stays"}));
  leaves.reset();
  EXPECT_TRUE(becomes({"stays"}));
  // One that keeps all makes another subscription necessary, on the network and on this host.
  const auto demanding = host(81).subscription(topic(), keep_all(), "demanding");
  EXPECT_TRUE(eventually([&] {
    const auto some = take_all(*stays);
    values.insert(values.end(), some.begin(), some.end());
    return take_all(*demanding).size() > 0;
  }));
  is_over = true;
  publishing.wait();
  const auto rest = take(*stays, count - values.size());
  values.insert(values.end(), rest.begin(), rest.end());
  EXPECT_EQ(values, range(values.empty() ? 0 : values.front(), values.size()));
  EXPECT_EQ(values.size() + (values.empty() ? 0 : values.front()), count);
}

/// Messages come in bursts while another subscription of the gateway takes over, because a second one of this host asks for
/// more.
class ChangeOver {
 public:
  ChangeOver(Place & host, Place & network, const std::string & topic, const Qos & more)
      : host_(host), network_(network), topic_(topic), more_(more) {
    EXPECT_TRUE(joined({pub_}, {stays_}));
  }
  /// As many as no queue on the way drops.
  void burst() {
    for (; count_ < 10 || count_ < taken_ + 400; ++count_) {
      publish(*pub_, count_);
    }
  }
  /// Before the change, with `is_over` after it.
  bool has_taken(bool is_over) {
    const auto some = take_all(*stays_);
    values_.insert(values_.end(), some.begin(), some.end());
    taken_ = values_.empty() ? 0 : values_.back();
    return is_over ? values_.back() + 1 == count_ : values_.size() > 500;
  }
  void begin() {
    before_ = subscriptions();
    second_ = host_.subscription(topic_, more_, "second");
  }
  /// Whether the gateway's first subscription has gone.
  bool is_done() const {
    const auto now = subscriptions();
    return std::none_of(before_.begin(), before_.end(), [&](const auto & gid) { return now.count(gid) != 0; });
  }
  void expect_all() const {
    EXPECT_EQ(values_.size(), values_.back() + 1 - values_.front()) << topic_;
    EXPECT_TRUE(std::is_sorted(values_.begin(), values_.end())) << topic_;
  }

 private:
  std::set<transport::Gid> subscriptions() const {
    std::set<transport::Gid> gids;
    for (const auto & endpoint : network_.context->graph().endpoints) {
      if (endpoint.topic == topic_ && endpoint.kind == EndpointKind::kSubscription) {
        gids.insert(endpoint.gid);
      }
    }
    return gids;
  }

  Place & host_;
  Place & network_;
  const std::string topic_;
  const Qos more_;
  const std::shared_ptr<Subscription> stays_ = host_.subscription(topic_, reliable(1000));
  const std::shared_ptr<Publisher> pub_ = network_.publisher(topic_, transient_local(reliable(1000)));
  std::shared_ptr<Subscription> second_;
  std::set<transport::Gid> before_;
  std::atomic<std::uint64_t> count_ = 0;
  std::atomic<std::uint64_t> taken_ = 0;  ///< the newest that has arrived
  std::vector<std::uint64_t> values_;
};

TEST_F(Hosts, AnotherSubscriptionTakesOverDuringBurstsWithoutLoss) {
  std::vector<std::unique_ptr<ChangeOver>> all;
  for (const std::string name : {"a", "b", "c", "d"}) {
    all.push_back(std::make_unique<ChangeOver>(host(81), network(), topic("depth_" + name), reliable(2000)));
    all.push_back(std::make_unique<ChangeOver>(host(81), network(), topic(name), transient_local(reliable(10))));
  }
  std::atomic<bool> is_over = false;
  const auto publishing = std::async(std::launch::async, [&] {
    while (!is_over) {
      for (const auto & one : all) {
        one->burst();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const auto each = [&](const std::function<bool(ChangeOver &)> & is_so) {
    return eventually([&] {
      // All of them are asked each time, since they take meanwhile.
      return std::count_if(all.begin(), all.end(), [&](const auto & one) { return is_so(*one); }) == 8;
    });
  };
  EXPECT_TRUE(each([](ChangeOver & one) { return one.has_taken(false); }));
  for (const auto & one : all) {
    one->begin();
  }
  EXPECT_TRUE(each([](ChangeOver & one) { return one.has_taken(false) && one.is_done(); }));
  is_over = true;
  publishing.wait();
  EXPECT_TRUE(each([](ChangeOver & one) { return one.has_taken(true); }));
  for (const auto & one : all) {
    one->expect_all();
  }
}

TEST_F(Hosts, FirstMessagesOfUnknownPublishersAreKept) {
  const auto sub = host(82).subscription(topic(), reliable());
  const auto present = network().publisher(topic(), reliable());
  ASSERT_TRUE(joined({present}, {sub}));
  for (std::uint64_t i = 0; i < 5; ++i) {
    // Matched with the gateway at once, long before the gateway has looked at the graph.
    const auto pub = network().publisher(topic(), reliable());
    ASSERT_TRUE(eventually([&] { return pub->subscription_count() > 0; }));
    for (std::uint64_t k = 0; k < 20; ++k) {
      publish(*pub, 100 * i + k);
    }
    EXPECT_EQ(take(*sub, 20), range(100 * i, 20));
  }
}

TEST_F(Hosts, MessagesOfPublishersThatHaveGoneArrive) {
  const auto sub = host(82).subscription(topic(), reliable());
  const auto present = host(81).publisher(topic(), reliable());
  ASSERT_TRUE(joined({present}, {sub}));
  for (std::uint64_t i = 0; i < 3; ++i) {
    auto pub = host(81).publisher(topic(), reliable());
    ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 1; }));
    for (std::uint64_t k = 0; k < 20; ++k) {
      publish(*pub, 100 * i + k);
    }
    pub.reset();
    EXPECT_EQ(take(*sub, 20), range(100 * i, 20));
  }
}

}  // namespace
}  // namespace tandem::gateway
