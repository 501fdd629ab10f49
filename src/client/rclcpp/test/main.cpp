// Runs the tests in a shared-memory folder of their own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

int main(int argc, char ** argv) {
  testing::InitGoogleTest(&argc, argv);
  // A death test runs this program again and shares the folder of its parent.
  const bool is_child = std::getenv("RCLCPP_TEST_FOLDER") != nullptr;
  std::string folder = is_child ? std::getenv("RCLCPP_TEST_FOLDER") : "/dev/shm/rclcpp_test_XXXXXX";
  if (!is_child && !mkdtemp(folder.data())) return EXIT_FAILURE;
  setenv("RCLCPP_TEST_FOLDER", folder.c_str(), 1);
  setenv("TANDEM_SHM_DIR", folder.c_str(), 1);
  unsetenv("ROS_DOMAIN_ID");
  const int result = RUN_ALL_TESTS();
  std::error_code ignored;
  if (!is_child) std::filesystem::remove_all(folder, ignored);
  return result;
}
