#include <sched.h>

#include <array>
#include <chrono>
#include <memory>

#include "options.hpp"
#include "payload.hpp"
#include "shared_counters.hpp"
#include "soak.hpp"
#include "tandem/wait_set.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t kSmall = 64;
constexpr std::size_t kLarge = std::size_t{1} << 18;

std::unique_ptr<Publisher> publisher(const Participant & participant, const std::string & topic,
                                     const EndpointOptions & options) {
  return std::move(*participant.create_publisher(publisher_options(topic, options)));
}
std::unique_ptr<Subscription> subscription(const Participant & participant, const std::string & topic,
                                           const EndpointOptions & options) {
  return std::move(*participant.create_subscription(subscription_options(topic, options)));
}

void send(Publisher & out, std::uint64_t counter, std::size_t size, WorkerCounters & worker) {
  auto loan = out.borrow(size);
  if (!loan) {
    add(worker.refused);
    return;
  }
  fill(loan->data(), size, 7, counter);
  add(out.publish(std::move(*loan)) ? worker.sent : worker.refused);
}

/// True when there was a message.
bool receive(Subscription & in, WorkerCounters & worker) {
  const Sample sample = in.take();
  if (sample) {
    add(worker.torn, is_whole(sample.data(), sample.size()) ? 0 : 1);
    add(worker.taken);
  }
  return static_cast<bool>(sample);
}

WorkerCounters & seat_of(const std::vector<std::string> & arguments) {
  return map_counters(arguments[0]).workers[std::stoul(arguments[1])];
}

}  // namespace

int soak_writer(const std::vector<std::string> & arguments) {
  const SharedCounters & counters = map_counters(arguments[0]);
  WorkerCounters & worker = seat_of(arguments);
  const auto participant = Participant::join(0);
  const auto out = publisher(*participant, arguments[2], {.depth = 10, .keep_all = arguments[2] == "all"});
  const bool yields = arguments[3] == "yields";
  for (std::uint64_t counter = 0; !counters.stop.load(std::memory_order_relaxed); ++counter) {
    send(*out, counter, kSmall, worker);
    if (yields && counter % 16 == 0) {
      sched_yield();
    }
  }
  return 0;
}

int soak_reader(const std::vector<std::string> & arguments) {
  const SharedCounters & counters = map_counters(arguments[0]);
  WorkerCounters & worker = seat_of(arguments);
  const auto participant = Participant::join(0);
  const auto all = subscription(*participant, "all", {.keep_all = true});
  const auto last = subscription(*participant, "last", {.depth = 10});
  const auto large = subscription(*participant, "large", {.depth = 2});
  const auto set = std::move(*participant->create_wait_set());
  for (const auto * in : {&all, &last, &large}) {
    set->attach(**in);
  }
  while (!counters.stop.load(std::memory_order_relaxed)) {
    bool any = false;
    for (int i = 0; i < 64; ++i) {
      const bool one = receive(*all, worker);
      const bool two = receive(*last, worker);
      any = any || one || two;
    }
    any = receive(*large, worker) || any;
    if (!any && arguments[2] == "waits") {
      set->wait(std::chrono::milliseconds(10));
    } else if (!any) {
      sched_yield();
    }
  }
  return all->lost() == 0 ? 0 : 1;
}

int soak_churn(const std::vector<std::string> & arguments) {
  const SharedCounters & counters = map_counters(arguments[0]);
  WorkerCounters & worker = seat_of(arguments);
  const std::uint64_t rounds = std::stoull(arguments[2]);
  const auto participant = Participant::join(0);
  std::array<Sample, 8> kept;
  for (std::uint64_t i = 0; (rounds == 0 || i < rounds) && !counters.stop.load(std::memory_order_relaxed); ++i) {
    const auto all = subscription(*participant, "all", {.keep_all = true});
    const auto last = subscription(*participant, "last", {.depth = 1});
    const auto large = publisher(*participant, "large", {.depth = 2, .transient = i % 2 != 0});
    add(worker.opened, 3);
    for (std::uint64_t j = 0; j < 8; ++j) {
      send(*large, j, kLarge, worker);
      send(*large, j, kSmall, worker);
      for (int k = 0; k < 200; ++k) {
        receive(*all, worker);
      }
      kept[(i + j) % kept.size()] = last->take();
      sched_yield();
    }
  }
  return 0;
}

}  // namespace tandem::test
