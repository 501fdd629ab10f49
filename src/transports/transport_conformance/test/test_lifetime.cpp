// Coming and going: endpoints, nodes, contexts, in any order, under load; and what the graph says of it.
#include <algorithm>
#include <iterator>
#include <random>

#include "conformance.hpp"

namespace conformance {
namespace {

TEST_F(Conformance, SubscriptionsComeAndGo) {
  const auto pub = publisher(topic(), keep_last(10));
  EXPECT_EQ(publish(*pub, 0), PublishResult::kOk) << "with nobody there";
  for (std::uint64_t round = 1; round <= 10; ++round) {
    const auto sub = subscription(topic(), keep_last(10));
    ASSERT_TRUE(matched(*pub, *sub));
    ASSERT_EQ(publish(*pub, round), PublishResult::kOk);
    EXPECT_EQ(take_values(*sub, 1), range(round, round));
  }
  EXPECT_TRUE(eventually([&] { return pub->subscription_count() == 0; }));
  EXPECT_EQ(publish(*pub, 0), PublishResult::kOk);
}

TEST_F(Conformance, PublishersComeAndGo) {
  const auto sub = subscription(topic(), keep_last(10));
  for (std::uint64_t round = 0; round < 10; ++round) {
    const auto pub = publisher(topic(), keep_last(10));
    ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 1; }));
    ASSERT_EQ(publish(*pub, round), PublishResult::kOk);
    EXPECT_EQ(take_values(*sub, 1), range(round, round));
  }
  EXPECT_TRUE(eventually([&] { return sub->publisher_count() == 0; }));
  EXPECT_FALSE(sub->take());
}

TEST_F(Conformance, WhatAGonePublisherOwesIsStillRead) {
  NEEDS(Feature::kReliable);
  const auto sub = subscription(topic(), keep_last(kDeep));
  auto pub = publisher(topic(), keep_last(kDeep));
  ASSERT_TRUE(matched(*pub, *sub));
  for (std::uint64_t value = 0; value < kDeep; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  pub.reset();
  EXPECT_EQ(take_values(*sub, kDeep), range(0, kDeep - 1));
  EXPECT_TRUE(eventually([&] { return sub->publisher_count() == 0; }));
}

TEST_F(Conformance, EndpointsOutliveTheirContextAndNode) {
  auto node = context_->create_node({"/", "conformance"});
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = subscription(topic(), keep_last(10));
  const auto set = context_->create_wait_set();
  set->attach(sub);
  context_.reset();
  node.reset();
  ASSERT_TRUE(matched(*pub, *sub));
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  EXPECT_TRUE(set->wait(std::chrono::nanoseconds(-1)));
  EXPECT_EQ(take_values(*sub, 1), range(1, 1));
}

TEST_F(Conformance, ContextMayBeMadeAgain) {
  for (int round = 0; round < 3; ++round) {
    context_.reset();
    context_ = new_context();
    const auto pub = publisher(topic(), keep_last(10));
    const auto sub = subscription(topic(), keep_last(10));
    ASSERT_TRUE(matched(*pub, *sub));
    ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
    EXPECT_EQ(take_values(*sub, 1), range(1, 1));
  }
}

TEST_F(Conformance, BadDomainIsAnErrorOrWorks) {
  try {
    EXPECT_NE(new_context(1'000'000), nullptr);
  } catch (const transport::Error & error) {
    EXPECT_NE(std::string(error.what()), "");
  }
}

void use(const std::vector<std::shared_ptr<Publisher>> & pubs, const std::vector<std::shared_ptr<Subscription>> & subs,
         std::vector<Sample> & kept) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    for (const auto & pub : pubs) {
      EXPECT_EQ(publish(*pub, i), PublishResult::kOk);
    }
    for (const auto & sub : subs) {
      if (Sample sample = sub->take()) {
        value_of(sample);
        kept.push_back(std::move(sample));
      }
    }
  }
}

/// One time in three, one element.
template <class T>
void drop_one_of_three(std::mt19937 & random, std::vector<T> & list) {
  if (random() % 3 == 0 && !list.empty()) {
    list.erase(list.begin() + static_cast<long>(random() % list.size()));
  }
}

