// What all roles begin with, and the role that does nothing else.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "measures/measures.hpp"
#include "roles/roles.hpp"
#include "trial/measure.hpp"

namespace lab {
namespace {

constexpr std::int64_t kShortestSleep = 500'000;
constexpr std::int64_t kLongestSleep = 20'000'000;

}  // namespace

bool await_matched(const Trial & trial, const Counterparts & counterparts) {
  const auto & [outlet, inlet, publishers] = counterparts;
  const std::int64_t joined = now_ns();
  emit("joined", joined);
  for (;;) {
    const std::size_t subscriptions_there = outlet == nullptr ? trial.spec.peers : outlet->matched();
    const std::size_t publishers_there = inlet == nullptr ? publishers : inlet->matched();
    if (subscriptions_there >= trial.spec.peers && publishers_there >= publishers) break;
    if (trial.control.is_stopped()) {
      fmt::print(stderr, "lab_peer: stopped while {} of {} subscriptions and {} of {} publishers were there\n",
                 subscriptions_there, trial.spec.peers, publishers_there, publishers);
      return false;
    }
    // To 2 %: hundreds of processes that look more often are what is measured in the end.
    const std::int64_t sleep = std::clamp((now_ns() - joined) / 50, kShortestSleep, kLongestSleep);
    std::this_thread::sleep_for(std::chrono::nanoseconds(sleep));
  }
  emit("matched", now_ns());
  return !trial.control.is_stopped();
}

void await_arrival(const Trial & trial, Inlet & inlet, std::int64_t timeout_ns) {
  if (!trial.spec.poll && timeout_ns > 0) inlet.wait(std::chrono::nanoseconds(timeout_ns));
}

void join(const Trial & trial) {
  const Spec & spec = trial.spec;
  Measures measures(spec, "", {});
  const auto outlet = trial.link.make_outlet(spec.topic);
  const auto inlet = trial.link.make_inlet(spec.topic);
  measures.begin(0);
  await_matched(trial, {outlet.get(), inlet.get(), spec.peers});
  measures.end(0);
  emit("done", now_ns());
  measures.finish();
  trial.control.wait_for_stop();
}

}  // namespace lab
