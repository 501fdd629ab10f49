#include "network.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/background_thread.hpp"
#include "tandem/host_lock.hpp"

extern char ** environ;

namespace rmw_tandem {
namespace {

namespace fs = std::filesystem;

// Between two looks whether the gateway lives; longer for some time after it did not, should it fall again and again.
constexpr std::chrono::milliseconds kPause{1000};
constexpr std::chrono::milliseconds kLongestPause{60000};

void warn(const std::string & value, const std::string & message) {
  std::fprintf(stderr, "[WARN] [rmw_tandem_cpp]: TANDEM_NETWORK=%s: %s; topics stay on this host\n", value.c_str(),
               message.c_str());
}

/// tandem-gateway of the prefix that this library lies in.
fs::path gateway() {
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void *>(&warn), &library) == 0 || library.dli_fname == nullptr) {
    return {};
  }
  std::error_code error;
  return fs::canonical(library.dli_fname, error).parent_path().parent_path() / "bin" / "tandem-gateway";
}

/// Of the lock that the domain's gateway holds: its instance_name().
std::string lock_name(std::uint32_t domain) { return "gateway-" + std::to_string(domain); }

/// Runs the program, which leaves a process of its own behind and ends at once. \return 0 or an error number.
int run(std::vector<std::string> words) {
  std::vector<char *> arguments;
  for (std::string & word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  std::vector<char *> environment;
  for (char ** one = environ; *one != nullptr; ++one) {
    if (!std::string_view(*one).starts_with("TANDEM_NETWORK=")) {  // it must not start another
      environment.push_back(*one);
    }
  }
  environment.push_back(nullptr);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addclosefrom_np(&files,
                                           STDERR_FILENO + 1);  // it lives longer than who waits for a pipe's end
  pid_t child = -1;
  const int error = posix_spawn(&child, arguments[0], &files, &attributes, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error == 0) {
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  return error;
}

/// \return whether there is now a gateway, or will be.
bool start(std::uint32_t domain, const std::string & network) {
  if (tandem::HostLock::is_held(lock_name(domain))) {
    return true;
  }
  const fs::path program = gateway();
  std::error_code error;
  if (!fs::exists(program, error)) {
    warn(network, "there is no " + program.string() + "; install the package tandem_gateway");
    return false;
  }
  const int failure = run({program.string(), "--domain", std::to_string(domain), "--network", network,
                           "--exit-when-alone", "10", "--background"});
  if (failure != 0) {
    warn(network, program.string() + " cannot be started: " + std::strerror(failure));
  }
  return failure == 0;
}

/// Up to half of the pause more, so that the processes of a host do not all start one at the same time.
std::chrono::milliseconds spread(std::chrono::milliseconds pause) {
  thread_local std::minstd_rand random(std::random_device{}());
  return pause + pause * static_cast<int>(random() % 1000) / 2000;
}

}  // namespace

Network::~Network() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  ending_.notify_all();
  if (watching_.joinable()) {
    watching_.join();
  }
}

void Network::want() noexcept {
  const char * network = std::getenv("TANDEM_NETWORK");
  if (network == nullptr || *network == '\0') {
    return;
  }
  if (is_wanted_.exchange(true)) {
    return;
  }
  try {
    const std::string name = network;
    if (name != "fastdds" && name != "cyclonedds" && name != "zenoh") {
      warn(name, "there is no such network; set it to fastdds, cyclonedds or zenoh, or unset it");
    } else if (start(domain_, name)) {
      watching_ = tandem::start_background_thread("tandem-network", [this, name] { watch(name); });
    }
  } catch (const std::exception & error) {
    warn(network, error.what());
  }
}

void Network::watch(const std::string & network) {
  std::chrono::milliseconds pause = kPause;
  for (std::unique_lock lock(mutex_); !ending_.wait_for(lock, spread(pause), [this] { return is_ending_; });) {
    const bool is_gone = tandem::HostLock::is_orphaned(lock_name(domain_));
    pause = is_gone ? std::min(2 * pause, kLongestPause) : std::max(pause - kPause, kPause);
    if (is_gone && !start(domain_, network)) {
      return;
    }
  }
}

}  // namespace rmw_tandem
