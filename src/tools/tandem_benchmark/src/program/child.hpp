// A worker process of this run: started from this very program, spoken to by lines.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// The user wants the run to end.
struct Interrupted : std::runtime_error {
  explicit Interrupted(int signal) : std::runtime_error("interrupted"), signal(signal) {}
  int signal;
};

/// From here on SIGINT, SIGTERM and SIGHUP are seen only by Child::receive, which throws Interrupted.
void catch_interrupts();

/// Move-only. The process is killed with this object, and by the kernel when this process ends.
class Child {
 public:
  /// Starts this program with `arguments`; the line protocol runs over its stdin and stdout.
  explicit Child(const std::string & name, const std::vector<std::string> & arguments);
  Child(Child && other) noexcept;
  Child & operator=(Child && other) = delete;
  ~Child();

  void send(const std::string & line);
  /// The next line. Throws std::runtime_error when the process ends, says "error …" or is silent for `patience`.
  std::string receive(std::chrono::seconds patience);

 private:
  void wait_for_input(std::chrono::seconds patience) const;

  std::string name_;
  pid_t pid_ = -1;
  int input_ = -1;   ///< its stdin
  int output_ = -1;  ///< its stdout
  std::string buffer_;
};

}  // namespace bench
