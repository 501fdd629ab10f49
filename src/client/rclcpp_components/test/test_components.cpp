// Nodes from a library that is loaded at run time.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "rclcpp_components/node_factory.hpp"

using rclcpp_components::load_node_factory;

TEST(Components, AreMadeByName) {
  rclcpp::init(0, nullptr);
  {
    const auto first = load_node_factory(COMPONENT_LIBRARY, "test::First").create_node_instance({});
    EXPECT_STREQ(first.get_node_base_interface()->get_name(), "first");
    auto options = rclcpp::NodeOptions().arguments({"--ros-args", "-r", "__node:=renamed"});
    const auto second = load_node_factory(COMPONENT_LIBRARY, "test::Second").create_node_instance(options);
    EXPECT_STREQ(second.get_node_base_interface()->get_name(), "renamed");
  }
  rclcpp::shutdown();
}

TEST(Components, ThatDoNotExistAreNamed) {
  const auto refusal = [](const std::string & library, const std::string & name) -> std::string {
    try {
      load_node_factory(library, name);
    } catch (const std::runtime_error & error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_NE(refusal(COMPONENT_LIBRARY, "test::Third").find("has no node test::Third"), std::string::npos);
  EXPECT_NE(refusal("libnowhere.so", "test::First").find("'libnowhere.so' with the node test::First cannot be loaded"),
            std::string::npos);
}

int main(int argc, char ** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string folder = "/dev/shm/components_test_XXXXXX";
  if (!mkdtemp(folder.data())) return EXIT_FAILURE;
  setenv("TANDEM_SHM_DIR", folder.c_str(), 1);
  const int result = RUN_ALL_TESTS();
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return result;
}
