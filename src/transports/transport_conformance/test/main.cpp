// conformance --transport NAME [--check-limits] [gtest's options]: the suite over one transport, in a network and a
//   /dev/shm of its own where the kernel allows that.
// conformance --transport NAME --describe: what the transport declares, as JSON.
// conformance --transport NAME --peer ROLE ...: another process of a test (peer.hpp).
//
// Exit status 77: this transport is not built here.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "conformance.hpp"
#include "isolation.hpp"
#include "peer.hpp"
#include "tandem/plugin.hpp"

namespace {

constexpr int kNotBuilt = 77;

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

bool is_built(const std::string & name) {
  const auto names = tandem::transport::available();
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether the option is among the words; it is removed.
bool remove_option(std::vector<std::string> & words, const char * option) { return std::erase(words, option) > 0; }

int run_tests(std::vector<std::string> words) {
  const std::string name = words[1];
  const bool is_checking = remove_option(words, "--check-limits");
  if (const std::string missing = conformance::isolate(); !missing.empty()) {
    std::cout << "conformance: runs beside others, with " << missing << '\n';
  }
  const SharedMemoryFolder folder;
  conformance::choose_transport(name);
  std::vector<char *> arguments;
  for (std::string & word : words) {
    arguments.push_back(word.data());
  }
  int count = static_cast<int>(arguments.size());
  testing::InitGoogleTest(&count, arguments.data());
  if (is_checking) {
    conformance::check_limits();
    [[maybe_unused]] const int failures = RUN_ALL_TESTS();
    return conformance::report_limits_in_vain() == 0 ? 0 : 1;
  }
  return RUN_ALL_TESTS();
}

int run(const std::vector<std::string> & words) {
  if (!is_built(words[1])) {
    std::cout << "conformance: " << words[1] << " is not built here; its README says what it needs\n";
    return kNotBuilt;
  }
  const std::string mode = words.size() > 2 ? words[2] : "";
  if (mode == "--describe") {
    conformance::isolate();  // what a transport can do may depend on a daemon
    conformance::choose_transport(words[1]);
    conformance::describe(std::cout);
    return 0;
  }
  if (mode == "--peer" && words.size() > 3) {
    conformance::choose_transport(words[1]);
    return conformance::run_peer({words.begin() + 3, words.end()});
  }
  return run_tests(words);
}

}  // namespace

int main(int argc, char ** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2 || words[0] != "--transport") {
    std::cerr << "usage: conformance --transport NAME [--describe|--check-limits] [gtest options]\n";
    return 2;
  }
  try {
    add_test_transports();
    return run(words);
  } catch (const std::exception & error) {
    std::cerr << "conformance: " << error.what() << '\n';
    return 1;
  }
}
