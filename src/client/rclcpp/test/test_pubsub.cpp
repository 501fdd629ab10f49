// Publishers and subscriptions over the transport that RMW_IMPLEMENTATION names.
#include "support.hpp"

#include <signal.h>

#include <algorithm>
#include <functional>

#include "rmw/rmw.h"

using namespace std::chrono_literals;
using test::Block;

namespace {

class PubSub : public test::WithNode {};

struct Member {
  std::vector<int> seen;
  void by_const(const std::shared_ptr<const Block> message) { seen.push_back(message->index); }
  void by_shared(const std::shared_ptr<Block> message) { seen.push_back(message->index); }
  void by_unique(std::unique_ptr<Block> message) { seen.push_back(message->index); }
  void by_reference(const Block & message) { seen.push_back(message.index); }
  void by_info(std::shared_ptr<const Block> message, const rclcpp::MessageInfo &) { seen.push_back(message->index); }
  void by_extra(const Block & message, int offset) { seen.push_back(message.index + offset); }
};

}  // namespace

TEST_F(PubSub, EveryCallbackFormReceives) {
  std::vector<int> seen;
  std::vector<std::shared_ptr<rclcpp::SubscriptionBase>> all;
  const auto add = [&](auto callback) { all.push_back(node_->create_subscription<Block>("topic", 10, callback)); };
  using Info = rclcpp::MessageInfo;
  add([&](const Block & m) { seen.push_back(m.index); });
  add([&](const Block & m, const Info &) { seen.push_back(m.index); });
  add([&](std::shared_ptr<const Block> m) { seen.push_back(m->index); });
  add([&](const std::shared_ptr<const Block> m) { seen.push_back(m->index); });
  add([&](const std::shared_ptr<const Block> & m) { seen.push_back(m->index); });
  add([&](std::shared_ptr<const Block> m, const Info &) { seen.push_back(m->index); });
  add([&](const std::shared_ptr<const Block> & m, const Info &) { seen.push_back(m->index); });
  add([&](std::shared_ptr<Block> m) { seen.push_back(m->index); });
  add([&](const std::shared_ptr<Block> m) { seen.push_back(m->index); });
  add([&](const std::shared_ptr<Block> & m, const Info &) { seen.push_back(m->index); });
  add([&](std::unique_ptr<Block> m) { seen.push_back(m->index); });
  add([&](std::unique_ptr<Block> m, const Info &) { seen.push_back(m->index); });
  add(std::function<void(std::shared_ptr<Block>)>([&](std::shared_ptr<Block> m) { seen.push_back(m->index); }));
  auto publisher = node_->create_publisher<Block>("topic", 10);
  ASSERT_TRUE(matched(publisher, all.size()));
  auto message = std::make_unique<Block>();
  message->index = 7;
  publisher->publish(*message);
  ASSERT_TRUE(spin_until([&] { return seen.size() == all.size(); }));
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 7), static_cast<long>(all.size()));
}

TEST_F(PubSub, BoundMembersReceive) {
  using std::placeholders::_1;
  using std::placeholders::_2;
  Member member;
  std::vector<std::shared_ptr<rclcpp::SubscriptionBase>> all;
  const auto add = [&](auto callback) { all.push_back(node_->create_subscription<Block>("topic", 10, callback)); };
  add(std::bind(&Member::by_const, &member, _1));
  add(std::bind(&Member::by_shared, &member, _1));
  add(std::bind(&Member::by_unique, &member, _1));
  add(std::bind(&Member::by_reference, &member, _1));
  add(std::bind(&Member::by_info, &member, _1, _2));
  add(std::bind(&Member::by_extra, &member, _1, 0));
  const auto hbmem = node_->create_subscription_hbmem<Block>("topic", 10, std::bind(&Member::by_shared, &member, _1));
  auto publisher = node_->create_publisher<Block>("topic", rclcpp::QoS(10));
  ASSERT_TRUE(matched(publisher, all.size() + 1));
  auto message = std::make_unique<Block>();
  message->index = 3;
  publisher->publish(std::move(message));
  ASSERT_TRUE(spin_until([&] { return member.seen.size() == all.size() + 1; }));
  EXPECT_EQ(std::count(member.seen.begin(), member.seen.end(), 3), static_cast<long>(all.size() + 1));
}

