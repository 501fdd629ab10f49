// tandem_roudi: runs iox-roudi, the daemon of iceoryx, with pools for messages up to 64 MB.
//
//   tandem_roudi                 until it is interrupted
//   tandem_roudi --print-config  writes the configuration that it would use, for `iox-roudi -c FILE`
//   tandem_roudi --daemon        in the background, until no process has used iceoryx for 10 s
//   --vendor                     with the pools that iox-roudi has built in
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>

#include "pools.hpp"
#include "tmp_files.hpp"

namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr auto kUnusedLimit = std::chrono::seconds(10);
constexpr auto kEndLimit = std::chrono::seconds(50);  // RouDi gives its processes 45 s

volatile sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

/// By a process that has its socket beside its lock.
bool is_used() {
  const auto locks = iceoryx::lock_files();
  return std::any_of(locks.begin(), locks.end(), [](const fs::path & lock) {
    std::error_code error;
    return lock.stem() != "roudi" && fs::is_socket(lock.parent_path() / lock.stem(), error) && iceoryx::is_held(lock);
  });
}

std::string configuration() { return iceoryx::to_toml(iceoryx::pools_for(iceoryx::budget_here())); }

/// A file that iox-roudi reads while it starts.
std::string write_configuration() {
  char path[] = "/tmp/tandem_roudi_XXXXXX";
  const iceoryx::Descriptor file(mkstemp(path));
  const std::string text = configuration();
  if (!file || write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    std::perror("tandem_roudi: a file in /tmp");
    std::exit(1);
  }
  return path;
}

/// With its own pools where the file has no name.
[[noreturn]] void run_roudi(const std::string & file) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGINT, SIG_IGN);  // the parent passes on what ends it
  execlp("iox-roudi", "iox-roudi", "-l", "error", file.empty() ? nullptr : "-c", file.c_str(), nullptr);
  std::perror("tandem_roudi: iox-roudi (Debian package iceoryx)");
  _exit(127);
}

/// RouDi asks its processes to end before it does, and may be stuck behind one that was killed.
void end(pid_t roudi) {
  kill(roudi, SIGTERM);
  for (const auto limit = steady_clock::now() + kEndLimit; waitpid(roudi, nullptr, WNOHANG) == 0;) {
    if (steady_clock::now() > limit) {
      kill(roudi, SIGKILL);
      waitpid(roudi, nullptr, 0);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

/// Ends RouDi when nobody uses it. Whoever starts meanwhile waits for the lock, and then starts another.
bool end_if_unused(pid_t roudi) {
  const iceoryx::Descriptor lock = iceoryx::open_start_lock();
  const bool ends = flock(lock.get(), LOCK_EX | LOCK_NB) == 0 && !is_used();
  if (ends) {
    end(roudi);
  }
  return ends;
}

int watch(pid_t roudi, bool until_unused) {
  auto last_use = steady_clock::now();
  int status = 0;
  while (waitpid(roudi, &status, WNOHANG) == 0) {
    if (interrupted != 0) {
      end(roudi);
      return 0;
    }
    if (until_unused && is_used()) {
      last_use = steady_clock::now();
    }
    if (until_unused && steady_clock::now() - last_use > kUnusedLimit && end_if_unused(roudi)) {
      return 0;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void go_to_background() {
  if (daemon(0, 0) != 0) {
    _exit(1);
  }
  for (int fd = 3; fd < 256; ++fd) {
    close(fd);  // of whoever started us
  }
}

}  // namespace

int main(int argc, char ** argv) {
  std::set<std::string> words(argv + 1, argv + argc);
  const bool is_vendor = words.erase("--vendor") > 0;
  const bool is_daemon = words.erase("--daemon") > 0;
  const bool is_printing = words.erase("--print-config") > 0;
  words.erase("--tuned");
  if (!words.empty()) {
    std::fprintf(stderr, "usage: tandem_roudi [--print-config | --daemon] [--tuned | --vendor]\n");
    return words.count("--help") + words.count("-h") > 0 ? 0 : 2;
  }
  if (is_printing) {
    std::fputs(configuration().c_str(), stdout);
    return 0;
  }
  if (std::system("command -v iox-roudi > /dev/null") != 0) {
    std::fprintf(stderr, "tandem_roudi: there is no iox-roudi in PATH; install the Debian package iceoryx\n");
    return 127;
  }
  if (is_daemon) {
    go_to_background();
  }
  struct sigaction action {};
  action.sa_handler = interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  const std::string file = is_vendor ? std::string() : write_configuration();
  const pid_t roudi = fork();
  if (roudi == 0) {
    run_roudi(file);
  }
  const int result = roudi < 0 ? 1 : watch(roudi, is_daemon);
  unlink(file.c_str());
  return result;
}
