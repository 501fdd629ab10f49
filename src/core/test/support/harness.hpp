// What the core's tests share: a folder of their own, other processes, waiting for a condition, caught log lines.
//
// Other processes are this same program, executed with --role=NAME; they die with the test (PR_SET_PDEATHSIG). Nothing
// is synchronised by sleeping: tests wait for conditions, with a limit that only a hang reaches.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

/// 1 under the address or thread sanitizer, else 0.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define TANDEM_SANITIZED 1
#else
#define TANDEM_SANITIZED 0
#endif

namespace tandem::test {

/// A fresh TANDEM_SHM_DIR below /dev/shm, removed with everything in it; the one before is set again.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder &) = delete;
  Folder & operator=(const Folder &) = delete;
  const std::string & path() const { return path_; }
  /// Files in the folder of a domain whose names end so.
  std::vector<std::string> files(unsigned domain, const std::string & ending) const;

 private:
  std::string path_;
  std::string before_;
};

/// True as soon as `condition` is; false after `seconds`.
bool wait_until(const std::function<bool()> & condition, double seconds = 60);

/// A child that runs a role of this binary. Killed and reaped on destruction.
class Child {
 public:
  explicit Child(const std::string & role, const std::vector<std::string> & arguments = {});
  ~Child();
  Child(const Child &) = delete;
  Child & operator=(const Child &) = delete;

  pid_t pid() const { return pid_; }
  /// Sends one line.
  void tell(const std::string & line);
  /// Sends a line and waits for the answering line; "" when the child is gone or silent for too long.
  std::string ask(const std::string & line);
  /// The next line that the child prints.
  std::string read_line(double seconds = 60);
  void signal(int number) const;
  /// SIGKILL, and waits until the process is gone.
  void kill();
  /// Closes its input and waits for its end. \return the exit status, or -signal.
  int finish(double seconds = 60);

 private:
  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  int status_ = -1;
  std::string pending_;
};

/// Catches the core's log lines of this process while it lives.
class LogCapture {
 public:
  LogCapture();
  ~LogCapture();
  static std::vector<std::string> lines();
  /// How many lines contain all of `parts`.
  int count(const std::vector<std::string> & parts) const;
};

/// TANDEM_STRESS_SCALE (1 by default) times what the sanitizer or emulator permits.
double scale();
bool is_emulated();
/// Neither the thread sanitizer nor the emulator can do that when the parent had several.
bool may_start_threads_after_fork();
/// A seed for random tests: TANDEM_TEST_SEED or a fresh one; printed.
unsigned seed();

/// Ends the process with `state()` on stderr when beat() has not been called for `seconds`.
class Watchdog {
 public:
  Watchdog(std::string name, std::function<std::string()> state, double seconds = 60);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog & operator=(const Watchdog &) = delete;
  void beat();

 private:
  struct State;
  State * state_;
};

/// Roles of one test program besides "user" (function.hpp): returns the exit status.
using Role = std::function<int(const std::vector<std::string> & arguments)>;
/// The main of every test program.
int run(int argc, char ** argv, const std::function<Role(const std::string & name)> & roles = {});

}  // namespace tandem::test
