// What all roles begin with, and the role that does nothing else.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "measure.hpp"
#include "measures.hpp"
#include "roles.hpp"

namespace lab {
namespace {

constexpr std::int64_t kShortestSleep = 500'000;
constexpr std::int64_t kLongestSleep = 20'000'000;

}  // namespace

bool await_matched(const Seat & seat, const Counterparts & counterparts) {
  const auto & [outlet, inlet, publishers] = counterparts;
  const std::int64_t joined = now_ns();
  emit("joined", joined);
  for (;;) {
    const std::size_t subscriptions_there = outlet == nullptr ? seat.spec.peers : outlet->matched();
    const std::size_t publishers_there = inlet == nullptr ? publishers : inlet->matched();
    if (subscriptions_there >= seat.spec.peers && publishers_there >= publishers) break;
    if (seat.control.is_stopped()) {
      fmt::print(stderr, "lab_peer: stopped while {} of {} subscriptions and {} of {} publishers were there\n",
                 subscriptions_there, seat.spec.peers, publishers_there, publishers);
      return false;
    }
    // To 2 %: hundreds of processes that look more often are what is measured in the end.
    const std::int64_t sleep = std::clamp((now_ns() - joined) / 50, kShortestSleep, kLongestSleep);
    std::this_thread::sleep_for(std::chrono::nanoseconds(sleep));
  }
  emit("matched", now_ns());
  return !seat.control.is_stopped();
}

void await_arrival(const Seat & seat, Inlet & inlet, std::int64_t timeout_ns) {
  if (!seat.spec.poll && timeout_ns > 0) inlet.wait(std::chrono::nanoseconds(timeout_ns));
}

void join(const Seat & seat) {
  const Spec & spec = seat.spec;
  Measures measures(spec, "", {});
  const auto outlet = seat.link.make_outlet(spec.topic);
  const auto inlet = seat.link.make_inlet(spec.topic);
  measures.begin(0);
  await_matched(seat, {outlet.get(), inlet.get(), spec.peers});
  measures.end(0);
  emit("done", now_ns());
  measures.finish();
  seat.control.wait_for_stop();
}

}  // namespace lab
