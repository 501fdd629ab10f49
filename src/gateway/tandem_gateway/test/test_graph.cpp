// Who sees whom, what is refused, and what becomes of it all when gateways end.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "support.hpp"

namespace tandem::gateway {
namespace {

using transport::EndpointKind;

/// How often a text occurs.
std::size_t count(const std::string & text, const std::string & part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST_F(Hosts, NodesAreShownOnceEverywhere) {
  auto here = host(81).context->create_node({"/", "here"});
  const auto there = host(82).context->create_node({"/", "there"});
  const auto stock = network().context->create_node({"/", "stock"});
  const auto twin = host(81).context->create_node({"/", "twin"});
  const auto other_twin = host(82).context->create_node({"/", "twin"});
  for (Place * place : {&host(81), &host(82), &network()}) {
    EXPECT_TRUE(eventually([&] {
      return place->nodes("here") == 1 && place->nodes("there") == 1 && place->nodes("stock") == 1 &&
             place->nodes("twin") == 2;
    }));
  }
  here.reset();
  for (Place * place : {&host(81), &host(82), &network()}) {
    EXPECT_TRUE(eventually([&] { return place->nodes("here") == 0; }));
    EXPECT_EQ(place->nodes("there"), 1U);
    EXPECT_EQ(place->nodes("twin"), 2U);
  }
}

TEST_F(Hosts, EndpointsBearTheNamesOfTheirNodes) {
  const auto node = host(81).context->create_node({"/", "p"});
  const auto pub = host(81).publisher(topic(), reliable());
  ASSERT_TRUE(eventually([&] { return host(82).endpoints(topic(), EndpointKind::kPublisher) == 1; }));
  for (const auto & endpoint : host(82).context->graph().endpoints) {
    if (endpoint.topic == topic()) {
      EXPECT_EQ(endpoint.node.name, "p");
      EXPECT_EQ(endpoint.type_name, "std_msgs/msg/UInt64");
    }
  }
}

/// The nodes and the reliability of the subscriptions of a topic, as this place sees them.
std::multiset<std::string> subscribers(const Place & place, const std::string & topic) {
  std::multiset<std::string> found;
  for (const auto & endpoint : place.context->graph().endpoints) {
    if (endpoint.topic == topic && endpoint.kind == EndpointKind::kSubscription) {
      const bool is_reliable = endpoint.qos.reliability == transport::Reliability::kReliable;
      found.insert(endpoint.node.name + (is_reliable ? " reliable" : " best effort"));
    }
  }
  return found;
}

TEST_F(Hosts, EverySubscriptionIsShownUnderItsNode) {
  const auto pub = host(81).publisher(topic(), reliable());
  auto a = host(82).subscription(topic(), reliable(), "a");
  auto b = host(82).subscription(topic(), reliable(), "b");
  const auto c = host(82).subscription(topic(), best_effort(), "c");
  const auto again = host(82).subscription(topic(), best_effort(), "c");
  const std::multiset<std::string> all = {"a reliable", "b reliable", "c best effort", "c best effort"};
  for (const Place * place : {&network(), &host(81), &host(82)}) {
    EXPECT_TRUE(eventually([&] { return subscribers(*place, topic()) == all; }));
  }
  EXPECT_TRUE(eventually([&] { return pub->subscription_count() == 4; }));
  publish(*pub, 3);
  EXPECT_EQ(take(*a, 1), range(3, 1));
  EXPECT_EQ(take(*c, 1), range(3, 1));
  EXPECT_EQ(status_of(82, topic())["in"]["messages"], 1);
  EXPECT_EQ(status_of(82, topic())["in"]["lost"], 0);
  a.reset();
  const std::multiset<std::string> rest = {"b reliable", "c best effort", "c best effort"};
  for (const Place * place : {&network(), &host(81), &host(82)}) {
    EXPECT_TRUE(eventually([&] { return subscribers(*place, topic()) == rest; }));
  }
  publish(*pub, 4);
  EXPECT_EQ(take(*b, 2), range(3, 2));
  EXPECT_EQ(take(*again, 2), range(3, 2));
}

TEST_F(Hosts, EndpointsGoWithTheirPublishers) {
  auto pub = host(81).publisher(topic(), reliable());
  auto sub = network().subscription(topic(), reliable());
  ASSERT_TRUE(joined({pub}, {sub}));
  pub.reset();
  EXPECT_TRUE(eventually([&] { return status_of(81, topic()).is_null(); }));
  EXPECT_TRUE(eventually([&] { return sub->publisher_count() == 0; }));
}

TEST_F(Hosts, DeniedTopicsAreNotCarried) {
  host(81, {"--allow", "/DeniedTopicsAreNotCarried/*", "--deny", "*/b"});
  const auto a = host(81).publisher(topic("a"), reliable());
  const auto b = host(81).publisher(topic("b"), reliable());
  const auto c = host(81).publisher("/elsewhere", reliable());
  ASSERT_TRUE(eventually([&] { return network().endpoints(topic("a"), EndpointKind::kPublisher) == 1; }));
  EXPECT_EQ(network().endpoints(topic("b"), EndpointKind::kPublisher), 0U);
  EXPECT_EQ(network().endpoints("/elsewhere", EndpointKind::kPublisher), 0U);
}

TEST_F(Hosts, UnknownAndOtherTypesCostALine) {
  MessageType unknown = message_type<Number>();
  unknown.name = "absent_msgs/msg/Thing";
  MessageType changed = message_type<Number>();
  changed.hash[0] ^= 1;
  const auto good = host(81).publisher(topic("good"), reliable());
  ASSERT_TRUE(eventually([&] { return network().endpoints(topic("good"), EndpointKind::kPublisher) == 1; }));
  const auto thing = host(81).context->create_publisher(unknown, {{"/", "n"}, topic("unknown"), reliable()});
  const auto text = network().publisher<Text>(topic("good"), reliable());
  const auto other = network().context->create_publisher(changed, {{"/", "n"}, topic("good"), reliable()});
  const auto lines = [this] { return gateway(81).text(); };
  EXPECT_TRUE(eventually([&] { return count(lines(), "topic '" + topic("unknown") + "' is not carried") == 1; }));
  EXPECT_TRUE(eventually([&] { return count(lines(), "has the type std_msgs/msg/String and is left out") == 1; }));
  EXPECT_TRUE(eventually([&] { return count(lines(), "its definition of std_msgs/msg/UInt64 differs") == 1; }));
  EXPECT_EQ(count(lines(), "[WARN]"), 3U) << lines();
  const auto sub = network().subscription(topic("good"), reliable());
  ASSERT_TRUE(eventually([&] { return good->subscription_count() == 1; }));
  publish(*good, 5);
  EXPECT_EQ(take(*sub, 1), range(5, 1));
}

TEST_F(Hosts, AKilledGatewayIsReplaced) {
  const auto pub = host(81).publisher(topic(), reliable());
  const auto sub = network().subscription(topic(), reliable());
  ASSERT_TRUE(joined({pub}, {sub}));
  GatewayProcess second(81, {});
  EXPECT_EQ(second.wait(), 1);
  EXPECT_NE(second.text().find("already running as process " + std::to_string(gateway(81).pid())), std::string::npos);
  gateway(81).kill();
  ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 0 && sub->publisher_count() == 0; }));
  GatewayProcess third(81, {});
  ASSERT_TRUE(third.is_up());
  ASSERT_TRUE(joined({pub}, {sub}));
  publish(*pub, 7);
  EXPECT_EQ(take(*sub, 1), range(7, 1));
  EXPECT_EQ(third.end(), 0);
}

