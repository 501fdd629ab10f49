// ~/get_type_description: what nodes tell about the types that they use.
#include "support.hpp"

#include <algorithm>

#include "example_interfaces/srv/add_two_ints.hpp"
#include "rcl_interfaces/srv/describe_parameters.hpp"
#include "sensor_msgs/msg/camera_info.hpp"
#include "sha256.hpp"
#include "std_msgs/msg/empty.hpp"
#include "std_msgs/msg/string.hpp"
#include "type_description_interfaces/srv/get_type_description.hpp"

using type_description_interfaces::msg::IndividualTypeDescription;
using type_description_interfaces::srv::GetTypeDescription;
using Hash = std::array<std::uint8_t, 32>;

namespace {

std::string text_of(const Hash & hash) {
  std::string text = "RIHS01_";
  for (const std::uint8_t byte : hash) {
    text += "0123456789abcdef"[byte / 16];
    text += "0123456789abcdef"[byte % 16];
  }
  return text;
}

std::string json_of(const IndividualTypeDescription & type) {
  std::string text = std::string("{\"type_name\": \"") + type.type_name.c_str() + "\", \"fields\": [";
  for (const auto & field : type.fields) {
    text += std::string(&field == &type.fields[0] ? "" : ", ") + "{\"name\": \"" + field.name.c_str() +
            "\", \"type\": {\"type_id\": " + std::to_string(field.type.type_id) +
            ", \"capacity\": " + std::to_string(field.type.capacity) +
            ", \"string_capacity\": " + std::to_string(field.type.string_capacity) + ", \"nested_type_name\": \"" +
            field.type.nested_type_name.c_str() + "\"}}";
  }
  return text + "]}";
}

/// What the hash of a type is the hash of.
std::string json_of(const type_description_interfaces::msg::TypeDescription & description) {
  std::string text =
      "{\"type_description\": " + json_of(description.type_description) + ", \"referenced_type_descriptions\": [";
  for (const auto & type : description.referenced_type_descriptions) {
    text += (&type == &description.referenced_type_descriptions[0] ? "" : ", ") + json_of(type);
  }
  return text + "]}";
}

class TypeDescriptions : public test::Rclcpp {
 protected:
  void SetUp() override {
    Rclcpp::SetUp();
    node_ = std::make_shared<rclcpp::Node>("node", "/ns");
    asking_ = std::make_shared<rclcpp::Node>("asking");
    executor_.emplace();
    executor_->add_node(node_);
    executor_->add_node(asking_);
    client_ = asking_->create_client<GetTypeDescription>("/ns/node/get_type_description");
    ASSERT_TRUE(client_->wait_for_service(test::kPatience));
  }
  void TearDown() override {
    client_.reset();
    executor_.reset();
    asking_.reset();
    node_.reset();
    Rclcpp::TearDown();
  }

