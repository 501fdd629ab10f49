#include "roudi.hpp"

#include <dlfcn.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "tandem/kit/tuning.hpp"
#include "tandem/kit/unix_address.hpp"
#include "tandem/transport.hpp"
#include "tmp_files.hpp"

extern char ** environ;

namespace iceoryx {
namespace {

constexpr const char * kSocket = "/tmp/roudi";  // iceoryx's own, for every user and domain
constexpr auto kStartLimit = std::chrono::seconds(30);

[[noreturn]] void fail(const std::string & what) { throw tandem::transport::Error(std::string(kName) + ": " + what); }

bool is_asked_for() {
  const char * const value = std::getenv("TANDEM_ICEORYX_ROUDI");
  if (value == nullptr || *value == '\0') {
    return false;
  }
  if (std::strcmp(value, "start") != 0) {
    fail("TANDEM_ICEORYX_ROUDI is '" + std::string(value) + "'; the only value is 'start'");
  }
  return true;
}

/// <prefix>/lib/rmw_iceoryx_cpp/tandem_roudi, beside this library.
std::string starter() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void *>(&roudi_identity), &info) == 0 || info.dli_fname == nullptr) {
    return {};
  }
  std::error_code error;
  return std::filesystem::canonical(info.dli_fname, error).parent_path() / kName / "tandem_roudi";
}

/// Starts the daemon, which detaches itself. Waits until it listens.
void start() {
  using tandem::transport::Tuning;
  std::string program = starter();
  std::string mode = "--daemon";
  std::string pools = tandem::transport::tuning() == Tuning::kVendor ? "--vendor" : "--tuned";
  char * const arguments[] = {program.data(), mode.data(), pools.data(), nullptr};
  pid_t child = -1;
  if (const int error = posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ); error != 0) {
    fail("RouDi cannot be started: " + program + ": " + std::strerror(error));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fail("RouDi cannot be started: there is no iox-roudi in PATH (install the Debian package iceoryx)");
  }
  const auto end = std::chrono::steady_clock::now() + kStartLimit;
  while (roudi_identity() == 0) {
    if (std::chrono::steady_clock::now() > end) {
      fail("RouDi was started and does not listen; run `" + program + "` in a terminal to see why");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace

Descriptor connect_to_roudi() {
  Descriptor line(socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const sockaddr_un where = tandem::transport::unix_address(kSocket);
  const bool is_there = connect(line.get(), reinterpret_cast<const sockaddr *>(&where), sizeof where) == 0;
  return is_there ? std::move(line) : Descriptor();
}

std::uint64_t roudi_identity() {
  struct stat file {};
  // The file of one that was killed stays; nobody listens there.
  if (stat(kSocket, &file) != 0 || !connect_to_roudi()) {
    return 0;
  }
  return file.st_ino * 1'000'003 + static_cast<std::uint64_t>(file.st_ctim.tv_nsec) + 1;
}

Descriptor provide_roudi() {
  const bool asked_for = is_asked_for();
  Descriptor lock = open_start_lock();
  flock(lock.get(), LOCK_EX);  // short: whoever has it looks at RouDi, starts it, or ends it
  if (roudi_identity() == 0) {
    if (!asked_for) {
      fail(
          "RouDi, the daemon of iceoryx, is not running. Start `iox-roudi`, or better `ros2 run rmw_iceoryx_cpp "
          "tandem_roudi` (memory for messages up to 64 MB), or set TANDEM_ICEORYX_ROUDI=start");
    }
    start();
  }
  return lock;
}

}  // namespace iceoryx
