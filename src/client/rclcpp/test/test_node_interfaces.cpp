// The parts of a node, and what is made of them.
#include "support.hpp"

#include <algorithm>
#include <type_traits>

#include "rclcpp/node_interfaces/get_node_topics_interface.hpp"
#include "rclcpp/node_interfaces/node_interfaces.hpp"

using namespace std::chrono_literals;
using test::Block;
using NodeInterfaces = test::WithNode;
namespace parts = rclcpp::node_interfaces;

namespace {

/// Has some parts of a node, but is none.
class NodeLike {
 public:
  explicit NodeLike(rclcpp::Node & node) : node_(node) {}
  auto get_node_base_interface() { return node_.get_node_base_interface(); }
  auto get_node_timers_interface() { return node_.get_node_timers_interface(); }
  auto get_node_topics_interface() { return node_.get_node_topics_interface(); }

 private:
  rclcpp::Node & node_;
};

}  // namespace

TEST_F(NodeInterfaces, AreFoundInWhateverIsLikeANode) {
  NodeLike like(*node_);
  auto topics = node_->get_node_topics_interface();
  const auto is_it = [&](auto && node_like) { return parts::get_node_topics_interface(node_like) == topics; };
  EXPECT_TRUE(is_it(*node_));
  EXPECT_TRUE(is_it(node_));
  EXPECT_TRUE(is_it(node_.get()));
  EXPECT_TRUE(is_it(like));
  EXPECT_TRUE(is_it(&like));
  EXPECT_TRUE(is_it(std::make_unique<NodeLike>(like)));
  EXPECT_TRUE(is_it(topics));
  EXPECT_TRUE(is_it(std::as_const(topics)));
  EXPECT_THROW(is_it(rclcpp::Node::SharedPtr()), std::invalid_argument);
  EXPECT_THROW(is_it(static_cast<NodeLike *>(nullptr)), std::invalid_argument);
  EXPECT_THROW(is_it(decltype(topics)()), std::invalid_argument);
  EXPECT_EQ(parts::get_node_base_interface(like)->get_name(), node_->get_name());
  EXPECT_EQ(topics->get_node_base_interface(), node_->get_node_base_interface().get());
  EXPECT_EQ(topics->get_node_timers_interface(), node_->get_node_timers_interface().get());
}

TEST_F(NodeInterfaces, OfOneObjectAreAllOfANode) {
  parts::NodeInterfaces<ALL_RCLCPP_NODE_INTERFACES> all(*node_);
  EXPECT_EQ(all.get<parts::NodeBaseInterface>(), node_->get_node_base_interface());
  EXPECT_EQ(all.get_node_clock_interface(), node_->get_node_clock_interface());
  EXPECT_EQ(all.get_node_graph_interface(), node_->get_node_graph_interface());
  EXPECT_EQ(all.get_node_logging_interface(), node_->get_node_logging_interface());
  EXPECT_EQ(all.get_node_parameters_interface(), node_->get_node_parameters_interface());
  EXPECT_EQ(all.get_node_services_interface(), node_->get_node_services_interface());
  EXPECT_EQ(all.get_node_time_source_interface(), node_->get_node_time_source_interface());
  EXPECT_EQ(all.get_node_timers_interface(), node_->get_node_timers_interface());
  EXPECT_EQ(all.get_node_topics_interface(), node_->get_node_topics_interface());
  EXPECT_EQ(all.get_node_type_descriptions_interface(), node_->get_node_type_descriptions_interface());
  EXPECT_EQ(all.get_node_waitables_interface(), node_->get_node_waitables_interface());
  EXPECT_EQ(all.get_node_clock_interface()->get_clock(), node_->get_clock());
  EXPECT_EQ(all.get_node_services_interface()->resolve_service_name("add"), "/ns/add");

  const auto name_of = [](parts::NodeInterfaces<parts::NodeBaseInterface> some) {
    return std::string(some.get_node_base_interface()->get_name());
  };
  EXPECT_EQ(name_of(*node_), "node");
  EXPECT_EQ(name_of(all), "node");  // narrowed
  parts::NodeInterfaces<parts::NodeBaseInterface, parts::NodeClockInterface> empty;
  EXPECT_EQ(empty.get_node_clock_interface(), nullptr);
  empty = decltype(empty)(node_->get_node_base_interface(), node_->get_node_clock_interface());
  EXPECT_EQ(std::as_const(empty).get<parts::NodeClockInterface>()->get_clock(), node_->get_clock());
  static_assert(std::is_same_v<parts::NodeBase, parts::NodeBaseInterface>);
}

