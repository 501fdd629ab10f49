// What a node sees of the graph, and when it changes; QoS policies that parameters replace.
#include "support.hpp"

#include <algorithm>

#include "rcl_interfaces/srv/get_parameters.hpp"

using namespace std::chrono_literals;
using test::Block;
using Graph = test::WithNode;
using QosOverrides = test::WithNode;
using rclcpp::QosOverridingOptions;
using rclcpp::QosPolicyKind;

TEST_F(Graph, NamesNodesAndWhatTheyHave) {
  auto other = std::make_shared<rclcpp::Node>("other");
  auto publisher = node_->create_publisher<Block>("topic", 1);
  auto subscription = other->create_subscription<Block>("/ns/topic", 1, [](const Block &) {});
  auto graph = node_->get_node_graph_interface();
  ASSERT_TRUE(test::eventually([&] { return graph->count_subscribers("topic") == 1; }));
  const auto has = [](const auto & all, const auto & one) { return std::count(all.begin(), all.end(), one) == 1; };
  EXPECT_TRUE(has(graph->get_node_names(), std::string("/ns/node")));
  EXPECT_TRUE(has(graph->get_node_names(), std::string("/other")));
  EXPECT_TRUE(has(graph->get_node_names_and_namespaces(), std::make_pair(std::string("node"), std::string("/ns"))));
  EXPECT_TRUE(has(graph->get_node_names_with_enclaves(),
                  std::make_tuple(std::string("other"), std::string("/"), std::string("/"))));
  using Types = std::vector<std::string>;
  EXPECT_EQ(graph->get_publisher_names_and_types_by_node("node", "/ns")["/ns/topic"], Types{"test_msgs/msg/Block"});
  EXPECT_EQ(graph->get_subscriber_names_and_types_by_node("other", "/").count("/ns/topic"), 1u);
  EXPECT_EQ(graph->get_subscriber_names_and_types_by_node("node", "/ns").count("/ns/topic"), 0u);
  EXPECT_THROW(graph->get_publisher_names_and_types_by_node("nobody", "/"), rclcpp::exceptions::RCLError);
  EXPECT_EQ(graph->get_publishers_info_by_topic("topic", true).size(), 0u);  // as it is
  auto info = graph->get_publishers_info_by_topic("/ns/topic", true);
  ASSERT_EQ(info.size(), 1u);
  EXPECT_EQ(info[0].endpoint_type(), rclcpp::EndpointType::Publisher);
  EXPECT_EQ(info[0].topic_type(), "test_msgs/msg/Block");
  info[0].node_name() = "renamed";
  EXPECT_EQ(info[0].node_name(), "renamed");
  EXPECT_THROW(graph->count_publishers("a b"), rclcpp::exceptions::InvalidTopicNameError);
}

TEST_F(Graph, HidesTheChannelsOfServices) {
  const auto transport = node_->get_node_base_interface()->transport();
  tandem::transport::TopicOptions options{node_->get_node_base_interface()->transport_name(), "rq/ns/addRequest", {}};
  auto request = transport->create_subscription(tandem::message_type<Block>(), options);
  auto graph = node_->get_node_graph_interface();
  ASSERT_TRUE(test::eventually([&] { return graph->get_topic_names_and_types(true).count("rq/ns/addRequest") == 1; }));
  EXPECT_EQ(graph->get_topic_names_and_types().count("rq/ns/addRequest"), 0u);
  EXPECT_EQ(graph->get_subscriber_names_and_types_by_node("node", "/ns").count("rq/ns/addRequest"), 0u);
  EXPECT_EQ(graph->get_subscriber_names_and_types_by_node("node", "/ns", true).count("rq/ns/addRequest"), 1u);
}

