// Loading, listing and unloading of nodes, by the calls of ComponentManager and by its services.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp_components/component_manager.hpp"
#include "rclcpp_components/component_manager_isolated.hpp"

namespace {

using rclcpp_components::ComponentManager;
using rclcpp_components::ComponentManagerException;
using rclcpp_components::ComponentManagerIsolated;
using Load = ComponentManager::LoadNode;
using Unload = ComponentManager::UnloadNode;
using List = ComponentManager::ListNodes;

constexpr std::chrono::seconds kPatience{60};

std::string refusal(const std::function<void()> & call) {
  try {
    call();
  } catch (const ComponentManagerException & error) {
    return error.what();
  }
  return "nothing was thrown";
}

Load::Request::SharedPtr request_for(const std::string & plugin) {
  auto request = std::make_shared<Load::Request>();
  request->package_name = "tested";
  request->plugin_name = plugin;
  return request;
}

rcl_interfaces::msg::Parameter parameter(const std::string & name, const rclcpp::ParameterValue & value) {
  return rclcpp::Parameter(name, value).to_parameter_msg();
}

/// A container and a node that calls it, in one executor.
template <class Manager>
class Containers : public testing::Test {
 protected:
  void SetUp() override {
    executor_->add_node(manager_);
    executor_->add_node(caller_);
  }

  template <class Service>
  typename Service::Response::SharedPtr call(const char * service, std::shared_ptr<typename Service::Request> request) {
    const auto client = caller_->create_client<Service>(std::string("/ComponentManager/_container/") + service);
    if (!client->wait_for_service(kPatience)) return nullptr;
    auto future = client->async_send_request(request);
    executor_->spin_until_future_complete(future, kPatience);
    return future.get();
  }

  Load::Response::SharedPtr load(Load::Request::SharedPtr request) { return call<Load>("load_node", request); }

  std::string load_error(Load::Request::SharedPtr request) {
    const auto response = load(request);
    EXPECT_FALSE(response->success);
    EXPECT_TRUE(response->full_node_name.empty());
    EXPECT_EQ(response->unique_id, 0U);
    return response->error_message.c_str();
  }

  /// "1 /first" and so on.
  std::vector<std::string> list() {
    const auto response = call<List>("list_nodes", std::make_shared<List::Request>());
    std::vector<std::string> lines;
    for (size_t i = 0; i < response->unique_ids.size(); ++i) {
      lines.push_back(std::to_string(response->unique_ids[i]) + ' ' + response->full_node_names[i].c_str());
    }
    return lines;
  }

