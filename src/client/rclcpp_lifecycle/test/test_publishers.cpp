// Publishers and other entities that are activated with their node.
#include "managed_node.hpp"
#include "rclcpp/serialization.hpp"
#include "std_msgs/msg/string.hpp"

using rclcpp_lifecycle::LifecyclePublisher;
using std_msgs::msg::String;
using test::ManagedNode;

/// A type of one's own.
struct Text {
  std::string text;
};

template <>
struct rclcpp::TypeAdapter<Text, String> {
  using is_specialized = std::true_type;
  using custom_type = Text;
  using ros_message_type = String;
  static void convert_to_ros_message(const Text & source, String & destination) { destination.data = source.text; }
  static void convert_to_custom(const String & source, Text & destination) { destination.text = source.data.c_str(); }
};

namespace {

class LifecyclePublishers : public test::WithNode {
 protected:
  void SetUp() override {
    WithNode::SetUp();
    managed_ = std::make_shared<ManagedNode>("managed");
    subscription_ = node_->create_subscription<String>(
        "/topic", 100, [this](String::ConstSharedPtr message) { received_.emplace_back(message->data.c_str()); });
  }
  void TearDown() override {
    subscription_.reset();
    managed_.reset();
    WithNode::TearDown();
  }
  template <class MessageT>
  auto publisher() {
    auto publisher = managed_->create_publisher<MessageT>("/topic", 100);
    EXPECT_TRUE(matched(publisher));
    return publisher;
  }
  /// In every form, the text followed by a number.
  static void publish_all(LifecyclePublisher<String> & publisher, const std::string & text) {
    String message;
    message.data = text + "1";
    publisher.publish(message);
    auto owned = std::make_unique<String>();
    owned->data = text + "2";
    publisher.publish(std::move(owned));
    auto loan = publisher.borrow_loaned_message();
    loan.get().data = text + "3";
    publisher.publish(std::move(loan));
    message.data = text + "4";
    rclcpp::SerializedMessage bytes;
    rclcpp::Serialization<String>().serialize_message(&message, &bytes);
    publisher.publish(bytes);
    message.data = text + "5";
    const auto deleter = [](String * pointer) { delete pointer; };
    publisher.publish(std::unique_ptr<String, decltype(deleter)>(new String(message), deleter));
  }

  std::shared_ptr<ManagedNode> managed_;
  rclcpp::Subscription<String>::SharedPtr subscription_;
  std::vector<std::string> received_;
};

TEST_F(LifecyclePublishers, PublishOnlyWhileTheNodeIsActive) {
  const std::shared_ptr<LifecyclePublisher<String>> publisher = this->publisher<String>();
  EXPECT_FALSE(publisher->is_activated());
  publish_all(*publisher, "unconfigured");
  managed_->configure();
  publish_all(*publisher, "inactive");
  managed_->activate();
  EXPECT_TRUE(publisher->is_activated());
  publish_all(*publisher, "active");
  managed_->deactivate();
  EXPECT_FALSE(publisher->is_activated());
  publish_all(*publisher, "inactive again");
  managed_->activate();
  publish_all(*publisher, "end");
  ASSERT_TRUE(spin_until([&] { return !received_.empty() && received_.back() == "end5"; }));
  EXPECT_EQ(received_, (std::vector<std::string>{"active1", "active2", "active3", "active4", "active5", "end1", "end2",
                                                 "end3", "end4", "end5"}));
}

TEST_F(LifecyclePublishers, WarnOnceEachTimeTheyAreDeactivated) {
  const auto publisher = this->publisher<String>();
  const auto warnings = [&] {
    const std::string log = written([&] {
      publish_all(*publisher, "x");
      publish_all(*publisher, "y");
    });
    std::size_t count = 0;
    for (std::size_t at = 0; (at = log.find("'/topic' are dropped", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(warnings(), 1u);
  EXPECT_EQ(warnings(), 0u);
  publisher->on_activate();
  EXPECT_EQ(warnings(), 0u);
  publisher->on_deactivate();
  EXPECT_EQ(warnings(), 1u);
  EXPECT_EQ(warnings(), 0u);
}

TEST_F(LifecyclePublishers, TakeTypesOfOnesOwn) {
  const auto publisher = this->publisher<rclcpp::TypeAdapter<Text, String>>();
  publisher->publish(Text{"dropped"});
  publisher->on_activate();
  publisher->publish(Text{"one"});
  publisher->publish(std::make_unique<Text>(Text{"two"}));
  String message;
  message.data = "three";
  publisher->publish(message);
  ASSERT_TRUE(spin_until([&] { return received_.size() == 3; }));
  EXPECT_EQ(received_, (std::vector<std::string>{"one", "two", "three"}));
}

TEST_F(LifecyclePublishers, AreActivatedByTheBaseClassAlsoIfItsOverriderFails) {
  managed_->deeds["activate"] = [] { return test::CallbackReturn::FAILURE; };
  const auto publisher = this->publisher<String>();
  managed_->configure();
  EXPECT_EQ(managed_->activate().label(), "inactive");
  // As in rclcpp_lifecycle: on_activate() of the base class has activated them, and nothing undoes that.
  EXPECT_TRUE(publisher->is_activated());
}

TEST_F(LifecyclePublishers, MayDieBeforeTheirNode) {
  publisher<String>().reset();
  managed_->configure();
  EXPECT_EQ(managed_->activate().label(), "active");
}

TEST_F(LifecyclePublishers, OfOtherKindsAreNotManaged) {
  const auto generic = managed_->create_generic_publisher("/topic", "std_msgs/msg/String", 100);
  ASSERT_TRUE(matched(generic));
  String message;
  message.data = "generic";
  rclcpp::SerializedMessage bytes;
  rclcpp::Serialization<String>().serialize_message(&message, &bytes);
  generic->publish(bytes);
  EXPECT_TRUE(spin_until([&] { return received_.size() == 1; }));
}

struct Counting : rclcpp_lifecycle::ManagedEntityInterface {
  void on_activate() override { ++activated; }
  void on_deactivate() override { ++deactivated; }
  int activated = 0;
  int deactivated = 0;
};

TEST_F(LifecyclePublishers, AreNotTheOnlyManagedEntities) {
  const auto counting = std::make_shared<Counting>();
  const auto simple = std::make_shared<rclcpp_lifecycle::SimpleManagedEntity>();
  managed_->add_managed_entity(counting);
  managed_->add_managed_entity(simple);
  managed_->add_managed_entity(std::make_shared<Counting>());  // dies at once
  managed_->configure();
  EXPECT_EQ(counting->activated, 0);
  managed_->activate();
  EXPECT_EQ(counting->activated, 1);
  EXPECT_TRUE(simple->is_activated());
  managed_->deactivate();
  EXPECT_EQ(counting->deactivated, 1);
  EXPECT_FALSE(simple->is_activated());
}

TEST_F(LifecyclePublishers, TimersRunInEveryState) {
  int calls = 0;
  const auto timer = managed_->create_wall_timer(std::chrono::milliseconds(1), [&] { ++calls; });
  managed_->add_timer_handle(timer);
  executor_->add_node(managed_->get_node_base_interface());
  EXPECT_TRUE(spin_until([&] { return calls > 2; }));
}

}  // namespace
