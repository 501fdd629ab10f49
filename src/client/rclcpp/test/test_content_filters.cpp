// Content filters of subscriptions. Their language is tested in tandem_type_support.
#include "support.hpp"

#include <atomic>

using rclcpp::exceptions::RCLError;
using test::Block;
using test::eventually;
using ContentFilters = test::WithNode;

namespace {

rclcpp::SubscriptionOptions filtered(const std::string & expression, const std::vector<std::string> & parameters = {}) {
  rclcpp::SubscriptionOptions options;
  options.content_filter_options.filter_expression = expression;
  options.content_filter_options.expression_parameters = parameters;
  return options;
}

void publish(rclcpp::Publisher<Block> & publisher, int first, int last) {
  const auto block = std::make_unique<Block>();
  for (block->index = first; block->index <= last; ++block->index) publisher.publish(*block);
}

std::string error_of(const std::function<void()> & function) {
  try {
    function();
  } catch (const RCLError & error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_F(ContentFilters, LetTheirMessagesThroughOnly) {
  std::vector<int> received;
  const auto publisher = node_->create_publisher<Block>("topic", 20);
  const auto subscription = node_->create_subscription<Block>(
      "topic", 20, [&](std::shared_ptr<const Block> block) { received.push_back(block->index); },
      filtered("index BETWEEN %0 AND 4 OR index = %1", {"3", "9"}));
  EXPECT_TRUE(subscription->is_cft_enabled());
  EXPECT_EQ(subscription->get_content_filter().expression_parameters.at(1), "9");
  ASSERT_TRUE(matched(publisher));
  publish(*publisher, 0, 9);
  EXPECT_TRUE(spin_until([&] { return received.size() == 3; }));
  EXPECT_EQ(received, (std::vector<int>{3, 4, 9}));
  EXPECT_EQ(subscription->get_lost_count(), 0u);
}

TEST_F(ContentFilters, AreReplacedAndTakenAway) {
  const auto publisher = node_->create_publisher<Block>("topic", 20);
  const auto subscription = node_->create_subscription<Block>("topic", 20, [](std::shared_ptr<const Block>) {});
  EXPECT_FALSE(subscription->is_cft_enabled());
  EXPECT_THROW(subscription->get_content_filter(), RCLError);
  ASSERT_TRUE(matched(publisher));
  const auto block = std::make_unique<Block>();
  rclcpp::MessageInfo info;
  const auto take = [&] { return eventually([&] { return subscription->take(*block, info); }); };

  subscription->set_content_filter("index > %0", {"5"});
  EXPECT_EQ(subscription->get_content_filter().filter_expression, "index > %0");
  publish(*publisher, 1, 7);
  ASSERT_TRUE(take());
  EXPECT_EQ(block->index, 6);
  ASSERT_TRUE(take());
  EXPECT_EQ(block->index, 7);
  EXPECT_FALSE(subscription->take(*block, info));

  subscription->set_content_filter("");
  EXPECT_FALSE(subscription->is_cft_enabled());
  publish(*publisher, 1, 1);
  ASSERT_TRUE(take());
  EXPECT_EQ(block->index, 1);
}

TEST_F(ContentFilters, CountForCallbacksForNewMessages) {
  const auto publisher = node_->create_publisher<Block>("topic", 20);
  const auto subscription = node_->create_subscription<Block>(
      "topic", 20, [](std::shared_ptr<const Block>) {}, filtered("index > 7"));
  ASSERT_TRUE(matched(publisher));
  std::atomic<size_t> told{0};
  subscription->set_on_new_message_callback([&](size_t count) { told += count; });
  publish(*publisher, 1, 9);
  ASSERT_TRUE(eventually([&] { return told == 2; }));
  const auto block = std::make_unique<Block>();
  rclcpp::MessageInfo info;
  ASSERT_TRUE(subscription->take(*block, info));
  EXPECT_EQ(block->index, 8);
  ASSERT_TRUE(subscription->take(*block, info));
  EXPECT_EQ(block->index, 9);
  EXPECT_FALSE(subscription->take(*block, info));
}

TEST_F(ContentFilters, SayWhatIsWrongOfWhichTopic) {
  const auto create = [&] {
    node_->create_subscription<Block>(
        "topic", 1, [](std::shared_ptr<const Block>) {}, filtered("index = 1 or"));
  };
  EXPECT_EQ(error_of(create).find("topic '/ns/topic': the content filter \"index = 1 or\" is wrong at character 13: "),
            0u);
  const auto subscription = node_->create_subscription<Block>(
      "topic", 1, [](std::shared_ptr<const Block>) {}, filtered("index = 1"));
  EXPECT_NE(error_of([&] { subscription->set_content_filter("inde = 1"); }).find("no field 'inde'"), std::string::npos);
  EXPECT_EQ(subscription->get_content_filter().filter_expression, "index = 1");
  EXPECT_THROW(subscription->set_content_filter("index = %0", std::vector<std::string>(101, "1")),
               rclcpp::exceptions::RCLInvalidArgument);
}