  GetTypeDescription::Response::SharedPtr ask(const std::string & hash, bool sources = false) {
    auto request = std::make_shared<GetTypeDescription::Request>();
    request->type_hash = hash;
    request->include_type_sources = sources;
    auto future = client_->async_send_request(request).future.share();
    EXPECT_EQ(executor_->spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
    return future.get();
  }
  /// The description has the hash that was asked for.
  void expect_described(const char * name, const Hash & hash) {
    const auto response = ask(text_of(hash));
    EXPECT_TRUE(response->successful) << name << ": " << response->failure_reason.c_str();
    EXPECT_EQ(response->type_description.type_description.type_name, name);
    EXPECT_EQ(text_of(test::sha256(json_of(response->type_description))), text_of(hash)) << name;
    EXPECT_TRUE(response->type_sources.empty());
  }
  template <class T>
  std::string hash_of() {
    return text_of(tandem::message_type<T>().hash);
  }

  std::shared_ptr<rclcpp::Node> node_;
  std::shared_ptr<rclcpp::Node> asking_;
  std::optional<rclcpp::executors::SingleThreadedExecutor> executor_;
  rclcpp::Client<GetTypeDescription>::SharedPtr client_;
};

}  // namespace

TEST_F(TypeDescriptions, HaveTheHashesOfTheTypes) {
  const auto info = node_->create_publisher<sensor_msgs::msg::CameraInfo>("info", 1);
  const auto empty = node_->create_subscription<std_msgs::msg::Empty>("empty", 1, [](const std_msgs::msg::Empty &) {});
  const auto add = node_->create_client<example_interfaces::srv::AddTwoInts>("add");
  expect_described("sensor_msgs/msg/CameraInfo", tandem::message_type<sensor_msgs::msg::CameraInfo>().hash);
  expect_described("std_msgs/msg/Empty", tandem::message_type<std_msgs::msg::Empty>().hash);
  expect_described("rcl_interfaces/msg/ParameterEvent",
                   tandem::message_type<rcl_interfaces::msg::ParameterEvent>().hash);
  for (const tandem::ServiceType * type : {&tandem::service_type<example_interfaces::srv::AddTwoInts>(),
                                           &tandem::service_type<rcl_interfaces::srv::DescribeParameters>(),
                                           &tandem::service_type<GetTypeDescription>()}) {
    expect_described(type->name, type->hash);
  }
}

TEST_F(TypeDescriptions, ComeWithTheirSources) {
  const auto info = node_->create_publisher<sensor_msgs::msg::CameraInfo>("info", 1);
  const auto response = ask(hash_of<sensor_msgs::msg::CameraInfo>(), true);
  ASSERT_TRUE(response->successful);
  ASSERT_EQ(response->type_sources.size(), 1 + response->type_description.referenced_type_descriptions.size());
  EXPECT_EQ(response->type_sources[0].type_name, "sensor_msgs/msg/CameraInfo");
  EXPECT_EQ(response->type_sources[0].encoding, "msg");
  EXPECT_NE(std::string(response->type_sources[0].raw_file_contents.c_str()).find("distortion_model"),
            std::string::npos);

  const auto service = ask(text_of(tandem::service_type<GetTypeDescription>().hash), true);
  ASSERT_TRUE(service->successful);
  EXPECT_EQ(service->type_sources[0].encoding, "srv");
  const auto request =
      std::find_if(service->type_sources.begin(), service->type_sources.end(), [](const auto & source) {
        return source.type_name == "type_description_interfaces/srv/GetTypeDescription_Request";
      });
  ASSERT_NE(request, service->type_sources.end());
  EXPECT_EQ(request->encoding, "implicit");
  EXPECT_EQ(request->raw_file_contents, "");
}

TEST_F(TypeDescriptions, AreOfTypesInUseOnly) {
  const auto refused = [&](const std::string & hash) {
    const auto response = ask(hash, true);
    EXPECT_FALSE(response->successful);
    EXPECT_TRUE(response->type_sources.empty());
    return std::string(response->failure_reason.c_str());
  };
  EXPECT_EQ(refused(hash_of<std_msgs::msg::String>()), "Type not currently in use by this node");
  const auto used = node_->create_publisher<std_msgs::msg::String>("text", 1);
  EXPECT_TRUE(ask(hash_of<std_msgs::msg::String>())->successful);
  for (const char * hash : {"", "RIHS01_", "RIHS01_12", "RIHS02_"})
    EXPECT_EQ(refused(hash), "Failed to parse type hash");
  std::string damaged = hash_of<std_msgs::msg::String>();
  damaged.back() = 'x';
  EXPECT_EQ(refused(damaged), "Failed to parse type hash");
}

TEST_F(TypeDescriptions, AreServedUnlessAParameterSaysNo) {
  EXPECT_TRUE(node_->get_parameter("start_type_description_service").as_bool());
  EXPECT_FALSE(node_->set_parameter({"start_type_description_service", false}).successful);
  rclcpp::NodeOptions options;
  options.append_parameter_override("start_type_description_service", false);
  const rclcpp::Node without("without", options);
  const auto parameters =
      asking_->create_client<rcl_interfaces::srv::DescribeParameters>("/without/describe_parameters");
  EXPECT_TRUE(parameters->wait_for_service(test::kPatience));
  EXPECT_FALSE(asking_->create_client<GetTypeDescription>("/without/get_type_description")->service_is_ready());
  rclcpp::NodeOptions wrong;
  wrong.append_parameter_override("start_type_description_service", "yes");
  EXPECT_THROW(rclcpp::Node("wrong", wrong), rclcpp::exceptions::InvalidParameterTypeException);
}
