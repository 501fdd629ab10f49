// The threads of a run: publishing at a rate, receiving, both in one, and echoing.
#include <algorithm>
#include <cstdio>

#include "experiment/endpoints.hpp"
#include "experiment/experiment.hpp"
#include "measuring/memory_check.hpp"
#include "tandem/measure/pacer.hpp"

namespace performance_test {
namespace {

/// Open loop: a late message does not make the following ones due later. Without a rate each is due at once.
class Schedule {
 public:
  explicit Schedule(std::uint32_t rate) : rate_(rate), pacer_(rate) { pacer_.start(now_ns()); }
  std::int64_t due(std::uint64_t number) const { return rate_ == 0 ? now_ns() : pacer_.due(number); }
  /// When the one after `number`, due at `due`, is.
  std::int64_t next_due(std::uint64_t number, std::int64_t due) const {
    return rate_ == 0 ? due : pacer_.due(number + 1);
  }

 private:
  const std::uint32_t rate_;
  tandem::measure::Pacer pacer_;
};

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
  const Schedule schedule(options_.rate);
  for (std::uint64_t number = 0;; ++number) {
    const std::int64_t due = schedule.due(number);
    if (!tandem::measure::sleep_until(due, 0, [this] { return publishing_goes_on(); })) return;
    send_one(publishing, due, schedule.next_due(number, due));
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
    const auto goes_on = [this] { return publishing_goes_on(); };
    const auto receive = [&loop](std::int64_t end) { loop.run(std::max<std::int64_t>(end - now_ns(), 0)); };
    const Schedule schedule(options_.rate);
    for (std::uint64_t number = 0;; ++number) {
      const std::int64_t due = schedule.due(number);
      if (!tandem::measure::wait_until(due, goes_on, receive)) return;
      for (const auto & p : publishing_) send_one(*p, due, schedule.next_due(number, due));
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
    const SendResult result = echo.sender.send({number_of(arrival.stamp.id), arrival.received, &arrival.stamp});
    if (result == SendResult::kSent) {
      echo.collector.sent(std::nullopt);
    } else {
      echo.collector.not_sent(result == SendResult::kNoLoan);
    }
  }
  receiving.collector.received(arrival);
}

}  // namespace performance_test
