// What is worked out without any endpoint: grades, plans, filters.
#include <gtest/gtest.h>

#include "endpoints/type_registry.hpp"
#include "planning/plan.hpp"
#include "std_msgs/msg/u_int64.hpp"
#include "tandem/gateway/topic_filter.hpp"

namespace tandem::gateway {
namespace {

using transport::Durability;
using transport::EndpointInfo;
using transport::History;
using transport::Reliability;

constexpr Grade kGrades[] = {{Reliability::kBestEffort, Durability::kVolatile},
                             {Reliability::kReliable, Durability::kVolatile},
                             {Reliability::kBestEffort, Durability::kTransientLocal},
                             {Reliability::kReliable, Durability::kTransientLocal}};

EndpointInfo endpoint(std::uint8_t number, Grade grade, std::uint32_t depth = 10) {
  EndpointInfo info;
  info.gid[0] = number;
  info.node = {"/", "n" + std::to_string(number)};
  info.qos.reliability = grade.reliability;
  info.qos.durability = grade.durability;
  info.qos.depth = depth;
  return info;
}

TEST(Grade, EveryPublisherHasOneBestSubscriptionThatEquals) {
  for (unsigned mask = 1; mask < 16; ++mask) {
    std::set<Grade> asked;
    for (unsigned i = 0; i < 4; ++i) {
      if ((mask >> i & 1) != 0) {
        asked.insert(kGrades[i]);
      }
    }
    const std::set<Grade> all = closure(asked);
    for (const Grade offered : kGrades) {
      const auto chosen = best(all, offered);
      for (const Grade grade : asked) {
        if (serves(offered, grade)) {
          ASSERT_TRUE(chosen);
          EXPECT_TRUE(serves(*chosen, grade)) << "whoever the publisher serves gets its messages as good as asked for";
        }
      }
      EXPECT_TRUE(!chosen || serves(offered, *chosen));
    }
  }
}

TEST(Plan, OutMirrorsPublishersAndSubscribesOnceForAll) {
  const Endpoints endpoints{{endpoint(1, kGrades[1], 7), endpoint(2, kGrades[1], 100)},
                            {endpoint(3, kGrades[1]), endpoint(4, kGrades[1])}};
  const TopicPlan plan = make_plan(Direction::kOut, endpoints);
  ASSERT_EQ(plan.publishers.size(), 2U);
  const PublisherPlan & first = plan.publishers.begin()->second;
  EXPECT_EQ(first.qos.depth, 7U);
  EXPECT_EQ(first.readers, 2U);
  EXPECT_EQ(first.source.node.name, "n1");
  ASSERT_EQ(plan.subscriptions.size(), 1U);
  const SubscriptionPlan & subscription = plan.subscriptions.begin()->second;
  EXPECT_EQ(subscription.qos.depth, 1024U);
  EXPECT_EQ(subscription.writers, 2U);
  EXPECT_EQ(subscription.nodes.front().name, "n3");
}

TEST(Plan, OutSubscribesToNothingThatNobodyPublishes) {
  EXPECT_TRUE(make_plan(Direction::kOut, {{}, {endpoint(1, kGrades[0])}}).subscriptions.empty());
  EXPECT_TRUE(make_plan(Direction::kOut, {{endpoint(1, kGrades[0])}, {}}).subscriptions.empty());
}

TEST(Plan, InSubscribesBeforeAnybodyPublishes) {
  const TopicPlan plan = make_plan(Direction::kIn, {{}, {endpoint(1, kGrades[0]), endpoint(2, kGrades[1])}});
  EXPECT_EQ(plan.subscriptions.size(), 2U);
}

TEST(Plan, InKeepsAllForThoseWhoDo) {
  EndpointInfo wants_all = endpoint(2, kGrades[1]);
  wants_all.qos.history = History::kKeepAll;
  const TopicPlan plan = make_plan(
      Direction::kIn, {{endpoint(1, kGrades[1]), endpoint(3, kGrades[0])}, {wants_all, endpoint(4, kGrades[0])}});
  EXPECT_EQ(plan.publishers.at(endpoint(1, kGrades[1]).gid).qos.history, History::kKeepAll);
  EXPECT_EQ(plan.publishers.at(endpoint(3, kGrades[0]).gid).qos.history, History::kKeepLast)
      << "best effort keeps none";
  EXPECT_EQ(plan.subscriptions.at(kGrades[1]).qos.history, History::kKeepAll);
  EXPECT_EQ(plan.subscriptions.at(kGrades[0]).qos.history, History::kKeepLast);
}

TEST(Plan, InKeepsTheHistoryOfLatePublishersAsTold) {
  const TopicPlan plan = make_plan(Direction::kIn, {{endpoint(1, kGrades[3], 1)}, {endpoint(2, kGrades[3], 100)}});
  EXPECT_EQ(plan.publishers.begin()->second.qos.depth, 1U);
  EXPECT_EQ(plan.subscriptions.begin()->second.qos.depth, 1024U);
}

TEST(Plan, InShowsTheDepthOfVolatilePublishersAsTold) {
  const auto depth = [](std::uint32_t told, std::uint32_t wanted) {
    const EndpointInfo source = endpoint(1, kGrades[1], told);
    return make_plan(Direction::kIn, {{source}, {endpoint(2, kGrades[1], wanted)}}).publishers.at(source.gid).qos.depth;
  };
  EXPECT_EQ(depth(10, 10), 10U);
  EXPECT_EQ(depth(10, 1), 10U);
  EXPECT_EQ(depth(1000, 10), 1000U);
  EXPECT_EQ(depth(10, 100), 128U) << "a subscription that wants more is given more";
  EXPECT_EQ(depth(0, 10), 16U) << "not told";
}

/// A server's ends on one side.
ServiceEnds server(std::uint8_t number, std::uint32_t depth = 10) {
  return {{endpoint(number, kGrades[1], depth)}, {endpoint(static_cast<std::uint8_t>(number + 100), kGrades[1])}, {}};
}

TEST(SubscriptionMirror, ShowsWhomNoCarrierShows) {
  const Grade sure{transport::Reliability::kReliable, transport::Durability::kVolatile};
  const Grade unsure{};
  const std::vector<ShownSubscription> wanted = {
      {"/", "b", sure}, {"/", "a", sure}, {"/", "a", unsure}, {"/n", "a", sure}, {"/", "a", sure}};
  EXPECT_EQ(
      not_shown_by({{"/", "a", sure}}, wanted),
      (std::vector<ShownSubscription>{{"/", "a", unsure}, {"/", "a", sure}, {"/", "b", sure}, {"/n", "a", sure}}));
  const Grade best{transport::Reliability::kReliable, transport::Durability::kTransientLocal};
  EXPECT_EQ(not_shown_by({{"/", "b", best}, {"/", "elsewhere", sure}}, {{"/", "b", sure}}),
            std::vector<ShownSubscription>())
      << "another grade of the same node will do";
}

TEST(ServicePlan, FollowsTheServer) {
  EXPECT_FALSE(make_service_plan({}));
  EXPECT_FALSE(make_service_plan({{{}, {}, {endpoint(1, kGrades[1])}}, {}})) << "a client alone";
  EXPECT_FALSE(make_service_plan({{server(1).requests, {}, {}}, {}})) << "half a server";
  ServiceEnds with_client = server(1);
  with_client.clients.push_back(endpoint(5, kGrades[1]));
  const auto remote = make_service_plan({{{}, {}, with_client.clients}, server(2)});
  ASSERT_TRUE(remote);
  EXPECT_EQ(remote->side, Side::kNetwork);
  ASSERT_EQ(remote->callers.size(), 1U);
  EXPECT_EQ(remote->callers[0].name, "n5");
  EXPECT_FALSE(remote->is_on_both);
  const auto both = make_service_plan({with_client, server(2)});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->side, Side::kLocal);
  EXPECT_EQ(both->server.gid[0], 1);
  EXPECT_TRUE(both->callers.empty()) << "a client of the server's own side";
  EXPECT_TRUE(both->is_on_both);
}

TEST(ServicePlan, TakesTheQosOfTheServer) {
  const auto depth = [](std::uint32_t told) {
    return service_qos(server(1, told).requests[0], std::chrono::milliseconds(1)).depth;
  };
  EXPECT_EQ(depth(0), 10U) << "not told";
  EXPECT_EQ(depth(1), 1U);
  EXPECT_EQ(depth(1000), 1000U);
  EXPECT_EQ(depth(100'000), 16'000U);
}

TEST(TypeRegistry, ServersChooseTheTypeOfAService) {
  ServiceEndpoints endpoints{{{}, {}, {endpoint(1, kGrades[1])}}, server(2)};
  endpoints.local.clients[0].type_name = "std_srvs/srv/Empty_Request";
  endpoints.network.requests[0].type_name = "example_interfaces/srv/AddTwoInts_Request";
  endpoints.network.replies[0].type_name = "example_interfaces/srv/AddTwoInts_Response";
  Log log;
  TypeRegistry registry(log);
  ServiceEndpoints only_client{endpoints.local, {}};
  EXPECT_EQ(registry.choose("/a", only_client), nullptr);
  const ServiceType * type = registry.choose("/a", endpoints);
  ASSERT_NE(type, nullptr);
  EXPECT_STREQ(type->name, "example_interfaces/srv/AddTwoInts");
  EXPECT_EQ(endpoints.network.requests.size(), 1U);
  EXPECT_EQ(endpoints.network.replies.size(), 1U);
  EXPECT_TRUE(endpoints.local.clients.empty());
}

TEST(TypeRegistry, RemembersWhomItRefuses) {
  using Number = std_msgs::msg::UInt64;
  TopicEndpoints endpoints;
  for (const std::uint8_t number : {1, 2, 3}) {
    EndpointInfo one = endpoint(number, kGrades[1]);
    one.topic = "/a";
    one.type_name = number == 2 ? "std_msgs/msg/String" : message_type<Number>().name;
    one.type_hash = number == 3 ? "RIHS01_" + std::string(64, '0') : "";
    endpoints.network.publishers.push_back(one);
  }
  Log log;
  TypeRegistry registry(log);
  ASSERT_NE(registry.choose("/a", endpoints), nullptr);
  EXPECT_EQ(endpoints.network.publishers.size(), 1U);
  EXPECT_EQ(endpoints.refused, (std::set{endpoint(2, {}).gid, endpoint(3, {}).gid}));
}

TEST(TopicFilter, DenyWins) {
  EXPECT_TRUE(TopicFilter{}.allows("/a"));
  const TopicFilter filter{{"/camera/*", "/imu"}, {"*/raw"}};
  EXPECT_TRUE(filter.allows("/camera/left/info"));
  EXPECT_TRUE(filter.allows("/imu"));
  EXPECT_FALSE(filter.allows("/imu2"));
  EXPECT_FALSE(filter.allows("/camera/left/raw"));
  EXPECT_FALSE(filter.allows("/other"));
}

}  // namespace
}  // namespace tandem::gateway