TEST_F(PubSub, EveryWayOfPublishingArrivesInOrder) {
  std::vector<int> seen;
  auto subscription = node_->create_subscription<Block>("topic", 20, [&](const Block & m) { seen.push_back(m.index); });
  auto publisher = node_->create_publisher<Block>("topic", 20);
  ASSERT_TRUE(matched(publisher));
  EXPECT_TRUE(test::eventually([&] { return subscription->get_publisher_count() == 1; }));
  for (int i = 0; i < 12; i += 3) {
    auto message = std::make_unique<Block>();
    message->index = i;
    publisher->publish(*message);
    message->index = i + 1;
    publisher->publish(std::move(message));
    auto loan = publisher->borrow_loaned_message();
    ASSERT_TRUE(loan.is_valid());
    loan.get().index = i + 2;
    publisher->publish(std::move(loan));
    EXPECT_FALSE(loan.is_valid());
  }
  ASSERT_TRUE(spin_until([&] { return seen.size() == 12; }));
  for (int i = 0; i < 12; ++i) EXPECT_EQ(seen[static_cast<size_t>(i)], i);
}

TEST_F(PubSub, MessagesKeptByPointerStayWhole) {
  std::vector<std::shared_ptr<const Block>> kept;
  auto subscription =
      node_->create_subscription<Block>("topic", 4, [&](std::shared_ptr<const Block> m) { kept.push_back(m); });
  auto publisher = node_->create_publisher<Block>("topic", 4);
  ASSERT_TRUE(matched(publisher));
  auto message = std::make_unique<Block>();
  for (int i = 0; i < 8; ++i) {
    message->index = i;
    message->data.fill(static_cast<std::uint8_t>(i));
    publisher->publish(*message);
    ASSERT_TRUE(spin_until([&] { return kept.size() == static_cast<size_t>(i) + 1; }));
  }
  subscription.reset();
  publisher.reset();
  for (size_t i = 0; i < kept.size(); ++i) {
    const auto value = static_cast<std::uint8_t>(kept[i]->index);
    EXPECT_EQ(kept[i]->index, static_cast<int>(i));
    EXPECT_EQ(static_cast<size_t>(std::count(kept[i]->data.begin(), kept[i]->data.end(), value)), Block::kBytes);
  }
}

TEST_F(PubSub, MutablePointersOfOrdinarySubscriptionsArePrivate) {
  std::shared_ptr<Block> first;
  std::unique_ptr<Block> second;
  std::shared_ptr<const Block> original;
  auto a = node_->create_subscription<Block>("topic", 1, [&](std::shared_ptr<Block> m) { (first = m)->index = 100; });
  auto b = node_->create_subscription<Block>("topic", 1,
                                             [&](std::unique_ptr<Block> m) { (second = std::move(m))->index = 200; });
  auto c = node_->create_subscription<Block>("topic", 1, [&](std::shared_ptr<const Block> m) { original = m; });
  auto publisher = node_->create_publisher<Block>("topic", 1);
  ASSERT_TRUE(matched(publisher, 3));
  publisher->publish(std::make_unique<Block>());
  ASSERT_TRUE(spin_until([&] { return first && second && original; }));
  EXPECT_EQ(original->index, 0);
}

TEST_F(PubSub, HbmemCarriesLoans) {
  std::vector<int> seen;
  const auto subscription = node_->create_subscription_hbmem<Block>(
      "topic", 10, [&](const std::shared_ptr<Block> m) { seen.push_back(m->index); });
  rclcpp::PublisherHbmem<Block>::SharedPtr publisher = node_->create_publisher_hbmem<Block>("topic", 10);
  ASSERT_TRUE(matched(publisher));
  for (int i = 0; i < 100; ++i) {
    auto dropped = publisher->borrow_loaned_message();  // an early return: its memory is free again at once
    ASSERT_TRUE(dropped.is_valid());
  }
  auto loan = publisher->borrow_loaned_message();
  ASSERT_TRUE(loan.is_valid());
  loan.get().index = 9;
  publisher->publish(std::move(loan));
  EXPECT_FALSE(loan.is_valid());
  EXPECT_THROW(publisher->publish(std::move(loan)), rclcpp::exceptions::RCLError);
  auto released = publisher->borrow_loaned_message();
  released.release();
  EXPECT_FALSE(released.is_valid());
  ASSERT_TRUE(spin_until([&] { return !seen.empty(); }));
  EXPECT_EQ(seen, std::vector<int>{9});
}