TEST_F(NodeInterfaces, MakeEndpointsAndTimers) {
  int received = 0, fired = 0;
  NodeLike like(*node_);
  parts::NodeInterfaces<ALL_RCLCPP_NODE_INTERFACES> all(*node_);
  auto topics = node_->get_node_topics_interface();
  auto parameters = node_->get_node_parameters_interface();
  const auto count = [&](const Block &) { ++received; };
  auto a = rclcpp::create_subscription<Block>(like, "topic", 10, count);
  auto b = rclcpp::create_subscription<Block>(topics, "topic", 10, count);
  auto c = rclcpp::create_subscription<Block>(parameters, topics, "topic", 10, count);
  auto d = rclcpp::create_subscription<Block>(all, "topic", 10, count);
  auto publisher = rclcpp::create_publisher<Block>(topics, "topic", 10);
  EXPECT_STREQ(publisher->get_topic_name(), "/ns/topic");
  EXPECT_STREQ(rclcpp::create_publisher<Block>(parameters, topics, "/x", 1)->get_topic_name(), "/x");
  EXPECT_STREQ(rclcpp::create_publisher<Block>(&like, "y", 1)->get_topic_name(), "/ns/y");
  ASSERT_TRUE(matched(publisher, 4));
  publisher->publish(Block());
  EXPECT_TRUE(spin_until([&] { return received == 4; }));

  auto base = node_->get_node_base_interface();
  auto timers = node_->get_node_timers_interface();
  const auto clock = std::make_shared<rclcpp::Clock>(RCL_STEADY_TIME);
  const auto fire = [&] { ++fired; };
  auto e = rclcpp::create_timer(like, clock, rclcpp::Duration(1ms), fire);
  auto f = rclcpp::create_timer(node_, clock, rclcpp::Duration(1ms), fire);
  auto g = rclcpp::create_timer<std::function<void()>>(base, timers, clock, rclcpp::Duration(1ms), fire);
  auto h = rclcpp::create_timer(clock, 1ms, fire, nullptr, base.get(), timers.get());
  auto i = rclcpp::create_wall_timer(1ms, fire, nullptr, base.get(), timers.get());
  EXPECT_TRUE(spin_until([&] { return fired > 10; }));
  EXPECT_THROW(rclcpp::create_timer(clock, 1ms, fire, nullptr, nullptr, timers.get()), std::invalid_argument);
  EXPECT_THROW(rclcpp::create_wall_timer(1ms, fire, nullptr, base.get(), nullptr), std::invalid_argument);
  EXPECT_THROW(rclcpp::create_wall_timer(-1ms, fire, nullptr, base.get(), timers.get()), std::invalid_argument);
  EXPECT_THROW(rclcpp::create_wall_timer(std::chrono::hours::max(), fire, nullptr, base.get(), timers.get()),
               std::invalid_argument);
  EXPECT_THROW(rclcpp::create_timer(base, timers, nullptr, rclcpp::Duration(1ms), fire), std::invalid_argument);
}

TEST_F(NodeInterfaces, TakeTimersMadeElsewhere) {
  int fired = 0;
  const auto context = node_->get_node_base_interface()->get_context();
  const auto timer = rclcpp::GenericTimer<rclcpp::VoidCallbackType>::make_shared(
      std::make_shared<rclcpp::Clock>(RCL_STEADY_TIME), 1ms, [&] { ++fired; }, context);
  const auto canceling = rclcpp::WallTimer<rclcpp::TimerCallbackType>::make_shared(
      1ms,
      [&](rclcpp::TimerBase & self) {
        ++fired;
        self.cancel();
      },
      context);
  node_->get_node_timers_interface()->add_timer(timer, nullptr);
  node_->get_node_timers_interface()->add_timer(canceling, nullptr);
  EXPECT_TRUE(spin_until([&] { return fired > 5; }));
  EXPECT_TRUE(canceling->is_canceled());
}

TEST_F(NodeInterfaces, RefuseGroupsOfOtherNodes) {
  rclcpp::Node other("other");
  const auto group = other.create_callback_group(rclcpp::CallbackGroupType::Reentrant);
  EXPECT_THROW(node_->create_wall_timer(
                   1h, [] {}, group),
               rclcpp::exceptions::MissingGroupNodeException);
  rclcpp::PublisherOptions options;
  options.callback_group = group;
  EXPECT_THROW(node_->create_publisher<Block>("topic", 1, options), rclcpp::exceptions::MissingGroupNodeException);
}

