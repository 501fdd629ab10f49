#include "network.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bitset>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/host_lock.hpp"

extern char ** environ;

namespace rmw_tandem {
namespace {

namespace fs = std::filesystem;

void warn(const std::string & value, const std::string & message) {
  std::fprintf(stderr, "[WARN] [rmw_tandem_cpp]: TANDEM_NETWORK=%s: %s; topics stay on this host\n", value.c_str(),
               message.c_str());
}

/// tandem-gateway of the prefix that this library lies in.
fs::path gateway() {
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void *>(&want_network), &library) == 0 || library.dli_fname == nullptr) {
    return {};
  }
  std::error_code error;
  return fs::canonical(library.dli_fname, error).parent_path().parent_path() / "bin" / "tandem-gateway";
}

/// Whether a gateway of the domain holds its lock: then there is nothing to start. The name is its instance_name().
bool runs_already(std::uint32_t domain) { return tandem::HostLock::is_held("gateway-" + std::to_string(domain)); }

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

void start(std::uint32_t domain, const std::string & network) {
  if (network != "fastdds" && network != "cyclonedds") {
    warn(network, "there is no such network; set it to fastdds or cyclonedds, or unset it");
    return;
  }
  if (runs_already(domain)) {
    return;
  }
  const fs::path program = gateway();
  std::error_code error;
  if (!fs::exists(program, error)) {
    warn(network, "there is no " + program.string() + "; install the package tandem_gateway");
    return;
  }
  const int failure = run({program.string(), "--domain", std::to_string(domain), "--network", network,
                           "--exit-when-alone", "10", "--background"});
  if (failure != 0) {
    warn(network, program.string() + " cannot be started: " + std::strerror(failure));
  }
}

}  // namespace

void want_network(std::uint32_t domain) noexcept {
  constexpr std::size_t kDomains = 256;
  static std::mutex mutex;
  static std::bitset<kDomains> asked;
  const char * network = std::getenv("TANDEM_NETWORK");
  if (network == nullptr || *network == '\0' || domain >= kDomains) {
    return;
  }
  {
    const std::lock_guard lock(mutex);
    if (asked.test(domain)) {
      return;
    }
    asked.set(domain);
  }
  try {
    start(domain, network);
  } catch (const std::exception & error) {
    warn(network, error.what());
  }
}

}  // namespace rmw_tandem
