// See child.hpp.
#include "experiment/child.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace performance_test {

static_assert(sizeof(ChildReport) <= PIPE_BUF, "reports are written at once or not at all");

PublishingChild::PublishingChild(const std::vector<std::string> & arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  std::vector<std::string> all = {"perf_test"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  // Of repeated options the last one counts; ROS arguments end the list.
  const std::vector<std::string> own = {"-e", "INTER_THREAD", "-s", "0", "--report-fd", std::to_string(ends[1])};
  all.insert(std::find(all.begin(), all.end(), "--ros-args"), own.begin(), own.end());
  std::vector<char *> argv;
  for (std::string & argument : all) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    fcntl(ends[1], F_SETFD, 0);
    if (getppid() == parent) execv(program.c_str(), argv.data());
    _exit(127);
  }
  close(ends[1]);
  pipe_ = ends[0];
  fcntl(pipe_, F_SETFL, O_NONBLOCK);
}

PublishingChild::~PublishingChild() {
  if (exit_status_ < 0) {
    kill(pid_, SIGKILL);
    reap();
  }
  close(pipe_);
}

void PublishingChild::reap() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  exit_status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

bool PublishingChild::collect(Totals & totals, rusage & usage) {
  if (exit_status_ >= 0) return false;
  ChildReport report;
  for (;;) {
    const ssize_t size = ::read(pipe_, &report, sizeof(report));
    if (size == static_cast<ssize_t>(sizeof(report))) {
      totals.merge(report.totals);
      usage = report.usage;
    } else if (size == 0) {
      reap();
      return false;
    } else if (size >= 0 || errno != EINTR) {
      return true;
    }
  }
}

void PublishingChild::finish(Totals & totals, rusage & usage) {
  if (exit_status_ >= 0) return;
  kill(pid_, SIGINT);
  const std::int64_t deadline = now_ns() + 30'000'000'000;
  while (collect(totals, usage) && now_ns() < deadline) {
    pollfd fd{pipe_, POLLIN, 0};
    poll(&fd, 1, 100);
  }
}

void send_report(int report_fd, const ChildReport & report) {
  // A parent that is gone has no use for it.
  while (write(report_fd, &report, sizeof(report)) < 0 && errno == EINTR) {
  }
}

}  // namespace performance_test
