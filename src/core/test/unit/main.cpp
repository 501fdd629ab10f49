// Roles of other processes in the unit tests.
#include <unistd.h>

#include <iostream>

#include "harness.hpp"
#include "options.hpp"
#include "tandem/host_lock.hpp"

namespace tandem::test {
namespace {

/// Writes through a received message, with standard error where the test reads.
int scribbling(const std::vector<std::string> &) {
  dup2(STDOUT_FILENO, STDERR_FILENO);
  const auto participant = Participant::join(0);
  const auto in = std::move(*participant->create_subscription(subscription_options("/scribble")));
  wait_until([&] { return in->matched_count() == 1; });
  std::cout << "ready" << std::endl;
  Sample sample;
  wait_until([&] { return static_cast<bool>(sample = in->take()); });
  const_cast<char *>(static_cast<const char *>(sample.data()))[sample.size() / 2] = 1;
  return 0;
}

/// Holds a lock of the host until its input ends.
int hold_lock(const std::vector<std::string> &) {
  const auto lock = HostLock::hold("one");
  std::cout << (lock ? "ready" : lock.error().message) << std::endl;
  std::string line;
  std::getline(std::cin, line);
  return 0;
}

Role roles(const std::string & name) {
  if (name == "holder") {
    return hold_lock;
  }
  return name == "scribbling" ? Role(scribbling) : Role();
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char ** argv) { return tandem::test::run(argc, argv, tandem::test::roles); }
