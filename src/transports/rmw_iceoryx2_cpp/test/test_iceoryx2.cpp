// What is particular to iceoryx2: paths that it cannot take, and what killed processes leave in /dev/shm.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "../../tandem_transport/test/transport_test.hpp"
#include "tandem/detail/make_message_type.hpp"
#include "tandem/transport.hpp"

namespace {

namespace fs = std::filesystem;
using tandem::test::eventually;
using namespace tandem::transport;  // NOLINT: a test of what it declares

constexpr std::uint32_t kDomain = 63;

struct Number {
  std::uint64_t value = 0;
};

const tandem::MessageType & number() {
  static const auto type = tandem::detail::make_message_type<Number>({"test/msg/Number", {1}, nullptr, 0});
  return type;
}

Transport & transport() {
  static auto * const instance = tandem::test::load_plugin(PLUGIN);
  return *instance;
}

/// Files with messages in /dev/shm. Other programs have other folders, and so other prefixes. (Of a process that is killed
/// while it connects iceoryx2 may leave the few KiB of the connection.)
long count_files() {
  const std::string root = std::string(getenv("TANDEM_SHM_DIR")) + "/rmw_iceoryx2_cpp-" + std::to_string(kDomain);
  const std::string prefix =
      "tandem_iceoryx2_" + std::to_string(std::hash<std::string>()(root + "/iceoryx2") % 1'000'000'000'000) + "_";
  return std::count_if(fs::directory_iterator("/dev/shm"), fs::directory_iterator(),
                       [&prefix](const auto & file) { return file.path().filename().string().starts_with(prefix); });
}

/// A process with an endpoint of its own, until it is killed.
pid_t start(EndpointKind kind) {
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const auto context = transport().create_context(kDomain);
    const auto pub = kind == EndpointKind::kPublisher ? context->create_publisher(number(), {{}, "/a", {}}) : nullptr;
    const auto sub =
        kind == EndpointKind::kSubscription ? context->create_subscription(number(), {{}, "/a", {}}) : nullptr;
    pause();
  }
  return pid;
}

TEST(Iceoryx2, KilledProcessesLeaveNoMessagesInSharedMemory) {
  const pid_t both[] = {start(EndpointKind::kPublisher), start(EndpointKind::kSubscription)};
  {
    const auto context = transport().create_context(kDomain);
    const auto pub = context->create_publisher(number(), {{}, "/a", {}});
    const auto sub = context->create_subscription(number(), {{}, "/a", {}});
    EXPECT_TRUE(eventually([&] { return pub->subscription_count() == 2 && sub->publisher_count() == 2; }));
    for (const pid_t pid : both) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
    EXPECT_TRUE(eventually([&] { return pub->subscription_count() == 1 && sub->publisher_count() == 1; }));
    const Number message{5};
    EXPECT_EQ(pub->publish(&message), PublishResult::kOk);
    EXPECT_GT(count_files(), 0);
    Sample sample;
    EXPECT_TRUE(eventually([&] { return static_cast<bool>(sample = sub->take()); }));
  }
  EXPECT_EQ(count_files(), 0);
}

TEST(Iceoryx2, FolderWithTooLongAPathIsAnError) {
  const std::string before = getenv("TANDEM_SHM_DIR");
  const std::string folder = before + "/" + std::string(100, 'x');
  fs::create_directory(folder);
  setenv("TANDEM_SHM_DIR", folder.c_str(), 1);
  try {
    transport().create_context(kDomain);
    ADD_FAILURE() << "it was taken";
  } catch (const Error & error) {
    EXPECT_NE(std::string(error.what()).find("too long"), std::string::npos) << error.what();
  }
  setenv("TANDEM_SHM_DIR", before.c_str(), 1);
}

}  // namespace

int main(int argc, char ** argv) {
  std::string folder = "/dev/shm/tandem_test_XXXXXX";
  setenv("TANDEM_SHM_DIR", mkdtemp(folder.data()), 1);
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  fs::remove_all(folder);
  return result;
}
