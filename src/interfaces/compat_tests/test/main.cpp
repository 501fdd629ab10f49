// Runs the tests with a message heap of their own.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

int main(int argc, char ** argv) {
  testing::InitGoogleTest(&argc, argv);
  char folder[] = "/dev/shm/compat_tests_XXXXXX";
  if (mkdtemp(folder) == nullptr || setenv("TANDEM_SHM_DIR", folder, 1) != 0) {
    perror(folder);
    return 1;
  }
  const int result = RUN_ALL_TESTS();
  std::filesystem::remove_all(folder);
  return result;
}