  rclcpp::executors::SingleThreadedExecutor::SharedPtr executor_ =
      std::make_shared<rclcpp::executors::SingleThreadedExecutor>();
  std::shared_ptr<ComponentManager> manager_ = std::make_shared<Manager>(executor_);
  rclcpp::Node::SharedPtr caller_ = std::make_shared<rclcpp::Node>("caller");
};

using Managers = testing::Types<ComponentManager, ComponentManagerIsolated<>,
                                ComponentManagerIsolated<rclcpp::executors::MultiThreadedExecutor>>;
TYPED_TEST_SUITE(Containers, Managers, );

TYPED_TEST(Containers, LoadAndUnload) {
  const auto first = this->load(request_for("test::First"));
  EXPECT_TRUE(first->success);
  EXPECT_EQ(first->full_node_name, "/first");
  EXPECT_EQ(first->unique_id, 1U);
  EXPECT_TRUE(first->error_message.empty());
  auto request = request_for("test::First");
  request->node_name = "renamed";
  request->node_namespace = "/ns";
  EXPECT_EQ(this->load(request)->full_node_name, "/ns/renamed");
  EXPECT_EQ(this->load(request_for("test::NoNode"))->unique_id, 3U);
  EXPECT_EQ(this->list(), (std::vector<std::string>{"1 /first", "2 /ns/renamed", "3 /no_node"}));

  auto unload = std::make_shared<Unload::Request>();
  unload->unique_id = 2;
  EXPECT_TRUE(this->template call<Unload>("unload_node", unload)->success);
  EXPECT_EQ(this->list(), (std::vector<std::string>{"1 /first", "3 /no_node"}));
  const auto again = this->template call<Unload>("unload_node", unload);
  EXPECT_FALSE(again->success);
  EXPECT_EQ(again->error_message, "No node found with unique_id: 2");
  EXPECT_EQ(this->load(request_for("test::First"))->unique_id, 4U);
}

TYPED_TEST(Containers, SpinWhatTheyLoad) {
  ASSERT_TRUE(this->load(request_for("test::Second"))->success);
  const auto client = std::make_shared<rclcpp::AsyncParametersClient>(this->caller_, "/second");
  ASSERT_TRUE(client->wait_for_service(kPatience));
  auto future = client->get_parameters({"rate"});
  ASSERT_EQ(this->executor_->spin_until_future_complete(future, kPatience), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_EQ(future.get().at(0).as_int(), 1);
}

TYPED_TEST(Containers, RequestsConfigureNodes) {
  auto request = request_for("test::Second");
  request->remap_rules.push_back("alice:=bob");
  request->parameters.push_back(parameter("rate", rclcpp::ParameterValue(7)));
  request->extra_arguments.push_back(parameter("use_intra_process_comms", rclcpp::ParameterValue(true)));
  request->extra_arguments.push_back(parameter("forward_global_arguments", rclcpp::ParameterValue(true)));
  request->extra_arguments.push_back(parameter("unknown", rclcpp::ParameterValue(1)));
  ASSERT_TRUE(this->load(request)->success);
  const auto client = std::make_shared<rclcpp::AsyncParametersClient>(this->caller_, "/second");
  ASSERT_TRUE(client->wait_for_service(kPatience));
  auto future = client->get_parameters({"topic", "rate", "intra_process", "global_arguments"});
  ASSERT_EQ(this->executor_->spin_until_future_complete(future, kPatience), rclcpp::FutureReturnCode::SUCCESS);
  const auto values = future.get();
  EXPECT_EQ(values.at(0).as_string(), "/bob");
  EXPECT_EQ(values.at(1).as_int(), 7);
  EXPECT_TRUE(values.at(2).as_bool());
  EXPECT_TRUE(values.at(3).as_bool());
}

TYPED_TEST(Containers, TellWhatIsWrong) {
  const std::string no_class = "Failed to find class with the requested plugin name.";
  EXPECT_EQ(this->load_error(request_for("test::Third")), no_class);
  EXPECT_EQ(this->load_error(request_for("test::Missing")), no_class);
  EXPECT_EQ(this->load_error(request_for("test::Throws")), "Component constructor threw an exception: no camera");
  EXPECT_EQ(this->load_error(request_for("test::Nowhere")).find("Failed to load library: "), 0U);
  for (const char * package : {"nobody", ""}) {
    auto request = request_for("test::First");
    request->package_name = package;
    EXPECT_EQ(this->load_error(request), "Could not find requested resource in ament index");
  }
  for (const char * argument : {"use_intra_process_comms", "forward_global_arguments"}) {
    auto request = request_for("test::First");
    request->extra_arguments.push_back(parameter(argument, rclcpp::ParameterValue("yes")));
    EXPECT_EQ(this->load_error(request), std::string("Extra component argument '") + argument + "' must be a boolean");
  }
  auto request = request_for("test::First");
  request->node_name = "no name";
  EXPECT_NE(this->load_error(request), "");
  request = request_for("test::First");
  request->parameters.resize(1);
  request->parameters[0].value.type = 99;
  EXPECT_NE(this->load_error(request), "");
  EXPECT_TRUE(this->load(request_for("test::First"))->success);
}

TEST(ComponentManager, FindsComponentsInTheIndex) {
  ComponentManager manager;
  const auto resources = manager.get_component_resources("tested");
  ASSERT_EQ(resources.size(), 6U);
  EXPECT_EQ(resources[0], ComponentManager::ComponentResource("test::First", COMPONENT_LIBRARY));
  EXPECT_EQ(resources[5], ComponentManager::ComponentResource("test::Nowhere", INDEX "/lib/libnowhere.so"));
  EXPECT_EQ(refusal([&] { manager.get_component_resources("broken"); }), "Invalid resource entry");
  EXPECT_EQ(refusal([&] { manager.get_component_resources("tested", "other_index"); }),
            "Could not find requested resource in ament index");
}

TEST(ComponentManager, MakesFactories) {
  ComponentManager manager;
  const auto factory = manager.create_component_factory({"test::First", COMPONENT_LIBRARY});
  ASSERT_NE(factory, nullptr);
  EXPECT_STREQ(factory->create_node_instance({}).get_node_base_interface()->get_name(), "first");
  EXPECT_NE(manager.create_component_factory({"test::NoNode", COMPONENT_LIBRARY}), nullptr);
  EXPECT_EQ(manager.create_component_factory({"test::Third", COMPONENT_LIBRARY}), nullptr);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NE(refusal([&] {
                manager.create_component_factory({"test::First", "libnowhere.so"});
              }).find("Failed to load library: "),
              std::string::npos);
  }
}

/// Overrides what upstream's users override.
class Counting : public ComponentManager {
 public:
  using ComponentManager::ComponentManager;
  int added = 0;
  int removed = 0;

 protected:
  void add_node_to_executor(uint64_t id) override {
    ++added;
    ComponentManager::add_node_to_executor(id);
  }
  void remove_node_from_executor(uint64_t id) override {
    ++removed;
    ComponentManager::remove_node_from_executor(id);
  }
  rclcpp::NodeOptions create_node_options(const std::shared_ptr<LoadNode::Request> request) override {
    return ComponentManager::create_node_options(request).arguments({"--ros-args", "-r", "__node:=own"});
  }
};

using DerivedContainers = Containers<Counting>;
TEST_F(DerivedContainers, AreAskedAtEachStep) {
  EXPECT_EQ(load(request_for("test::First"))->full_node_name, "/own");
  auto unload = std::make_shared<Unload::Request>();
  unload->unique_id = 1;
  EXPECT_TRUE(call<Unload>("unload_node", unload)->success);
  const auto & counting = dynamic_cast<const Counting &>(*manager_);
  EXPECT_EQ(counting.added, 1);
  EXPECT_EQ(counting.removed, 1);
}

}  // namespace

int main(int argc, char ** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string folder = "/dev/shm/components_test_XXXXXX";
  if (!mkdtemp(folder.data())) return EXIT_FAILURE;
  setenv("TANDEM_SHM_DIR", folder.c_str(), 1);
  const char * const prefixes = std::getenv("AMENT_PREFIX_PATH");
  setenv("AMENT_PREFIX_PATH", (std::string(INDEX) + ':' + (prefixes ? prefixes : "")).c_str(), 1);
  rclcpp::init(0, nullptr);
  const int result = RUN_ALL_TESTS();
  rclcpp::shutdown();
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return result;
}
