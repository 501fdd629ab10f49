// Roles of other processes in the unit tests.
#include <unistd.h>

#include <iostream>

#include "agent.hpp"
#include "rings.hpp"
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

/// Reads "topic" and "other"; when asked, marks all blocks of "topic" as held.
int hold_every_block(const std::vector<std::string> &) {
  const LogCapture log;
  const auto participant = Participant::join(0);
  const auto topic = std::move(*participant->create_subscription(subscription_options("topic")));
  const auto other = std::move(*participant->create_subscription(subscription_options("other")));
  wait_until([&] { return topic->matched_count() == 1 && other->matched_count() == 1; });
  std::cout << "ready" << std::endl;
  LaneRecord * const lane = lane_of(*topic);
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line == "hold") {
      for (std::uint32_t word = 0; word < lane->terms.max_blocks / 64; ++word) {
        lane->held[word] = ~std::uint64_t{0};
      }
      std::cout << "ok" << std::endl;
    } else if (line == "await line") {
      wait_until([&] { return !log.lines().empty(); });
      std::cout << (log.lines().empty() ? "none" : log.lines()[0]) << std::endl;
    } else if (line == "release") {
      for (std::uint32_t word = 0; word < lane->terms.max_blocks / 64; ++word) {
        lane->held[word] = 0;
      }
      const auto begins_anew = [&] { return lane_of(*topic) != lane && topic->matched_count() == 1; };
      std::cout << (wait_until(begins_anew) ? "matched" : "no") << std::endl;
    } else {
      Subscription & in = line == "take other" ? *other : *topic;
      std::cout << (wait_until([&] { return static_cast<bool>(in.take()); }) ? "taken" : "nothing") << std::endl;
    }
  }
  return 0;
}

/// Publishes, when asked, a message whose slot is damaged as the argument says.
int damaging(const std::vector<std::string> & arguments) {
  const auto participant = Participant::join(0);
  const auto out = std::move(*participant->create_publisher(publisher_options("topic")));
  wait_until([&] { return out->matched_count() == 1; });
  std::cout << "ready" << std::endl;
  std::string line;
  std::getline(std::cin, line);
  auto * slots = Process::instance().region().at<Slot>(ring_of(*out)->slots);
  auto loan = out->borrow(64);
  if (!loan || !out->publish(std::move(*loan))) {
    return 1;
  }
  // The reader looks only once it is told to.
  const std::string & what = arguments[0];
  if (what == "offset") {
    slots[0].offset = std::uint64_t{1} << 50;
  } else if (what == "size") {
    slots[0].size = std::uint64_t{1} << 50;
  } else if (what == "overflow") {
    slots[0].size = ~std::uint64_t{0} - 10;
  } else if (what == "header") {
    slots[0].offset = 0;
  } else if (what == "block") {
    slots[0].block = std::uint64_t{1} << 40;
  } else {
    slots[0].size = 7;
  }
  std::cout << "published" << std::endl;
  std::getline(std::cin, line);
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
  if (name == "scribbling") {
    return scribbling;
  }
  if (name == "greedy") {
    return hold_every_block;
  }
  return name == "damaging" ? Role(damaging) : Role();
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char ** argv) { return tandem::test::run(argc, argv, tandem::test::roles); }
