// The tests, in a shared-memory folder of their own and with the transport over sockets.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

int main(int argc, char ** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string folder = "/dev/shm/tandem_gateway_XXXXXX";
  setenv("TANDEM_SHM_DIR", mkdtemp(folder.data()), 1);
  setenv("AMENT_PREFIX_PATH", UNIXSOCKET_PREFIX ":" INSTALL_PREFIX, 1);
  const int result = RUN_ALL_TESTS();
  std::filesystem::remove_all(folder);
  return result;
}
