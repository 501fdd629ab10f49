#include "harness.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>

#include "function.hpp"
#include "tandem/log.hpp"

extern char ** environ;

namespace tandem::test {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

constexpr bool kSanitized = TANDEM_SANITIZED;
#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadSanitizer = true;
#else
constexpr bool kThreadSanitizer = false;
#endif

std::mutex log_mutex;
std::vector<std::string> & log_lines = *new std::vector<std::string>;  // housekeeping logs until the very end

}  // namespace

// ---- folder --------------------------------------------------------------------------------------------------------

Folder::Folder() {
  std::string path = "/dev/shm/tandem_test_XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    std::perror("mkdtemp in /dev/shm");
    std::exit(2);
  }
  path_ = path;
  if (const char * before = std::getenv("TANDEM_SHM_DIR")) {
    before_ = before;
  }
  setenv("TANDEM_SHM_DIR", path_.c_str(), 1);
}

Folder::~Folder() {
  if (before_.empty()) {
    unsetenv("TANDEM_SHM_DIR");
  } else {
    setenv("TANDEM_SHM_DIR", before_.c_str(), 1);
  }
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> Folder::files(unsigned domain, const std::string & ending) const {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto & entry : std::filesystem::directory_iterator(path_ + "/" + std::to_string(domain), error)) {
    const std::string name = entry.path().string();
    if (name.size() >= ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0) {
      found.push_back(name);
    }
  }
  return found;
}

bool wait_until(const std::function<bool()> & condition, double seconds) {
  const auto end = after(seconds);
  for (int i = 0; !condition(); ++i) {
    if (Clock::now() > end) {
      return condition();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(i < 20 ? 1 : 10));  // between looks, not for timing
  }
  return true;
}

// ---- children ------------------------------------------------------------------------------------------------------

Child::Child(const std::string & role, const std::vector<std::string> & arguments) {
  int in[2];
  int out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
    std::perror("pipe2");
    std::exit(2);
  }
  std::vector<std::string> words;
  if (const char * emulator = std::getenv("TANDEM_TEST_EMULATOR")) {
    std::istringstream stream(emulator);
    for (std::string word; stream >> word;) {
      words.push_back(word);
    }
  }
  words.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  words.push_back("--role=" + role);
  words.push_back("--parent=" + std::to_string(getpid()));
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char *> argv;
  for (std::string & word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  if (const int error = posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ)) {
    std::fprintf(stderr, "cannot start %s: %s\n", argv[0], std::strerror(error));
    std::exit(2);
  }
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  to_ = in[1];
  from_ = out[0];
}

Child::~Child() {
  kill();
  if (to_ >= 0) {
    ::close(to_);
  }
  ::close(from_);
}

void Child::tell(const std::string & line) {
  const std::string text = line + "\n";
  if (write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    ADD_FAILURE() << "process " << pid_ << " does not listen to '" << line << "'";
  }
}

std::string Child::ask(const std::string & line) {
  tell(line);
  const std::string answer = read_line();
  if (answer.empty()) {
    ADD_FAILURE() << "process " << pid_ << " gave no answer to '" << line << "'";
  }
  return answer;
}

std::string Child::read_line(double seconds) {
  const auto end = after(seconds);
  for (;;) {
    if (const auto at = pending_.find('\n'); at != std::string::npos) {
      std::string line = pending_.substr(0, at);
      pending_.erase(0, at + 1);
      return line;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd ready{from_, POLLIN, 0};
    if (left < 0 || poll(&ready, 1, static_cast<int>(left)) == 0) {
      return {};
    }
    char text[4096];
    const ssize_t got = read(from_, text, sizeof text);
    if (got == 0) {
      return {};
    }
    if (got > 0) {
      pending_.append(text, static_cast<std::size_t>(got));
    }
  }
}

void Child::signal(int number) const {
  if (pid_ > 0) {
    ::kill(pid_, number);
  }
}

void Child::kill() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::kill(pid_, SIGCONT);
    waitpid(pid_, &status_, 0);
    pid_ = -1;
  }
}