// Threads make, use and destroy endpoints of a few topics in random order while others publish on them.
TEST_F(Conformance, ComingAndGoingUnderLoad) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 60;
  const Qos kept_history = has(Feature::kTransientLocal) ? transient_local(keep_last(8)) : keep_last(8);
  const auto churn = [this, &kept_history](unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::shared_ptr<Publisher>> pubs;
    std::vector<std::shared_ptr<Subscription>> subs;
    std::vector<Sample> kept;
    const auto set = context_->create_wait_set();
    for (int round = 0; round < kRounds; ++round) {
      const std::string name = topic(std::to_string(random() % 3));
      const bool is_pub = random() % 2 == 0;
      if (is_pub) {
        pubs.push_back(publisher(name, random() % 2 == 0 ? keep_last(4) : kept_history));
      } else {
        subs.push_back(subscription(name, random() % 2 == 0 ? keep_last(4) : best_effort(keep_last(kDeep))));
        set->attach(subs.back());
      }
      use(pubs, subs, kept);
      set->wait(std::chrono::nanoseconds(0));
      drop_one_of_three(random, pubs);
      drop_one_of_three(random, subs);
      if (kept.size() > 5) {
        kept.erase(kept.begin(), kept.end() - 5);
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= kThreads; ++seed) {
    threads.emplace_back(churn, seed);
  }
  for (auto & thread : threads) {
    thread.join();
  }
  // Nothing of it disturbs the flow afterwards.
  const auto pub = publisher(topic("after"), keep_last(10));
  const auto sub = subscription(topic("after"), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub, 1), range(1, 1));
}

bool has_node(const transport::GraphSnapshot & graph, const transport::NodeName & name) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&name](const transport::NodeName & node) {
    return node.name_space == name.name_space && node.name == name.name;
  });
}

std::vector<transport::EndpointInfo> endpoints_of(const transport::GraphSnapshot & graph, const std::string & topic) {
  std::vector<transport::EndpointInfo> found;
  std::copy_if(graph.endpoints.begin(), graph.endpoints.end(), std::back_inserter(found),
               [&topic](const transport::EndpointInfo & endpoint) { return endpoint.topic == topic; });
  return found;
}

TEST_F(Conformance, GraphShowsNodesAndEndpoints) {
  NEEDS(Feature::kGraph);
  const transport::NodeName name{"/graph", "shown"};
  auto node = context_->create_node(name);
  const Qos qos = keep_last(17);
  auto pub = context_->create_publisher(type_of<Small>(), {name, topic(), qos});
  auto sub = context_->create_subscription(type_of<Small>(), {name, topic(), best_effort(keep_last(5))});
  ASSERT_TRUE(eventually(
      [&] { return has_node(context_->graph(), name) && endpoints_of(context_->graph(), topic()).size() == 2; }));
  for (const transport::EndpointInfo & endpoint : endpoints_of(context_->graph(), topic())) {
    const bool is_pub = endpoint.kind == EndpointKind::kPublisher;
    EXPECT_EQ(endpoint.gid, is_pub ? pub->gid() : sub->gid());
    EXPECT_EQ(endpoint.type_name, "conformance/msg/Small");
    EXPECT_EQ(endpoint.type_hash, "RIHS01_0102030000000000000000000000000000000000000000000000000000000000");
    EXPECT_EQ(endpoint.node.name_space, name.name_space);
    EXPECT_EQ(endpoint.node.name, name.name);
    EXPECT_EQ(endpoint.qos.history, History::kKeepLast);
    EXPECT_EQ(endpoint.qos.reliability, is_pub ? Reliability::kReliable : Reliability::kBestEffort);
    EXPECT_EQ(endpoint.qos.durability, Durability::kVolatile);
    EXPECT_EQ(endpoint.qos.depth, is_pub ? 17u : 5u);
  }
  node.reset();
  pub.reset();
  sub.reset();
  EXPECT_TRUE(eventually(
      [&] { return !has_node(context_->graph(), name) && endpoints_of(context_->graph(), topic()).empty(); }));
}

}  // namespace
}  // namespace conformance
