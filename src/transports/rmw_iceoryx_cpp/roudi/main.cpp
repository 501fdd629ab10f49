// tandem_roudi: runs iox-roudi, the daemon of iceoryx, with pools for messages up to 64 MB.
//
//   tandem_roudi                 until it is interrupted
//   tandem_roudi --print-config  writes the configuration that it would use, for `iox-roudi -c FILE`
//   tandem_roudi --daemon        in the background, until no process has used iceoryx for 10 s
//   --vendor                     with the pools that iox-roudi has built in
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>

#include "pools.hpp"
#include "start_lock.hpp"

namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr auto kUnusedLimit = std::chrono::seconds(10);
constexpr auto kEndLimit = std::chrono::seconds(50);  // RouDi gives its processes 45 s

volatile sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

struct Options {
  bool print = false;
  bool daemon = false;
  bool vendor = false;
};

/// Every process that uses iceoryx holds a lock in /tmp, named as its socket there is, whoever's program it is.
bool is_used() {
  std::error_code error;
  for (fs::directory_iterator entry("/tmp", error), end; !error && entry != end; entry.increment(error)) {
    const fs::path path = entry->path();
    std::error_code ignored;
    if (path.extension() != ".lock" || path.stem() == "roudi" ||
        !fs::is_socket(path.parent_path() / path.stem(), ignored)) {
      continue;
    }
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool held = fd < 0 ? errno == EACCES : flock(fd, LOCK_EX | LOCK_NB) != 0;
    if (fd >= 0) {
      close(fd);
    }
    if (held) {
      return true;
    }
  }
  return false;
}

/// A file that iox-roudi reads while it starts.
std::string write_configuration() {
  char path[] = "/tmp/tandem_roudi_XXXXXX";
  const int fd = mkstemp(path);
  const std::string text = iceoryx::to_toml(iceoryx::pools_for(iceoryx::budget_here()));
  if (fd < 0 || write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    std::perror("tandem_roudi: a file in /tmp");
    std::exit(1);
  }
  close(fd);
  return path;
}

[[noreturn]] void run_roudi(const Options & options, const std::string & configuration) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGINT, SIG_IGN);  // the parent passes on what ends it
  if (options.vendor) {
    execlp("iox-roudi", "iox-roudi", "-l", "error", nullptr);
  } else {
    execlp("iox-roudi", "iox-roudi", "-l", "error", "-c", configuration.c_str(), nullptr);
  }
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
  const int lock = iceoryx::open_start_lock();
  const bool ends = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && !is_used();
  if (ends) {
    end(roudi);
  }
  close(lock);
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

bool is_installed(const char * program) {
  const char * path = std::getenv("PATH");
  const std::string all = path != nullptr ? path : "";
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find(':', begin), all.size());
    if (access((all.substr(begin, end - begin) + "/" + program).c_str(), X_OK) == 0) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

void go_to_background() {
  if (fork() != 0) {
    _exit(0);
  }
  setsid();
  const int nothing = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) {
    dup2(nothing, fd);
  }
  for (int fd = 3; fd < 256; ++fd) {
    close(fd);  // of whoever started us
  }
  if (chdir("/") != 0) {
    _exit(1);
  }
}

Options parse(int argc, char ** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--print-config") {
      options.print = true;
    } else if (word == "--daemon") {
      options.daemon = true;
    } else if (word == "--vendor" || word == "--tuned") {
      options.vendor = word == "--vendor";
    } else {
      std::fprintf(stderr, "usage: tandem_roudi [--print-config | --daemon] [--tuned | --vendor]\n");
      std::exit(word == "--help" || word == "-h" ? 0 : 2);
    }
  }
  return options;
}

}  // namespace

int main(int argc, char ** argv) {
  const Options options = parse(argc, argv);
  if (options.print) {
    std::fputs(iceoryx::to_toml(iceoryx::pools_for(iceoryx::budget_here())).c_str(), stdout);
    return 0;
  }
  if (!is_installed("iox-roudi")) {
    std::fprintf(stderr, "tandem_roudi: there is no iox-roudi in PATH; install the Debian package iceoryx\n");
    return 127;
  }
  if (options.daemon) {
    go_to_background();
  }
  struct sigaction action {};
  action.sa_handler = interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  const std::string configuration = options.vendor ? std::string() : write_configuration();
  const pid_t roudi = fork();
  if (roudi == 0) {
    run_roudi(options, configuration);
  }
  const int result = roudi < 0 ? 1 : watch(roudi, options.daemon);
  unlink(configuration.c_str());
  return result;
}
