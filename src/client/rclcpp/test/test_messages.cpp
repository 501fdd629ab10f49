// Messages with strings and sequences through the forms of publishing and of callbacks; type adapters; waiting by hand.
#include "support.hpp"

#include <yaml-cpp/yaml.h>

#include <fstream>
#include <sstream>

#include "rclcpp/type_adapter.hpp"
#include "rmw/rmw.h"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/point_cloud.hpp"
#include "std_msgs/msg/string.hpp"

using namespace std::chrono_literals;
using sensor_msgs::msg::Image;
using std_msgs::msg::String;

template <>
struct rclcpp::TypeAdapter<std::string, String> {
  using is_specialized = std::true_type;
  using custom_type = std::string;
  using ros_message_type = String;
  static void convert_to_ros_message(const std::string & source, String & destination) { destination.data = source; }
  static void convert_to_custom(const String & source, std::string & destination) { destination = source.data; }
};

namespace {

using Adapted = rclcpp::TypeAdapter<std::string, String>;
using Strings = std::vector<std::string>;

/// Whether an address lies in a file of the tests' shared-memory folder.
bool is_shared(const void * address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream text(line);
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    text >> std::hex >> begin >> dash >> end;
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    if (value >= begin && value < end) return line.find(std::getenv("TANDEM_SHM_DIR")) != std::string::npos;
  }
  return false;
}

class Messages : public test::WithNode {};

}  // namespace

TEST_F(Messages, ReadersSeeThePublishersMemory) {
  if (rmw_get_implementation_identifier() != std::string("rmw_tandem_cpp")) GTEST_SKIP() << "this transport copies";
  // The publisher's region, which this process maps once more, read-only: other addresses, the same distances.
  std::vector<const Image *> seen;
  std::vector<std::ptrdiff_t> distances;
  const auto distance = [](const Image & m) {
    return reinterpret_cast<const char *>(m.data.data()) - reinterpret_cast<const char *>(&m);
  };
  const auto look = [&](const Image & m) {
    EXPECT_TRUE(is_shared(&m));
    EXPECT_TRUE(is_shared(m.data.data()));
    seen.push_back(&m);
    distances.push_back(distance(m));
  };
  std::unique_ptr<Image> mine;
  auto a = node_->create_subscription<Image>("image", 5, [&](const Image & m) { look(m); });
  auto b = node_->create_subscription<Image>("image", 5, [&](Image::ConstSharedPtr m) { look(*m); });
  auto c = node_->create_subscription_hbmem<Image>("image", 5, [&](Image::SharedPtr m) { look(*m); });
  auto d = node_->create_subscription<Image>("image", 5, [&](Image::UniquePtr m) { mine = std::move(m); });
  auto publisher = node_->create_publisher<Image>("image", 5);
  ASSERT_TRUE(matched(publisher, 4));
  auto message = std::make_unique<Image>();
  message->encoding = "rgb8";
  message->data.resize(1920 * 1080 * 3, 7);
  const std::ptrdiff_t original = distance(*message);
  EXPECT_TRUE(is_shared(message.get()));
  EXPECT_TRUE(is_shared(message->data.data()));
  publisher->publish(std::move(message));
  ASSERT_TRUE(spin_until([&] { return seen.size() == 3 && mine; }));
  EXPECT_EQ(seen, std::vector<const Image *>(3, seen[0]));
  EXPECT_EQ(distances, std::vector<std::ptrdiff_t>(3, original));
  EXPECT_NE(mine.get(), seen[0]);
  EXPECT_EQ(mine->data.size(), 1920u * 1080u * 3u);
  EXPECT_EQ(mine->data.back(), 7);
  EXPECT_EQ(mine->encoding, "rgb8");
  EXPECT_EQ(publisher->get_copied_count(), 0u);
  EXPECT_EQ(a->get_copied_count() + b->get_copied_count() + c->get_copied_count() + d->get_copied_count(), 0u);
  publisher->publish(*mine);
  EXPECT_EQ(publisher->get_copied_count(), 1u);
}