TEST_F(PubSub, AReleasedLoanLivesUntilItsPointerDies) {
  auto publisher = node_->create_publisher<Block>("topic", 1);
  for (int i = 0; i < 50; ++i) {
    auto loan = publisher->borrow_loaned_message();
    auto message = loan.release();
    EXPECT_FALSE(loan.is_valid());
    message->index = i;
    EXPECT_EQ(message->index, i);
  }
}

TEST_F(PubSub, TakeNeedsNoExecutor) {
  auto lonely = std::make_shared<rclcpp::Node>("lonely");
  auto subscription = lonely->create_subscription<Block>("/topic", 5, [](const Block &) { FAIL(); });
  auto publisher = node_->create_publisher<Block>("/topic", 5);
  ASSERT_TRUE(matched(publisher));
  auto message = std::make_unique<Block>();
  rclcpp::MessageInfo info;
  EXPECT_FALSE(subscription->take(*message, info));
  for (int i = 0; i < 3; ++i) {
    message->index = i;
    publisher->publish(*message);
  }
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(test::eventually([&] { return subscription->take(*message, info); }));
    EXPECT_EQ(message->index, i);
    const auto & rmw = info.get_rmw_message_info();
    EXPECT_EQ(rmw.publication_sequence_number, static_cast<std::uint64_t>(i));
    EXPECT_GT(rmw.source_timestamp, 0);
    EXPECT_GE(rmw.received_timestamp, rmw.source_timestamp);
  }
  EXPECT_FALSE(subscription->take(*message, info));
}

TEST_F(PubSub, LocalPublicationsMayBeIgnored) {
  rclcpp::SubscriptionOptions options;
  options.ignore_local_publications = true;
  auto deaf = node_->create_subscription<Block>(
      "topic", 5, [](const Block &) { FAIL(); }, options);
  int seen = 0;
  auto subscription = node_->create_subscription<Block>("topic", 5, [&](const Block &) { ++seen; });
  auto publisher = node_->create_publisher<Block>("topic", 5);
  ASSERT_TRUE(matched(publisher));
  publisher->publish(Block());
  EXPECT_TRUE(publisher->wait_for_all_acked(test::kPatience));
  EXPECT_TRUE(spin_until([&] { return seen == 1; }));
  EXPECT_EQ(deaf->get_publisher_count(), 0u);
}

TEST_F(PubSub, LateJoinersGetTransientLocalHistory) {
  const auto qos = rclcpp::QoS(3).transient_local();
  auto publisher = node_->create_publisher<Block>("topic", qos);
  auto message = std::make_unique<Block>();
  for (message->index = 0; message->index < 5; ++message->index) publisher->publish(*message);
  std::vector<int> seen;
  auto subscription =
      node_->create_subscription<Block>("topic", qos, [&](const Block & m) { seen.push_back(m.index); });
  ASSERT_TRUE(spin_until([&] { return seen.size() >= 3; }));
  EXPECT_EQ(seen, (std::vector<int>{2, 3, 4}));
}

