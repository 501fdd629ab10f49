// ~/get_logger_levels and ~/set_logger_levels.
#include "support.hpp"

#include "rcl_interfaces/srv/get_logger_levels.hpp"
#include "rcl_interfaces/srv/set_logger_levels.hpp"

using rcl_interfaces::srv::GetLoggerLevels;
using rcl_interfaces::srv::SetLoggerLevels;
using Level = rclcpp::Logger::Level;

namespace {

class LoggerServices : public test::Rclcpp {
 protected:
  void SetUp() override {
    Rclcpp::SetUp();
    node_ = std::make_shared<rclcpp::Node>("node", "/ns", rclcpp::NodeOptions().enable_logger_service(true));
    asking_ = std::make_shared<rclcpp::Node>("asking");
    get_ = asking_->create_client<GetLoggerLevels>("/ns/node/get_logger_levels");
    set_ = asking_->create_client<SetLoggerLevels>("/ns/node/set_logger_levels");
    executor_.emplace();
    executor_->add_node(node_);
    executor_->add_node(asking_);
    ASSERT_TRUE(get_->wait_for_service(test::kPatience));
    ASSERT_TRUE(set_->wait_for_service(test::kPatience));
  }
  void TearDown() override {
    get_.reset();
    set_.reset();
    executor_.reset();
    asking_.reset();
    node_.reset();
    Rclcpp::TearDown();
  }

  template <class Client, class Request>
  auto answer(Client & client, std::shared_ptr<Request> request) {
    auto future = client->async_send_request(std::move(request)).future.share();
    EXPECT_EQ(executor_->spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
    return future.get();
  }
  std::vector<std::uint32_t> levels_of(const std::vector<std::string> & names) {
    auto request = std::make_shared<GetLoggerLevels::Request>();
    request->names.assign(names.begin(), names.end());
    const auto response = answer(get_, request);
    std::vector<std::uint32_t> levels;
    for (std::size_t i = 0; i < response->levels.size(); ++i) {
      EXPECT_EQ(response->levels[i].name, names.at(i));
      levels.push_back(response->levels[i].level);
    }
    return levels;
  }
  /// "" for each that was set, else the reason why not.
  std::vector<std::string> set_levels(const std::vector<std::pair<std::string, std::uint32_t>> & wanted) {
    auto request = std::make_shared<SetLoggerLevels::Request>();
    for (const auto & [name, level] : wanted) {
      rcl_interfaces::msg::LoggerLevel entry;
      entry.name = name;
      entry.level = level;
      request->levels.push_back(entry);
    }
    std::vector<std::string> reasons;
    const auto response = answer(set_, request);
    for (const auto & result : response->results) {
      EXPECT_EQ(result.successful, result.reason.empty());
      reasons.push_back(result.reason.c_str());
    }
    return reasons;
  }

  std::shared_ptr<rclcpp::Node> node_;
  std::shared_ptr<rclcpp::Node> asking_;
  rclcpp::Client<GetLoggerLevels>::SharedPtr get_;
  rclcpp::Client<SetLoggerLevels>::SharedPtr set_;
  std::optional<rclcpp::executors::SingleThreadedExecutor> executor_;
};

}  // namespace

TEST_F(LoggerServices, SetAndTellLevels) {
  using Levels = std::vector<std::uint32_t>;
  EXPECT_EQ(levels_of({"ns.node", "nobody.knows.it", ""}), (Levels{0, 0, 20}));
  EXPECT_EQ(set_levels({{"ns.node", 10}, {"other.logger", 40}}), (std::vector<std::string>{"", ""}));
  EXPECT_EQ(node_->get_logger().get_effective_level(), Level::Debug);
  EXPECT_EQ(rclcpp::get_logger("other.logger").get_effective_level(), Level::Error);
  EXPECT_EQ(levels_of({"other.logger", "ns.node"}), (Levels{40, 10}));
  EXPECT_EQ(set_levels({{"ns.node", 0}, {"other.logger", 0}}), (std::vector<std::string>{"", ""}));
  EXPECT_EQ(node_->get_logger().get_effective_level(), Level::Info);
  EXPECT_TRUE(levels_of({}).empty());
}

TEST_F(LoggerServices, SetTheLevelOfLoggersWithoutOne) {
  EXPECT_EQ(set_levels({{"", 30}}), std::vector<std::string>{""});
  EXPECT_EQ(node_->get_logger().get_effective_level(), Level::Warn);
  EXPECT_EQ(set_levels({{"", 20}}), std::vector<std::string>{""});
  EXPECT_EQ(node_->get_logger().get_effective_level(), Level::Info);
}

TEST_F(LoggerServices, RefuseWhatIsNoLevel) {
  const auto reasons = set_levels({{"ns.node", 15}, {"ns.node", 30}, {"ns.node", 60}});
  ASSERT_EQ(reasons.size(), 3u);
  EXPECT_EQ(reasons[0], "logger 'ns.node': 15 is no level; they are 0, 10, 20, 30, 40 and 50");
  EXPECT_EQ(reasons[1], "");
  EXPECT_NE(reasons[2], "");
  EXPECT_EQ(node_->get_logger().get_effective_level(), Level::Warn);
  set_levels({{"ns.node", 0}});
}

TEST_F(LoggerServices, AreOffByDefault) {
  EXPECT_FALSE(asking_->create_client<GetLoggerLevels>("/asking/get_logger_levels")->service_is_ready());
  EXPECT_FALSE(asking_->create_client<SetLoggerLevels>("/asking/set_logger_levels")->service_is_ready());
  // Its parts can be asked for them, too.
  asking_->get_node_logging_interface()->create_logger_services(asking_->get_node_services_interface());
  const auto later = asking_->create_client<SetLoggerLevels>("/asking/set_logger_levels");
  EXPECT_TRUE(later->wait_for_service(test::kPatience));
}