TEST_F(Graph, NamesServicesAndWhoHasThem) {
  using rcl_interfaces::srv::GetParameters;
  const auto other = std::make_shared<rclcpp::Node>("other", rclcpp::NodeOptions().start_parameter_services(false));
  const auto client = other->create_client<GetParameters>("/ns/node/get_parameters");
  const auto waiting = other->create_client<GetParameters>("nobody");
  const auto graph = node_->get_node_graph_interface();
  ASSERT_TRUE(test::eventually(
      [&] { return graph->count_clients("/nobody") == 1 && graph->count_clients("~/get_parameters") == 1; }));
  EXPECT_EQ(node_->count_services("~/get_parameters"), 1u);
  EXPECT_EQ(node_->count_services("/nobody"), 0u);
  EXPECT_EQ(node_->count_clients("node/get_parameters"), 1u);  // relative
  EXPECT_EQ(node_->count_clients("/other/nobody"), 0u);
  const std::vector<std::string> type{"rcl_interfaces/srv/GetParameters"};
  auto all = node_->get_service_names_and_types();
  EXPECT_EQ(all["/ns/node/get_parameters"], type);
  EXPECT_EQ(all["/nobody"], type);
  auto served = node_->get_service_names_and_types_by_node("node", "/ns");
  EXPECT_EQ(served["/ns/node/get_parameters"], type);
  EXPECT_EQ(served.count("/nobody"), 0u);
  EXPECT_EQ(node_->get_service_names_and_types_by_node("other", "/").count("/ns/node/get_parameters"), 0u);
  EXPECT_EQ(node_->get_service_names_and_types_by_node("other", ""),
            node_->get_service_names_and_types_by_node("other", "/"));
  auto called = graph->get_client_names_and_types_by_node("other", "/");
  EXPECT_EQ(called["/ns/node/get_parameters"], type);
  EXPECT_EQ(called["/nobody"], type);
  EXPECT_THROW(node_->get_service_names_and_types_by_node("nobody", "/"), rclcpp::exceptions::RCLError);
  EXPECT_THROW(node_->count_services("a b"), rclcpp::exceptions::InvalidServiceNameError);
}

TEST_F(Graph, TellsOfChanges) {
  auto graph = node_->get_node_graph_interface();
  auto event = node_->get_graph_event();
  auto other = node_->get_graph_event();
  EXPECT_EQ(graph->count_graph_users(), 2u);
  auto publisher = node_->create_publisher<Block>("new", 1);
  node_->wait_for_graph_change(event, test::kPatience);
  EXPECT_TRUE(event->check_and_clear());
  EXPECT_FALSE(event->check());
  EXPECT_TRUE(other->check());  // all are told

  std::thread thread([&] { node_->wait_for_graph_change(event, -1ns); });
  publisher.reset();
  thread.join();
  EXPECT_TRUE(event->check_and_clear());
  std::thread notified([&] { node_->wait_for_graph_change(event, -1ns); });
  graph->notify_graph_change();
  notified.join();
  event->check_and_clear();
  std::thread ended([&] { node_->wait_for_graph_change(event, -1ns); });
  rclcpp::shutdown();
  ended.join();

  other.reset();
  EXPECT_EQ(graph->count_graph_users(), 1u);
  EXPECT_THROW(node_->wait_for_graph_change(nullptr, 0s), rclcpp::exceptions::InvalidEventError);
  EXPECT_THROW(node_->wait_for_graph_change(std::make_shared<rclcpp::Event>(), 0s),
               rclcpp::exceptions::EventNotRegisteredError);
}

TEST_F(Graph, ForgetsNothingBetweenTwoWaits) {
  auto event = node_->get_graph_event();
  auto publisher = node_->create_publisher<Block>("between", 1);
  ASSERT_TRUE(test::eventually([&] { return node_->count_publishers("between") == 1; }));
  auto later = node_->get_graph_event();  // the first one is behind, and told now
  EXPECT_TRUE(event->check());
  EXPECT_FALSE(later->check());
}

