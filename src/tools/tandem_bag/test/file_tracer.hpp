// Runs a child from one system call that changes a file of a folder to the next (ptrace).
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>

/// Of a child: runs `work` and ends the process with its result, or with 99 after an exception.
[[noreturn]] void end_with(const std::function<int()> & work);

class FileTracer {
 public:
  /// Forks; the child ends with `work`.
  FileTracer(const std::filesystem::path & folder, const std::function<int()> & work);
  /// As kill().
  ~FileTracer();
  FileTracer(const FileTracer &) = delete;
  FileTracer & operator=(const FileTracer &) = delete;

  /// Whether a process may trace its child here.
  static bool is_possible();
  /// Runs to before the `count`th such call from here on, of whatever thread. False: the child has ended before.
  bool run(int count);
  /// SIGKILL where it stands. Returns when the child is gone.
  void kill();
  /// After run() was false: what the child has ended with, or -signal.
  int exit_status() const { return exit_status_; }

 private:
  bool is_change(pid_t thread) const;
  pid_t wait(int & status) const;

  const std::filesystem::path folder_;
  pid_t child_;
  pid_t stopped_;  // the thread that stands
  int exit_status_ = 0;
  bool is_gone_ = false;
};
