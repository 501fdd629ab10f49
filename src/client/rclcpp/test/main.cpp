// Runs the tests in a shared-memory folder of their own, over the middleware that RMW_IMPLEMENTATION names.
//
// Exit status 77: that one is not built here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tandem/plugin.hpp"

namespace {

/// Beside the default one, discovery reaches other programs of this machine: their domain is another.
bool choose_domain() {
  const char * name = std::getenv("RMW_IMPLEMENTATION");
  if (name == nullptr || *name == '\0') {
    unsetenv("ROS_DOMAIN_ID");
    return true;
  }
  setenv("ROS_DOMAIN_ID", "74", 1);
  const auto built = tandem::transport::available();
  return std::find(built.begin(), built.end(), name) != built.end();
}

}  // namespace

int main(int argc, char ** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!choose_domain()) {
    std::printf("%s is not built here\n", std::getenv("RMW_IMPLEMENTATION"));
    return 77;
  }
  // A death test runs this program again and shares the folder of its parent.
  const bool is_child = std::getenv("RCLCPP_TEST_FOLDER") != nullptr;
  std::string folder = is_child ? std::getenv("RCLCPP_TEST_FOLDER") : "/dev/shm/rclcpp_test_XXXXXX";
  if (!is_child && !mkdtemp(folder.data())) return EXIT_FAILURE;
  setenv("RCLCPP_TEST_FOLDER", folder.c_str(), 1);
  setenv("TANDEM_SHM_DIR", folder.c_str(), 1);
  const int result = RUN_ALL_TESTS();
  std::error_code ignored;
  if (!is_child) std::filesystem::remove_all(folder, ignored);
  return result;
}
