// The threads of a run: publishing at a rate, receiving, both in one, and echoing.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "endpoints.hpp"
#include "experiment.hpp"
#include "memory_check.hpp"

namespace performance_test {
namespace {

/// When message `number` (from 0) is due. Exact: no rounding adds up.
std::int64_t due_ns(std::int64_t start_ns, std::uint64_t number, std::uint32_t rate) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  return start_ns + static_cast<std::int64_t>(number / rate * kSecond + number % rate * kSecond / rate);
}

/// In slices, so that the end of the run is noticed.
constexpr std::int64_t kLongestSleep = 50'000'000;

void sleep_ns(std::int64_t ns) { std::this_thread::sleep_for(std::chrono::nanoseconds(ns)); }

}  // namespace

bool Experiment::publishing_goes_on() const { return !stop_publishing_ && communication_.ok(); }

void Experiment::start_threads() {
  if (options_.strategy == Strategy::kIntraThread) {
    publisher_threads_.emplace_back([this] { intra_thread_loop(); });
    return;
  }
  for (const auto & loop : loops_) receiver_threads_.emplace_back([this, &loop] { receive_loop(*loop); });
  if (options_.roundtrip == RoundTrip::kRelay) return;  // publishes when something arrives
  for (const auto & p : publishing_) publisher_threads_.emplace_back([this, &p] { publish_loop(*p); });
}

template <class Spin>
bool Experiment::wait_until(std::int64_t due, const Spin & spin) const {
  for (std::int64_t now = now_ns(); now < due; now = now_ns()) {
    if (!publishing_goes_on()) return false;
    spin(std::min(due - now, kLongestSleep));
  }
  return publishing_goes_on();
}

void Experiment::send_one(Publishing & publishing, std::int64_t due, std::int64_t next_due) {
  const SendResult result = publishing.sender.send({publishing.sequence + 1, due});
  if (result != SendResult::kSent) {
    publishing.collector.not_sent(result == SendResult::kNoLoan);
    return;
  }
  ++publishing.sequence;
  const bool has_rate = next_due > due;
  publishing.collector.sent(has_rate ? std::optional(static_cast<double>(next_due - now_ns()) * 1e-9) : std::nullopt);
}

void Experiment::publish_loop(Publishing & publishing) {
  if (options_.check_memory) count_allocations_of_this_thread();
  const std::int64_t start = now_ns();
  for (std::uint64_t number = 0;; ++number) {
    // Open loop: a late message does not make the following ones due later.
    const bool at_once = options_.rate == 0;
    const std::int64_t due = at_once ? now_ns() : due_ns(start, number, options_.rate);
    if (!wait_until(due, sleep_ns)) return;
    send_one(publishing, due, at_once ? due : due_ns(start, number + 1, options_.rate));
  }
}

void Experiment::receive_loop(Loop & loop) {
  if (options_.check_memory) count_allocations_of_this_thread();
  try {
    loop.run(-1);
  } catch (const std::exception & error) {
    std::fprintf(stderr, "perf_test: receiving failed: %s\n", error.what());
    failed_ = true;
  }
}

void Experiment::intra_thread_loop() {
  if (options_.check_memory) count_allocations_of_this_thread();
  try {
    Loop & loop = *loops_.front();
    const auto spin = [&](std::int64_t ns) { loop.run(ns); };
    const std::int64_t start = now_ns();
    for (std::uint64_t number = 0;; ++number) {
      const bool at_once = options_.rate == 0;
      const std::int64_t due = at_once ? now_ns() : due_ns(start, number, options_.rate);
      if (!wait_until(due, spin)) return;
      for (const auto & p : publishing_) {
        send_one(*p, due, at_once ? due : due_ns(start, number + 1, options_.rate));
      }
      loop.run(0);
    }
  } catch (const std::exception & error) {
    std::fprintf(stderr, "perf_test: receiving failed: %s\n", error.what());
    failed_ = true;
  }
}

void Experiment::on_message(Receiving & receiving, const void * message, const PublisherId & publisher) {
  Arrival arrival{now_ns(), {}, publisher, {}, 0};
  kind_.read(message, arrival);
  if (options_.roundtrip == RoundTrip::kRelay) {
    // First the echo: looking at the message must not delay it.
    Publishing & echo = *publishing_.front();
    const SendResult result = echo.sender.send({sequence_of(arrival.stamp.id), arrival.received, &arrival.stamp});
    if (result == SendResult::kSent) {
      echo.collector.sent(std::nullopt);
    } else {
      echo.collector.not_sent(result == SendResult::kNoLoan);
    }
  }
  receiving.collector.received(arrival);
}

}  // namespace performance_test
