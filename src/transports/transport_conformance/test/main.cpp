// conformance --transport NAME [gtest's options]: the suite over one transport, in a shared-memory folder of its own.
// conformance --transport NAME --peer ROLE ...: another process of a test (peer.hpp).
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "conformance.hpp"
#include "peer.hpp"

namespace {

/// A folder for this run; the peers inherit it.
class SharedMemoryFolder {
 public:
  SharedMemoryFolder() {
    std::string pattern = "/dev/shm/tandem_conformance_XXXXXX";
    path_ = mkdtemp(pattern.data());
    setenv("TANDEM_SHM_DIR", path_.c_str(), 1);
  }
  ~SharedMemoryFolder() { std::filesystem::remove_all(path_); }

 private:
  std::filesystem::path path_;
};

void add_test_transports() {
  const char * path = std::getenv("AMENT_PREFIX_PATH");
  const std::string before = path != nullptr ? ":" + std::string(path) : "";
  setenv("AMENT_PREFIX_PATH", (UNIXSOCKET_PREFIX ":" INSTALL_PREFIX + before).c_str(), 1);
}

}  // namespace

int main(int argc, char ** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2 || words[0] != "--transport") {
    std::cerr << "usage: conformance --transport NAME [gtest options]\n";
    return 2;
  }
  try {
    add_test_transports();
    if (words.size() > 3 && words[2] == "--peer") {
      conformance::choose_transport(words[1]);
      return conformance::run_peer({words.begin() + 3, words.end()});
    }
    const SharedMemoryFolder folder;
    conformance::choose_transport(words[1]);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
  } catch (const std::exception & error) {
    std::cerr << "conformance: " << error.what() << '\n';
    return 1;
  }
}
