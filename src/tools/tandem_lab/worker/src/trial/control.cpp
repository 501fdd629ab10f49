// See control.hpp.
#include "trial/control.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <system_error>

namespace lab {
namespace {

constexpr int kGraceMs = 10'000;

int checked(int result, const char * what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

}  // namespace

Control::Control() {
  // A runner that is gone must not end the process in the middle of a line.
  signal(SIGPIPE, SIG_IGN);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = checked(signalfd(-1, &set, SFD_CLOEXEC), "signalfd");
  ended_ = checked(eventfd(0, EFD_CLOEXEC), "eventfd");
  thread_ = std::thread([this] { run(); });
}

Control::~Control() {
  eventfd_write(ended_, 1);
  thread_.join();
  close(ended_);
  close(signals_);
}

void Control::run() {
  pollfd fds[] = {{STDIN_FILENO, POLLIN, 0}, {signals_, POLLIN, 0}, {ended_, POLLIN, 0}};
  for (;;) {
    if (poll(fds, 3, -1) < 0) continue;
    if (fds[2].revents != 0) return;
    if (fds[1].revents != 0 || (fds[0].revents != 0 && !read_words())) break;
  }
  stop();
  if (poll(&fds[2], 1, kGraceMs) != 0) return;
  fmt::print(stderr, "lab_peer: did not end within {} s after the end of its input or a signal\n", kGraceMs / 1000);
  _exit(1);
}

bool Control::read_words() {
  char buffer[256];
  const ssize_t size = read(STDIN_FILENO, buffer, sizeof(buffer));
  if (size <= 0) return size < 0 && errno == EINTR;
  unfinished_.append(buffer, static_cast<std::size_t>(size));
  for (std::size_t end = 0; (end = unfinished_.find('\n')) != std::string::npos; unfinished_.erase(0, end + 1)) {
    hear(std::string_view(unfinished_).substr(0, end));
  }
  return true;
}

void Control::hear(std::string_view line) {
  constexpr std::string_view kExpect = "expect ";
  if (line == "go") {
    const std::lock_guard lock(mutex_);
    go_ = true;
  } else if (line == "stop") {
    stop();
  } else if (std::uint64_t count = 0;
             line.starts_with(kExpect) &&
             std::from_chars(line.data() + kExpect.size(), line.data() + line.size(), count).ec == std::errc()) {
    expected_since_ = now_ns();
    expected_ = count;
  } else {
    fmt::print(stderr, "lab_peer: '{}' is not understood; words are go, expect N and stop\n", line);
  }
  notify();
}

void Control::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  notify();
}

void Control::notify() {
  changed_.notify_all();
  const std::lock_guard lock(mutex_);
  if (inlet_ != nullptr) inlet_->wake();
}

bool Control::wait_for_go() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return go_ || stopped_; });
  return !stopped_;
}

void Control::wait_for_stop() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopped_.load(); });
}

void Control::wake_with(Inlet * inlet) {
  const std::lock_guard lock(mutex_);
  inlet_ = inlet;
}

void emit(std::string_view event, std::int64_t at, const nlohmann::ordered_json & more) {
  nlohmann::ordered_json line{{"event", event}, {"at", at}};
  line.update(more);
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}

}  // namespace lab