TEST_F(Messages, WhoWritesDoesSoInHisOwnMessage) {
  Image::SharedPtr shared;
  Image::UniquePtr unique;
  Image::ConstSharedPtr seen;
  auto a = node_->create_subscription<Image>("image", 5, [&](Image::SharedPtr m) { shared = std::move(m); });
  auto b = node_->create_subscription<Image>("image", 5, [&](Image::UniquePtr m) { unique = std::move(m); });
  auto c = node_->create_subscription<Image>("image", 5, [&](Image::ConstSharedPtr m) { seen = std::move(m); });
  auto publisher = node_->create_publisher<Image>("image", 5);
  ASSERT_TRUE(matched(publisher, 3));
  for (std::uint8_t round = 0; round < 10; ++round) {
    auto message = std::make_unique<Image>();
    message->header.frame_id = "a frame whose name is too long for any string without memory of its own";
    message->data.resize(1 << 20, round);
    publisher->publish(std::move(message));
    ASSERT_TRUE(spin_until([&] { return shared && unique && seen; }));
    ASSERT_EQ(shared->data, seen->data);
    ASSERT_EQ(unique->data, seen->data);
    shared->header.frame_id += "!";
    shared->data[5] = 0xff;
    shared->data.push_back(1);
    unique->data[5] = 0xfe;
    unique->data.resize(7);
    ASSERT_EQ(seen->data, std::vector<std::uint8_t>(1 << 20, round));
    ASSERT_EQ(seen->header.frame_id.back(), 'n');
    ASSERT_EQ(shared->header.frame_id.back(), '!');
    ASSERT_EQ(shared->data.size(), (1u << 20) + 1);
    ASSERT_EQ(shared->data[5], 0xff);
    ASSERT_EQ(shared->data[6], round);
    ASSERT_EQ(unique->data, (std::vector<std::uint8_t>{round, round, round, round, round, 0xfe, round}));
    shared.reset();
    unique.reset();
    seen.reset();
  }
}