int Child::finish(double seconds) {
  if (to_ >= 0) {
    ::close(to_);
    to_ = -1;
  }
  const bool ended = pid_ > 0 && wait_until([this] { return waitpid(pid_, &status_, WNOHANG) == pid_; }, seconds);
  if (!ended) {
    ADD_FAILURE() << "process " << pid_ << " does not end";
    kill();
    return -SIGKILL;
  }
  pid_ = -1;
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
}

// ---- log, scale, seed ----------------------------------------------------------------------------------------------

LogCapture::LogCapture() {
  {
    const std::lock_guard lock(log_mutex);
    log_lines.clear();
  }
  set_log_sink([](LogLevel level, const std::string & line) {
    const std::lock_guard lock(log_mutex);
    if (level >= LogLevel::kWarning) {
      log_lines.push_back(line);
    }
  });
}

LogCapture::~LogCapture() { set_log_sink({}); }

std::vector<std::string> LogCapture::lines() {
  const std::lock_guard lock(log_mutex);
  return log_lines;
}

int LogCapture::count(const std::vector<std::string> & parts) const {
  int found = 0;
  for (const std::string & line : lines()) {
    bool all = true;
    for (const std::string & part : parts) {
      all = all && line.find(part) != std::string::npos;
    }
    found += all ? 1 : 0;
  }
  return found;
}

bool is_emulated() { return std::getenv("TANDEM_TEST_EMULATOR") != nullptr; }

bool may_start_threads_after_fork() { return !kThreadSanitizer && !is_emulated(); }

double scale() {
  double scale = 1;
  if (const char * text = std::getenv("TANDEM_STRESS_SCALE")) {
    scale = std::strtod(text, nullptr);
  }
  return scale / (kSanitized ? 10 : 1) / (is_emulated() ? 20 : 1);
}

unsigned seed() {
  unsigned seed = std::random_device()();
  if (const char * text = std::getenv("TANDEM_TEST_SEED")) {
    seed = static_cast<unsigned>(std::strtoul(text, nullptr, 10));
  }
  std::cout << "seed " << seed << " (TANDEM_TEST_SEED repeats it)" << std::endl;
  return seed;
}

// ---- watchdog ------------------------------------------------------------------------------------------------------

struct Watchdog::State {
  std::string name;
  std::function<std::string()> describe;
  double limit;
  std::atomic<std::uint64_t> beats = 0;
  std::atomic<bool> done = false;
  std::thread thread;
};

Watchdog::Watchdog(std::string name, std::function<std::string()> describe, double seconds) : state_(new State) {
  state_->name = std::move(name);
  state_->describe = std::move(describe);
  state_->limit = is_emulated() ? seconds * 4 : seconds;
  state_->thread = std::thread([state = state_] {
    std::uint64_t seen = 0;
    auto end = after(state->limit);
    while (!state->done) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (const std::uint64_t now = state->beats; now != seen) {
        seen = now;
        end = after(state->limit);
      } else if (Clock::now() > end) {
        std::fprintf(stderr, "%s makes no progress: %s\n", state->name.c_str(), state->describe().c_str());
        std::fflush(nullptr);
        std::abort();
      }
    }
  });
}

Watchdog::~Watchdog() {
  state_->done = true;
  state_->thread.join();
  delete state_;
}

void Watchdog::beat() { state_->beats.fetch_add(1, std::memory_order_relaxed); }

// ---- main ----------------------------------------------------------------------------------------------------------

int run(int argc, char ** argv, const std::function<Role(const std::string & name)> & roles) {
  signal(SIGPIPE, SIG_IGN);
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.rfind("--role=", 0) != 0) {
    testing::InitGoogleTest(&argc, argv);
    // One presence for as long as the tests run: the tests' own come and go, while the region keeps a name.
    const Folder folder;
    const auto keeper = Participant::join(0);
    return RUN_ALL_TESTS();
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::string parent = argc > 2 ? argv[2] : "";
  if (!is_emulated() && parent != "--parent=" + std::to_string(getppid())) {
    return 3;  // the test has ended already
  }
  const std::string name = first.substr(7);
  const std::vector<std::string> arguments(argv + 3, argv + argc);
  if (name == "user") {
    return serve();
  }
  const Role role = roles ? roles(name) : Role{};
  if (!role) {
    std::fprintf(stderr, "no role %s\n", name.c_str());
    return 3;
  }
  return role(arguments);
}

}  // namespace tandem::test
