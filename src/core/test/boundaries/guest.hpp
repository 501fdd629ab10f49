// Agents (agent.hpp) beyond some boundary: of another user, in another container, with a clock of their own.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "agent.hpp"

namespace tandem::test {

class Guest {
 public:
  explicit Guest(const std::string & role, const std::vector<std::string> & arguments = {}) : child_(role, arguments) {}
  std::string operator()(const std::string & line) { return child_.ask(line); }
  Child & child() { return child_; }
  bool until(const std::string & line, const std::string & wanted) {
    return wait_until([&] { return (*this)(line) == wanted; });
  }

 private:
  Child child_;
};

/// Role "user": arguments uid, gid, umask (octal), supplementary groups. Needs root.
int run_as_user(const std::vector<std::string> & arguments);
/// Users, and a group, that this machine does not have: others with every run of a test.
uid_t some_user(unsigned number);

/// Role "container": an agent that shares nothing but TANDEM_SHM_DIR, which has another path there, and is process 1.
/// Arguments: "no_proc" · "time=SECONDS" of a monotonic clock that is ahead. Its first line is "ready", or why not.
int run_container(const std::vector<std::string> & arguments);

/// Role "clock": an agent with two more commands: "step SECONDS" sets its CLOCK_REALTIME, "restless" has it jump by hours
/// to and fro from then on.
int run_clocked(const std::vector<std::string> & arguments);

/// Role "fork": does what its first argument says (fork_test.cpp).
int run_forks(const std::vector<std::string> & arguments);

/// rm -rf, as far as nobody makes it again meanwhile.
void remove_all(const std::string & path);

/// Sends `count` messages of `size` bytes from "p" of one agent to "s" of the other: every one arrives, in order.
template <class From, class To>
bool flows(From & from, To & to, int count = 5, int size = 10000) {
  return from("publish p " + std::to_string(count) + " " + std::to_string(size)) == "ok" &&
         to("await s " + std::to_string(count)) == "ok";
}

/// "p" of one agent publishes to "s" of the other.
template <class From, class To>
bool connect(From & from, To & to, const std::string & topic = "topic", const std::string & options = "depth=100") {
  return from("pub p " + topic + " " + options) == "ok" && to("sub s " + topic + " " + options) == "ok" &&
         from.until("matched p", "1") && to.until("matched s", "1");
}

constexpr bool is_sanitized() { return TANDEM_SANITIZED; }

}  // namespace tandem::test