TEST_F(Hosts, ARestartedGatewayBringsNoHistoryToThoseWhoHaveHadIt) {
  const auto pub = network().publisher(topic(), transient_local(reliable(3)));
  for (std::uint64_t i = 0; i < 5; ++i) {
    publish(*pub, i);
  }
  const auto sub = host(81).subscription(topic(), transient_local(reliable(100)));
  EXPECT_EQ(take(*sub, 3), range(2, 3));
  gateway(81).kill();
  ASSERT_TRUE(eventually([&] { return sub->publisher_count() == 0; }));
  publish(*pub, 5);
  const GatewayProcess again(81, {});
  EXPECT_EQ(take(*sub, 1), range(5, 1));
  const auto late = host(81).subscription(topic(), transient_local(reliable(100)));
  EXPECT_EQ(take(*late, 3), range(3, 3));
  publish(*pub, 6);
  EXPECT_EQ(take(*sub, 1), range(6, 1));
}

TEST_F(Hosts, NorDoesARestartedGatewayOfThePublishersHost) {
  const auto pub = host(81).publisher(topic(), transient_local(reliable(3)));
  const auto sub = host(82).subscription(topic(), transient_local(reliable(100)));
  ASSERT_TRUE(joined({pub}, {sub}));
  for (std::uint64_t i = 0; i < 5; ++i) {
    publish(*pub, i);
  }
  EXPECT_EQ(take(*sub, 5), range(0, 5));
  gateway(81).kill();
  ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 0; }));
  publish(*pub, 5);
  const GatewayProcess again(81, {});
  EXPECT_EQ(take(*sub, 1), range(5, 1));
  ASSERT_TRUE(eventually([&] { return host(82).endpoints(topic(), EndpointKind::kPublisher) == 1; }));
  const auto late = host(82).subscription(topic(), transient_local(reliable(100)));
  EXPECT_EQ(take(*late, 3), range(3, 3));
}

TEST_F(Hosts, EndsWhenAloneAndLeavesNothing) {
  GatewayProcess lonely(88, {"--exit-when-alone", "0.5"});
  EXPECT_EQ(lonely.wait(), 0);
  for (const auto & entry : std::filesystem::directory_iterator(std::getenv("TANDEM_SHM_DIR"))) {
    EXPECT_EQ(entry.path().filename().string().find("88"), std::string::npos) << entry.path();
  }
}

TEST_F(Hosts, MetricsAreWrittenForPrometheus) {
  const std::string file = std::string(std::getenv("TANDEM_SHM_DIR")) + "/metrics.prom";
  host(81, {"--metrics-file", file});
  const auto pub = host(81).publisher(topic(), reliable());
  const auto text = [&file] {
    std::ostringstream all;
    all << std::ifstream(file).rdbuf();
    return all.str();
  };
  EXPECT_TRUE(eventually([&] {
    return text().find("tandem_gateway_publishers{domain=\"81\",topic=\"" + topic() + "\",direction=\"out\"} 1\n") !=
           std::string::npos;
  }));
}

TEST(Program, WrongOptionsCostALine) {
  GatewayProcess nowhere(81, {"--network", "rmw_tandem_cpp"});
  EXPECT_NE(nowhere.wait(), 0);
  GatewayProcess unknown(300, {});
  EXPECT_NE(unknown.wait(), 0);
}

}  // namespace
}  // namespace tandem::gateway
