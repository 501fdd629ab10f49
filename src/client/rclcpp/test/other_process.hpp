// A process beside the test's own.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace test {

/// Runs a disabled test of this program in a process of its own, until it is killed.
class OtherProcess {
 public:
  explicit OtherProcess(const std::string & test) {
    std::string arguments[] = {"test", "--gtest_filter=" + test, "--gtest_also_run_disabled_tests"};
    char * const pointers[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(), nullptr};
    EXPECT_EQ(posix_spawn(&pid_, "/proc/self/exe", nullptr, nullptr, pointers, environ), 0);
  }
  OtherProcess(const OtherProcess &) = delete;
  OtherProcess & operator=(const OtherProcess &) = delete;
  ~OtherProcess() { kill(); }

  void kill() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    EXPECT_EQ(waitpid(pid_, nullptr, 0), pid_);
    pid_ = 0;
  }

 private:
  pid_t pid_ = 0;
};

}  // namespace test