TEST_F(NodeInterfaces, TellThatSomethingWasAdded) {
  auto base = node_->get_node_base_interface();
  auto guard_condition = base->get_shared_notify_guard_condition();
  EXPECT_EQ(guard_condition, base->get_shared_notify_guard_condition());
  EXPECT_EQ(guard_condition.get(), &base->get_notify_guard_condition());
  size_t told = 0;
  guard_condition->set_on_trigger_callback([&](size_t times) { told += times; });
  EXPECT_EQ(told, 0u);
  auto timer = node_->create_wall_timer(1h, [] {});
  EXPECT_EQ(told, 1u);
  auto group = node_->create_callback_group(rclcpp::CallbackGroupType::Reentrant);
  EXPECT_EQ(told, 2u);
  auto subscription = node_->create_subscription<Block>("topic", 1, [](const Block &) {});
  EXPECT_EQ(told, 3u);
  base->trigger_notify_guard_condition();
  EXPECT_EQ(told, 4u);
}

TEST_F(NodeInterfaces, AreSpunByTheirBase) {
  executor_.reset();
  int fired = 0;
  auto timer = node_->create_wall_timer(0ns, [&] { ++fired; });
  auto base = node_->get_node_base_interface();
  rclcpp::spin_some(base);
  rclcpp::spin_all(base, 1ms);
  EXPECT_GT(fired, 0);
  std::promise<void> promise;
  auto future = promise.get_future();
  rclcpp::TimerBase::SharedPtr done = node_->create_wall_timer(0ns, [&] { promise.set_value(), done->cancel(); });
  EXPECT_EQ(rclcpp::spin_until_future_complete(base, future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
  rclcpp::executors::SingleThreadedExecutor executor;
  auto group = node_->create_callback_group(rclcpp::CallbackGroupType::Reentrant, false);
  auto last = node_->create_wall_timer(
      0ns, [&] { executor.cancel(); }, group);
  executor.add_callback_group(group, base);
  executor.spin();
}

TEST_F(NodeInterfaces, SubNodesShareThem) {
  auto sub_node = node_->create_sub_node("part")->create_sub_node("deep");
  EXPECT_EQ(sub_node->get_sub_namespace(), "part/deep");
  EXPECT_STREQ(sub_node->get_namespace(), "/ns");
  EXPECT_EQ(sub_node->get_effective_namespace(), "/ns/part/deep");
  EXPECT_EQ(sub_node->get_node_topics_interface(), node_->get_node_topics_interface());
  EXPECT_EQ(sub_node->get_node_time_source_interface(), node_->get_node_time_source_interface());
  EXPECT_EQ(sub_node->get_node_options().context(), node_->get_node_options().context());
  auto subscription = sub_node->create_subscription<Block>("a", 1, [](const Block &) {});
  EXPECT_STREQ(subscription->get_topic_name(), "/ns/part/deep/a");
  EXPECT_STREQ(sub_node->create_publisher<Block>("~/a", 1)->get_topic_name(), "/ns/node/a");
  EXPECT_EQ(sub_node->count_subscribers("a"), 1u);
  sub_node->declare_parameter("shared", 1);
  EXPECT_EQ(node_->get_parameter("shared").as_int(), 1);
  EXPECT_THROW(node_->create_sub_node(""), rclcpp::exceptions::NameValidationError);
  EXPECT_THROW(node_->create_sub_node("a b"), rclcpp::exceptions::NameValidationError);
}

TEST(NodeOptions, HoldWhatTheyAreGiven) {
  rclcpp::NodeOptions options;
  EXPECT_FALSE(options.enable_logger_service());
  EXPECT_FALSE(options.enable_topic_statistics());
  EXPECT_TRUE(options.start_parameter_services());
  rclcpp::PublisherOptionsBase publisher_options;
  publisher_options.use_default_callbacks = false;
  rcl_allocator_t allocator = rcl_get_default_allocator();
  allocator.state = &options;
  options.enable_logger_service(true)
      .enable_topic_statistics(true)
      .start_parameter_services(false)
      .start_parameter_event_publisher(false)
      .parameter_event_qos(rclcpp::QoS(7))
      .rosout_qos(rclcpp::QoS(8))
      .clock_type(RCL_STEADY_TIME)
      .use_intra_process_comms(true)
      .allocator(allocator)
      .parameter_event_publisher_options(publisher_options);
  const rclcpp::NodeOptions copy(options);
  EXPECT_TRUE(copy.enable_logger_service());
  EXPECT_TRUE(copy.enable_topic_statistics());
  EXPECT_FALSE(copy.start_parameter_services());
  EXPECT_FALSE(copy.start_parameter_event_publisher());
  EXPECT_EQ(copy.parameter_event_qos().depth(), 7u);
  EXPECT_EQ(copy.rosout_qos().depth(), 8u);
  EXPECT_EQ(copy.clock_type(), RCL_STEADY_TIME);
  EXPECT_TRUE(copy.use_intra_process_comms());
  EXPECT_EQ(copy.allocator().state, &options);
  EXPECT_FALSE(copy.parameter_event_publisher_options().use_default_callbacks);
}
