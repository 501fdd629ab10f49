#include "program/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace bench {
namespace {

volatile std::sig_atomic_t caught_signal = 0;
sigset_t mask_before;

void note_signal(int signal) { caught_signal = signal; }

/// After fork, in the child: becomes the worker or ends.
[[noreturn]] void become_worker(int input, int output, std::vector<char *> arguments, pid_t parent) {
  setpgid(0, 0);  // Ctrl-C is for the parent alone, which then ends its children
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) {
    _exit(1);
  }
  signal(SIGPIPE, SIG_DFL);
  for (const int caught : {SIGINT, SIGTERM, SIGHUP}) {
    signal(caught, SIG_DFL);
  }
  sigprocmask(SIG_SETMASK, &mask_before, nullptr);
  if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0) {
    execv("/proc/self/exe", arguments.data());
  }
  _exit(127);
}

}  // namespace

void catch_interrupts() {
  signal(SIGPIPE, SIG_IGN);
  sigset_t blocked;
  sigemptyset(&blocked);
  struct sigaction action = {};
  action.sa_handler = note_signal;
  for (const int caught : {SIGINT, SIGTERM, SIGHUP}) {
    sigaddset(&blocked, caught);
    sigaction(caught, &action, nullptr);
  }
  sigprocmask(SIG_BLOCK, &blocked, &mask_before);
}

Child::Child(const std::string & name, const std::vector<std::string> & arguments) : name_(name) {
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  if (pipe2(to.data(), O_CLOEXEC) != 0 || pipe2(from.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe");
  }
  std::vector<char *> words = {const_cast<char *>("bench")};
  for (const std::string & argument : arguments) {
    words.push_back(const_cast<char *>(argument.c_str()));
  }
  words.push_back(nullptr);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    become_worker(to[0], from[1], words, parent);
  }
  close(to[0]);
  close(from[1]);
  input_ = to[1];
  output_ = from[0];
  if (pid_ < 0) {
    throw std::system_error(errno, std::generic_category(), "fork");
  }
}

Child::Child(Child && other) noexcept
    : name_(std::move(other.name_)),
      pid_(std::exchange(other.pid_, -1)),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)),
      buffer_(std::move(other.buffer_)) {}

Child::~Child() {
  if (input_ >= 0) {
    close(input_);
    close(output_);
  }
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

void Child::send(const std::string & line) {
  const std::string text = line + "\n";
  if (write(input_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("worker " + name_ + " has ended");
  }
}

std::string Child::receive(std::chrono::seconds patience) {
  for (;;) {
    const std::size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      if (line.rfind("error ", 0) == 0) {
        throw std::runtime_error("worker " + name_ + ": " + line.substr(6));
      }
      return line;
    }
    wait_for_input(patience);
    std::array<char, 4096> chunk{};
    const ssize_t count = read(output_, chunk.data(), chunk.size());
    if (count <= 0) {
      throw std::runtime_error("worker " + name_ + " has ended");
    }
    buffer_.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

void Child::wait_for_input(std::chrono::seconds patience) const {
  pollfd source{output_, POLLIN, 0};
  const timespec timeout{patience.count(), 0};
  // The only place where signals are let in, so that none is lost between a look and a sleep.
  const int ready = ppoll(&source, 1, &timeout, &mask_before);
  const int reason = errno;
  if (caught_signal != 0) {
    throw Interrupted(caught_signal);
  }
  if (ready == 0) {
    throw std::runtime_error("worker " + name_ + " is silent");
  }
  if (ready < 0 && reason != EINTR) {
    throw std::system_error(reason, std::generic_category(), "ppoll");
  }
}

}  // namespace bench