TEST_F(Messages, WhoWritesToNestedSequencesDoesSoInHisOwn) {
  using sensor_msgs::msg::PointCloud;
  PointCloud::SharedPtr mine;
  PointCloud::ConstSharedPtr seen;
  auto a = node_->create_subscription<PointCloud>("cloud", 5, [&](PointCloud::SharedPtr m) { mine = std::move(m); });
  auto b =
      node_->create_subscription<PointCloud>("cloud", 5, [&](PointCloud::ConstSharedPtr m) { seen = std::move(m); });
  auto publisher = node_->create_publisher<PointCloud>("cloud", 5);
  ASSERT_TRUE(matched(publisher, 2));
  PointCloud message;
  message.points.resize(20'000);
  message.points[19'999].z = 3;
  message.channels.resize(2);
  message.channels[0].name = "intensity";
  message.channels[1].name = "a name that is too long for any string without memory of its own";
  message.channels[1].values.resize(20'000, 0.5f);
  publisher->publish(message);
  ASSERT_TRUE(spin_until([&] { return mine && seen; }));
  EXPECT_EQ(*mine, message);
  mine->points[19'999].z = 4;
  mine->channels[1].values[7] = 1;
  mine->channels[1].name = "";
  mine->channels.resize(1);
  EXPECT_EQ(*seen, message);
}

TEST_F(Messages, WhatWasWrittenToIsPublishedOn) {
  Image::ConstSharedPtr seen;
  auto last = node_->create_publisher<Image>("second", 5);
  auto first = node_->create_publisher<Image>("first", 5);
  auto pipe = node_->create_subscription<Image>("first", 5, [&](Image::UniquePtr m) {
    m->data[1000] = 1;
    last->publish(std::move(m));
  });
  auto end = node_->create_subscription<Image>("second", 5, [&](Image::ConstSharedPtr m) { seen = std::move(m); });
  ASSERT_TRUE(matched(first));
  ASSERT_TRUE(matched(last));
  auto message = std::make_unique<Image>();
  message->data.resize(1 << 20);
  first->publish(std::move(message));
  ASSERT_TRUE(spin_until([&] { return seen != nullptr; }));
  EXPECT_EQ(seen->data[1000], 1);
  EXPECT_EQ(seen->data.size(), 1u << 20);
}

TEST_F(Messages, LargeMessagesOfFixedSizeAreWrittenToAsWell) {
  std::shared_ptr<test::Block> shared;
  std::unique_ptr<test::Block> unique;
  std::shared_ptr<const test::Block> seen;
  auto a = node_->create_subscription<test::Block>("block", 5, [&](std::shared_ptr<test::Block> m) { shared = m; });
  auto b = node_->create_subscription<test::Block>("block", 5,
                                                   [&](std::unique_ptr<test::Block> m) { unique = std::move(m); });
  auto c = node_->create_subscription<test::Block>("block", 5, [&](std::shared_ptr<const test::Block> m) { seen = m; });
  auto publisher = node_->create_publisher<test::Block>("block", 5);
  ASSERT_TRUE(matched(publisher, 3));
  for (int round = 0; round < 10; ++round) {
    auto message = std::make_unique<test::Block>();
    message->index = round;
    publisher->publish(std::move(message));
    ASSERT_TRUE(spin_until([&] { return shared && unique && seen; }));
    shared->index = -1;
    unique->index = -2;
    EXPECT_EQ(seen->index, round);
    EXPECT_EQ(shared->index, -1);
    EXPECT_EQ(unique->index, -2);
    shared.reset();
    unique.reset();
    seen.reset();
  }
}

TEST_F(Messages, EveryWayOfPublishingCarriesStrings) {
  Strings seen;
  auto a = node_->create_subscription<String>("text", 20, [&](const String & m) { seen.push_back(m.data); });
  auto publisher = node_->create_publisher<String>("text", 20);
  auto hbmem = node_->create_publisher_hbmem<String>("text", 20);
  ASSERT_TRUE(matched(publisher));
  ASSERT_TRUE(matched(hbmem));
  Strings expected;
  for (int i = 0; i < 4; ++i) {
    String message;
    message.data = "by value " + std::string(static_cast<size_t>(i) * 100, 'x');
    publisher->publish(message);
    expected.push_back(message.data);
    auto unique = std::make_unique<String>();
    unique->data = "moved";
    publisher->publish(std::move(unique));
    auto loan = publisher->borrow_loaned_message();
    ASSERT_TRUE(loan.is_valid());
    EXPECT_EQ(loan.get().data, "");
    loan.get().data = "loaned";
    publisher->publish(std::move(loan));
    expected.insert(expected.end(), {"moved", "loaned"});
    ASSERT_TRUE(spin_until([&] { return seen.size() == expected.size(); }));
    EXPECT_EQ(seen, expected);
  }
  auto loan = hbmem->borrow_loaned_message();
  ASSERT_TRUE(loan.is_valid());
  loan.get().data = "hbmem";
  hbmem->publish(std::move(loan));
  ASSERT_TRUE(spin_until([&] { return seen.size() == expected.size() + 1; }));
  EXPECT_EQ(seen.back(), "hbmem");
}

TEST_F(Messages, AdaptersConvertBothWays) {
  Strings seen;
  using Info = rclcpp::MessageInfo;
  std::vector<std::shared_ptr<rclcpp::SubscriptionBase>> all;
  const auto add = [&](auto callback) { all.push_back(node_->create_subscription<Adapted>("text", 10, callback)); };
  add([&](const std::string & m) { seen.push_back(m); });
  add([&](const std::string & m, const Info &) { seen.push_back(m); });
  add([&](std::unique_ptr<std::string> m) { seen.push_back(*m); });
  add([&](std::shared_ptr<const std::string> m) { seen.push_back(*m); });
  add([&](const std::shared_ptr<const std::string> & m, const Info &) { seen.push_back(*m); });
  add([&](const String & m) { seen.push_back(m.data); });
  add([&](String::ConstSharedPtr m) { seen.push_back(m->data); });
  rclcpp::Publisher<Adapted>::SharedPtr publisher = node_->create_publisher<Adapted>("text", 10);
  ASSERT_TRUE(matched(publisher, all.size()));
  String message;
  message.data = "text";
  publisher->publish(std::string("text"));
  publisher->publish(std::make_unique<std::string>("text"));
  publisher->publish(message);
  auto loan = publisher->borrow_loaned_message();
  loan.get().data = "text";
  publisher->publish(std::move(loan));
  ASSERT_TRUE(spin_until([&] { return seen.size() == 4 * all.size(); }));
  EXPECT_EQ(seen, Strings(4 * all.size(), "text"));
}

TEST_F(Messages, StringsGoIntoYamlAndBack) {
  String message;
  message.data = "text";
  YAML::Node node;
  node["field"] = message.data;
  node["string"] = tandem::String("short");
  EXPECT_EQ(node["field"].as<std::string>(), "text");
  EXPECT_EQ(node["string"].as<tandem::String>(), "short");
  message.data = node["string"].as<tandem::String>();
  EXPECT_EQ(message.data, "short");
  EXPECT_EQ(YAML::Node(message.data).Scalar(), "short");
  EXPECT_THROW(node.as<tandem::String>(), YAML::BadConversion);
}

TEST_F(Messages, WaitSetsWaitForSubscriptionsAndTimers) {
  int heard = 0, ticked = 0;
  rclcpp::SubscriptionOptions options;
  options.callback_group = node_->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  auto subscription = node_->create_subscription<String>(
      "text", 10, [&](String::UniquePtr m) { heard += m->data == "text"; }, options);
  auto publisher = node_->create_publisher<String>("text", 10);
  ASSERT_TRUE(matched(publisher));
  rclcpp::StaticWaitSet<1, 0, 0, 0, 0, 0> fixed(
      std::array<rclcpp::StaticWaitSet<1, 0, 0, 0, 0, 0>::SubscriptionEntry, 1>{{{subscription}}});
  EXPECT_EQ(fixed.wait(1ms).kind(), rclcpp::WaitResultKind::Timeout);
  String message;
  message.data = "text";
  publisher->publish(message);
  auto result = fixed.wait(60s);
  ASSERT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
  EXPECT_NE(result.get_wait_set().get_rcl_wait_set().subscriptions[0], nullptr);
  rclcpp::MessageInfo info;
  auto taken = std::make_shared<String>();
  ASSERT_TRUE(subscription->take(*taken, info));
  std::shared_ptr<void> erased = taken;
  subscription->handle_message(erased, info);
  EXPECT_EQ(heard, 1);

  rclcpp::WaitSet by_hand;
  EXPECT_EQ(by_hand.wait(1ms).kind(), rclcpp::WaitResultKind::Empty);
  auto timer = node_->create_wall_timer(
      1ms, [&] { ++ticked; }, options.callback_group);
  by_hand.add_timer(timer);
  EXPECT_THROW(by_hand.add_timer(timer), std::runtime_error);
  ASSERT_EQ(by_hand.wait().kind(), rclcpp::WaitResultKind::Ready);
  EXPECT_NE(by_hand.get_rcl_wait_set().timers[0], nullptr);
  rclcpp::WaitSet in_order_of_rclcpp({}, {}, {timer});
  EXPECT_EQ(in_order_of_rclcpp.wait().kind(), rclcpp::WaitResultKind::Ready);
  EXPECT_THROW(rclcpp::WaitSet({}, {}, {}, {}, {}, {}, nullptr), std::invalid_argument);
  if (auto data = timer->call()) timer->execute_callback(data);
  EXPECT_EQ(ticked, 1);
  timer->cancel();
  EXPECT_FALSE(timer->call());
  std::thread ender([] { rclcpp::shutdown(); });
  EXPECT_EQ(by_hand.wait().kind(), rclcpp::WaitResultKind::Timeout);
  ender.join();
}

TEST_F(Messages, WhatNeedsANetworkIsRefusedByName) {
  auto publisher = node_->create_publisher<String>("text", 1);
  auto subscription = node_->create_subscription<String>("text", 1, [](const String &) {});
  EXPECT_THROW(publisher->get_network_flow_endpoints(), rclcpp::exceptions::RCLError);
  EXPECT_THROW(subscription->get_network_flow_endpoints(), rclcpp::exceptions::RCLError);
  EXPECT_FALSE(subscription->is_cft_enabled());
  EXPECT_THROW(subscription->set_content_filter("no_such_field = 1"), rclcpp::exceptions::RCLError);
  EXPECT_TRUE(publisher->wait_for_all_acked(1s));
  rclcpp::PublisherOptions options;
  options.require_unique_network_flow_endpoints = RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_STRICTLY_REQUIRED;
  EXPECT_THROW(node_->create_publisher<String>("text", 1, options), rclcpp::exceptions::RCLError);
}
