// Runs the tests in a shared-memory folder of their own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

int main(int argc, char ** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string folder = "/dev/shm/rclcpp_test_XXXXXX";
  if (!mkdtemp(folder.data())) return EXIT_FAILURE;
  setenv("TANDEM_SHM_DIR", folder.c_str(), 1);
  unsetenv("ROS_DOMAIN_ID");
  const int result = RUN_ALL_TESTS();
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return result;
}