TEST_F(PubSub, UnsupportedQosIsRefusedByName) {
  using rclcpp::exceptions::RCLInvalidArgument;
  const auto refusal = [&](const rclcpp::QoS & qos) -> std::string {
    try {
      node_->create_publisher<Block>("topic", qos);
    } catch (const RCLInvalidArgument & error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_NO_THROW(node_->create_publisher<Block>("topic", rclcpp::QoS(0)));
  EXPECT_NO_THROW(node_->create_publisher<Block>("topic", rclcpp::BestAvailableQoS()));
  EXPECT_NO_THROW(node_->create_publisher<Block>("topic", rclcpp::QoS(1).deadline(rclcpp::Duration::max())));
  EXPECT_NO_THROW(node_->create_publisher<Block>("topic", rclcpp::SystemDefaultsQoS()));
  EXPECT_NE(refusal(rclcpp::QoS(static_cast<size_t>(-1))).find("depth"), std::string::npos);
}

TEST_F(PubSub, LoanedMessagesMayBeMadeByHand) {
  int seen = 0;
  auto subscription = node_->create_subscription<Block>("topic", 1, [&](const Block & m) { seen = m.index; });
  auto publisher = node_->create_publisher<Block>("topic", 1);
  ASSERT_TRUE(matched(publisher));
  rclcpp::LoanedMessage<Block> loan(*publisher, std::allocator<Block>());
  ASSERT_TRUE(loan.is_valid());
  loan.get().index = 7;
  publisher->publish(std::move(loan));
  EXPECT_TRUE(spin_until([&] { return seen == 7; }));
  EXPECT_THROW(rclcpp::LoanedMessage<test::Other>(*publisher, std::allocator<test::Other>()),
               rclcpp::exceptions::RCLInvalidArgument);
}

TEST_F(PubSub, IntraProcessEndpointsCountEachOther) {
  const auto intra_node = std::make_shared<rclcpp::Node>("intra", rclcpp::NodeOptions().use_intra_process_comms(true));
  executor_->add_node(intra_node);
  int known = 0, others = 0;
  const auto count = [&](const Block &, const rclcpp::MessageInfo & info) {
    ++(info.get_rmw_message_info().from_intra_process ? known : others);
  };
  auto publisher = intra_node->create_publisher<Block>("/topic", 1);
  auto plain_publisher = node_->create_publisher<Block>("/topic", 1);
  auto subscription = intra_node->create_subscription<Block>("/topic", 1, count);
  auto plain = node_->create_subscription<Block>("/topic", 1, count);
  auto elsewhere = intra_node->create_subscription<Block>("/other", 1, count);
  auto durable = intra_node->create_subscription<Block>("/topic", rclcpp::QoS(1).transient_local(), count);
  EXPECT_EQ(publisher->get_intra_process_subscription_count(), 1u);
  EXPECT_EQ(plain_publisher->get_intra_process_subscription_count(), 0u);
  ASSERT_TRUE(matched(publisher, 2));
  publisher->publish(Block());
  ASSERT_TRUE(spin_until([&] { return known + others == 2; }));
  EXPECT_EQ(known, 1);
  subscription.reset();
  EXPECT_EQ(publisher->get_intra_process_subscription_count(), 0u);

  for (const auto & qos : {rclcpp::QoS(rclcpp::KeepAll()), rclcpp::QoS(0)}) {
    EXPECT_THROW(intra_node->create_publisher<Block>("/topic", qos), std::invalid_argument);
    rclcpp::PublisherOptions disabled;
    disabled.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    EXPECT_NO_THROW(intra_node->create_publisher<Block>("/topic", qos, disabled));
  }
  EXPECT_THROW(intra_node->create_subscription<Block>("/topic", rclcpp::QoS(rclcpp::KeepAll()), count),
               std::invalid_argument);
  EXPECT_NO_THROW(intra_node->create_subscription<Block>("/topic", rclcpp::SystemDefaultsQoS(), count));
}

TEST_F(PubSub, NamesAreExpandedRemappedAndChecked) {
  EXPECT_STREQ(node_->get_fully_qualified_name(), "/ns/node");
  EXPECT_STREQ(node_->get_logger().get_name(), "ns.node");
  EXPECT_STREQ(node_->create_publisher<Block>("~/a", 1)->get_topic_name(), "/ns/node/a");
  EXPECT_THROW(node_->create_publisher<Block>("a b", 1), rclcpp::exceptions::InvalidTopicNameError);
  EXPECT_THROW(rclcpp::Node("bad name"), rclcpp::exceptions::InvalidNodeNameError);
  EXPECT_THROW(rclcpp::Node("good", "bad namespace"), rclcpp::exceptions::InvalidNamespaceError);
  EXPECT_STREQ(rclcpp::Node("n", "relative").get_namespace(), "/relative");

  rclcpp::NodeOptions options;
  options.arguments(
      {"--ros-args", "-r", "a:=b", "-r", "other:c:=d", "-r", "__node:=renamed", "-r", "__ns:=/moved", "-r", "/x:=~/y"});
  rclcpp::Node renamed("original", options);
  EXPECT_STREQ(renamed.get_fully_qualified_name(), "/moved/renamed");
  EXPECT_STREQ(renamed.create_publisher<Block>("a", 1)->get_topic_name(), "/moved/b");
  EXPECT_STREQ(renamed.create_publisher<Block>("c", 1)->get_topic_name(), "/moved/c");
  EXPECT_STREQ(renamed.create_publisher<Block>("/x", 1)->get_topic_name(), "/moved/renamed/y");

  options.arguments({"--ros-args", "-r", "a:=b", "-r", "rostopic://c:=topic", "-r", "rosservice://c:=service"});
  const auto base = rclcpp::Node("node", options).get_node_base_interface();
  EXPECT_EQ(base->resolve_topic_or_service_name("a", true), "/b");
  EXPECT_EQ(base->resolve_topic_or_service_name("a", false), "/b");
  EXPECT_EQ(base->resolve_topic_or_service_name("a", true, true), "/a");
  EXPECT_EQ(base->resolve_topic_or_service_name("c", true), "/service");
  EXPECT_EQ(base->resolve_topic_or_service_name("c", false), "/topic");
  EXPECT_THROW(base->resolve_topic_or_service_name("a b", true), rclcpp::exceptions::InvalidServiceNameError);

  auto sub_node = node_->create_sub_node("part");
  EXPECT_EQ(sub_node->get_effective_namespace(), "/ns/part");
  EXPECT_STREQ(sub_node->create_publisher<Block>("a", 1)->get_topic_name(), "/ns/part/a");
  EXPECT_STREQ(sub_node->create_publisher<Block>("/a", 1)->get_topic_name(), "/a");
  EXPECT_EQ(sub_node->create_sub_node("deep")->get_effective_namespace(), "/ns/part/deep");
  EXPECT_THROW(node_->create_sub_node("/part"), rclcpp::exceptions::NameValidationError);
}

TEST_F(PubSub, TheGraphIsSeen) {
  auto publisher = node_->create_publisher<Block>("graph", rclcpp::SensorDataQoS());
  auto subscription = node_->create_subscription<Block>("graph", rclcpp::SensorDataQoS(), [](const Block &) {});
  ASSERT_TRUE(test::eventually(
      [&] { return node_->count_publishers("graph") == 1 && node_->count_subscribers("/ns/graph") == 1; }));
  const auto names = node_->get_node_names();
  EXPECT_NE(std::find(names.begin(), names.end(), "/ns/node"), names.end());
  EXPECT_EQ(node_->get_topic_names_and_types()["/ns/graph"], std::vector<std::string>{"test_msgs/msg/Block"});
  const auto info = node_->get_publishers_info_by_topic("graph");
  ASSERT_EQ(info.size(), 1u);
  EXPECT_EQ(info[0].node_name(), "node");
  EXPECT_EQ(info[0].node_namespace(), "/ns");
  EXPECT_EQ(info[0].qos_profile().reliability(), rclcpp::ReliabilityPolicy::BestEffort);
  EXPECT_STRNE(rmw_get_implementation_identifier(), "");
}

TEST_F(PubSub, PublishingAfterShutdownIsIgnored) {
  auto publisher = node_->create_publisher<Block>("topic", 1);
  auto loan = publisher->borrow_loaned_message();
  rclcpp::shutdown();
  EXPECT_NO_THROW(publisher->publish(Block()));
  EXPECT_NO_THROW(publisher->publish(std::make_unique<Block>()));
  EXPECT_NO_THROW(publisher->publish(std::move(loan)));
  EXPECT_THROW(rclcpp::Node("late"), rclcpp::exceptions::RCLError);
}

TEST_F(PubSub, NullAndForeignArgumentsAreRefused) {
  auto publisher = node_->create_publisher<Block>("topic", 1);
  EXPECT_THROW(publisher->publish(std::unique_ptr<Block>()), std::invalid_argument);
  auto other = node_->create_publisher<Block>("other", 1);
  EXPECT_THROW(publisher->publish(other->borrow_loaned_message()), rclcpp::exceptions::RCLError);
  rclcpp::SubscriptionOptions options;
  options.callback_group = rclcpp::Node("other").create_callback_group(rclcpp::CallbackGroupType::Reentrant);
  EXPECT_THROW(node_->create_subscription<Block>(
                   "topic", 1, [](const Block &) {}, options),
               std::runtime_error);
}

TEST_F(PubSub, WritingToAnHbmemMessageOfAnotherProcessIsNamed) {
  if (rmw_get_implementation_identifier() != std::string("rmw_tandem_cpp")) GTEST_SKIP() << "this transport copies";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto qos = rclcpp::QoS(1).transient_local();
  auto publisher = node_->create_publisher<Block>("written", qos);
  publisher->publish(Block());
  // Runs in another process, which gets this one's message and its own.
  const auto write_to_all = [&] {
    auto subscription = node_->create_subscription_hbmem<Block>(
        "written", qos, [](std::shared_ptr<Block> message) { message->data[Block::kBytes - 1] = 1; });
    spin_until([] { return false; });
  };
  EXPECT_EXIT(write_to_all(), testing::KilledBySignal(SIGSEGV), "topic '/ns/written'.*read-only.*copy");
}
