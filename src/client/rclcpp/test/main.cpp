// Runs the tests in a shared-memory folder of their own, over the middleware that RMW_IMPLEMENTATION names: over another
// than the default one in a network of their own.
//
// Exit status 77: that one is not built here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "isolation.hpp"
#include "tandem/plugin.hpp"

namespace {

/// Of the middleware that is asked for; empty: the default one.
std::string middleware() {
  const char * name = std::getenv("RMW_IMPLEMENTATION");
  return name != nullptr ? name : "";
}

bool is_built(const std::string & name) {
  const auto built = tandem::transport::available();
  return name.empty() || std::find(built.begin(), built.end(), name) != built.end();
}

/// Where namespaces are forbidden, discovery reaches other programs of this machine: their domain is another.
void part_from_others(const std::string & middleware) {
  if (middleware.empty()) {
    unsetenv("ROS_DOMAIN_ID");
    return;
  }
  setenv("ROS_DOMAIN_ID", "74", 1);
  if (const std::string missing = conformance::isolate(); !missing.empty()) {
    std::printf("the tests run beside others, with %s\n", missing.c_str());
  }
}

}  // namespace

int main(int argc, char ** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!is_built(middleware())) {
    std::printf("%s is not built here\n", middleware().c_str());
    return 77;
  }
  // A test may run this program again, which then shares the folder and the network of its parent.
  const bool is_child = std::getenv("RCLCPP_TEST_FOLDER") != nullptr;
  if (!is_child) part_from_others(middleware());
  std::string folder = is_child ? std::getenv("RCLCPP_TEST_FOLDER") : "/dev/shm/rclcpp_test_XXXXXX";
  if (!is_child && !mkdtemp(folder.data())) return EXIT_FAILURE;
  setenv("RCLCPP_TEST_FOLDER", folder.c_str(), 1);
  setenv("TANDEM_SHM_DIR", folder.c_str(), 1);
  const int result = RUN_ALL_TESTS();
  std::error_code ignored;
  if (!is_child) std::filesystem::remove_all(folder, ignored);
  return result;
}