TEST_F(QosOverrides, ReplaceWhatTheProgramAllows) {
  rclcpp::NodeOptions node_options;
  node_options.append_parameter_override("qos_overrides./topic.publisher.depth", 7);
  node_options.append_parameter_override("qos_overrides./topic.publisher.reliability", "best_effort");
  node_options.append_parameter_override("qos_overrides./topic.publisher.durability", "transient_local");
  node_options.append_parameter_override("qos_overrides./topic.subscription_one.history", "keep_all");
  rclcpp::Node node("overridden", node_options);

  rclcpp::PublisherOptions options;
  options.qos_overriding_options = QosOverridingOptions::with_default_policies();
  auto publisher = node.create_publisher<Block>("topic", 10, options);
  EXPECT_EQ(publisher->get_actual_qos().depth(), 7u);
  EXPECT_EQ(publisher->get_actual_qos().reliability(), rclcpp::ReliabilityPolicy::BestEffort);
  EXPECT_EQ(publisher->get_actual_qos().durability(), rclcpp::DurabilityPolicy::Volatile);  // not among them
  EXPECT_EQ(node.get_parameter("qos_overrides./topic.publisher.history").as_string(), "keep_last");
  EXPECT_TRUE(node.describe_parameter("qos_overrides./topic.publisher.depth").read_only);
  auto another = node.create_publisher<Block>("topic", 10, options);  // the parameters are there already
  EXPECT_EQ(another->get_actual_qos().depth(), 7u);

  rclcpp::SubscriptionOptions subscription_options;
  subscription_options.qos_overriding_options = {
      {QosPolicyKind::History, QosPolicyKind::Lifespan, QosPolicyKind::Deadline, QosPolicyKind::Liveliness,
       QosPolicyKind::LivelinessLeaseDuration, QosPolicyKind::AvoidRosNamespaceConventions},
      nullptr,
      "one"};
  auto subscription = node.create_subscription<Block>(
      "topic", 10, [](const Block &) {}, subscription_options);
  EXPECT_EQ(subscription->get_actual_qos().history(), rclcpp::HistoryPolicy::KeepAll);
  EXPECT_TRUE(node.has_parameter("qos_overrides./topic.subscription_one.deadline"));
  EXPECT_FALSE(node.has_parameter("qos_overrides./topic.subscription_one.lifespan"));  // a publisher's
}

TEST_F(QosOverrides, AreRefusedWhenTheyMakeNoSense) {
  const auto make = [&](const std::string & policy, const rclcpp::ParameterValue & value,
                        rclcpp::QosCallback callback = nullptr) {
    rclcpp::NodeOptions node_options;
    node_options.append_parameter_override("qos_overrides./topic.publisher." + policy, value);
    rclcpp::Node node("overridden", node_options);
    rclcpp::PublisherOptions options;
    options.qos_overriding_options = QosOverridingOptions::with_default_policies(std::move(callback));
    return node.create_publisher<Block>("topic", 10, options);
  };
  const auto value = [](auto v) { return rclcpp::ParameterValue(v); };
  EXPECT_THROW(make("depth", value(-1)), rclcpp::exceptions::InvalidQosOverridesException);
  EXPECT_THROW(make("depth", value(std::int64_t{1} << 40)), rclcpp::exceptions::RCLInvalidArgument);
  EXPECT_THROW(make("depth", value("many")), rclcpp::exceptions::InvalidParameterTypeException);
  EXPECT_THROW(make("history", value("some")), std::invalid_argument);
  const auto judge = [](const rclcpp::QoS & qos) {
    rclcpp::QosCallbackResult result;
    result.successful = qos.depth() < 5;
    result.reason = "too deep";
    return result;
  };
  EXPECT_THROW(make("depth", value(5), judge), rclcpp::exceptions::InvalidQosOverridesException);
  EXPECT_EQ(make("depth", value(4), judge)->get_actual_qos().depth(), 4u);
  EXPECT_STREQ(rclcpp::qos_policy_kind_to_cstr(QosPolicyKind::Reliability), "reliability");
  EXPECT_THROW(rclcpp::qos_policy_kind_to_cstr(QosPolicyKind::Invalid), std::invalid_argument);

  rclcpp::PublisherOptions options;
  options.qos_overriding_options = QosOverridingOptions::with_default_policies();
  auto topics = node_->get_node_topics_interface();
  EXPECT_THROW(rclcpp::create_publisher<Block>(topics, "topic", 10, options), std::runtime_error);
  auto parameters = node_->get_node_parameters_interface();
  EXPECT_NO_THROW(rclcpp::create_publisher<Block>(parameters, topics, "topic", 10, options));
}
