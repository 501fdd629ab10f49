// What the stress tests publish and take with: whoever goes wrong ends the process, whatever is torn is counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "harness.hpp"
#include "options.hpp"
#include "payload.hpp"

namespace tandem::test {

inline std::uint64_t times(double count) { return static_cast<std::uint64_t>(count * scale()) + 50; }

/// What a role's argument chooses: a depth, or "keep_all".
inline EndpointOptions options_of(const std::string & depth) {
  return depth == "keep_all" ? EndpointOptions{.keep_all = true}
                             : EndpointOptions{.depth = static_cast<std::uint32_t>(std::stoul(depth))};
}

inline std::unique_ptr<Publisher> make_publisher(const Participant & participant,
                                                 const EndpointOptions & options = {}) {
  return std::move(*participant.create_publisher(publisher_options("topic", options)));
}

inline std::unique_ptr<Subscription> make_subscription(const Participant & participant,
                                                       const EndpointOptions & options) {
  return std::move(*participant.create_subscription(subscription_options("topic", options)));
}

/// Publishes one message; a time-out or an exhausted pool is an error of the test.
inline void send(Publisher & publisher, std::uint64_t counter, std::size_t size) {
  auto loan = publisher.borrow(size);
  if (!loan) {
    std::fprintf(stderr, "message %lu: %s\n", static_cast<unsigned long>(counter), to_string(loan.error()));
    std::abort();
  }
  fill(loan->data(), size, publisher.info().id.number, counter);
  if (const auto sent = publisher.publish(std::move(*loan)); !sent) {
    std::fprintf(stderr, "message %lu: %s\n", static_cast<unsigned long>(counter), to_string(sent.error()));
    std::abort();
  }
}

/// What a reader has seen; printed by watchdogs.
struct Tally {
  std::atomic<std::uint64_t> taken = 0;
  std::atomic<std::uint64_t> torn = 0;
  std::atomic<std::uint64_t> disordered = 0;
  std::atomic<std::uint64_t> last = 0;
  std::string text() const {
    std::ostringstream out;
    out << "taken " << taken << " torn " << torn << " disordered " << disordered << " last " << last;
    return out.str();
  }
};

/// Takes one message, reads it twice with some time between, now and then keeps it for longer.
class Reader {
 public:
  Reader(Subscription & subscription, Tally & tally, unsigned seed) : in_(subscription), tally_(tally), random_(seed) {}

  bool step() {
    Sample sample = in_.take();
    if (!sample) {
      return false;
    }
    check(sample);
    const unsigned dice = random_() % 256;
    for (unsigned i = 0; i < dice; ++i) {
      asm volatile("" ::: "memory");
    }
    if (dice < 4) {
      std::this_thread::yield();
    }
    check(sample);
    const std::uint64_t counter = counter_of(sample.data(), sample.size());
    const bool same = sample.publisher() == publisher_;
    tally_.disordered += same && counter <= tally_.last ? 1 : 0;
    publisher_ = sample.publisher();
    tally_.last = counter;
    ++tally_.taken;
    if (dice < 16) {
      Sample & slot = kept_[dice % 4];
      if (slot) {
        check(slot);
      }
      slot = std::move(sample);
    }
    return true;
  }

 private:
  void check(const Sample & sample) { tally_.torn += is_whole(sample.data(), sample.size()) ? 0 : 1; }
  Subscription & in_;
  Tally & tally_;
  std::minstd_rand random_;
  EndpointId publisher_;
  Sample kept_[4];
};

}  // namespace tandem::test
