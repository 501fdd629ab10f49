#include "victim.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "harness.hpp"
#include "options.hpp"
#include "payload.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

pid_t self = 0;  ///< asked once, as every system call is a point to be killed at

/// Stops for the tracer. Of the main thread.
void trap() { syscall(SYS_tgkill, self, self, kGateSignal); }

}  // namespace

void Victim::gate(bool wanted) {
  if (wanted && state_.watched) {
    trap();
  }
}

void Victim::expect(bool condition, const char * what) {
  if (!condition && state_.failure[0] == '\0') {
    std::snprintf(state_.failure, sizeof state_.failure, "%s", what);
  }
}

// ---- endpoints -----------------------------------------------------------------------------------------------------

void Victim::join() {
  gate();
  auto joined = Participant::join(0);
  expect(joined.has_value(), "it cannot join");
  participant_ = *joined;
}

void Victim::create_publisher(const EndpointOptions & chosen) {
  const PublisherOptions options = publisher_options(kTopic, chosen);
  gate();
  auto made = participant_->create_publisher(options);
  expect(made.has_value(), "it cannot make a publisher");
  publisher_ = std::move(*made);
}

void Victim::create_subscription(const EndpointOptions & chosen) {
  const SubscriptionOptions options = subscription_options(kTopic, chosen);
  gate();
  auto made = participant_->create_subscription(options);
  expect(made.has_value(), "it cannot make a subscription");
  subscription_ = std::move(*made);
}

void Victim::await_matches() {
  const auto matched = [&] { return publisher_ ? publisher_->matched_count() : subscription_->matched_count(); };
  expect(wait_until([&] { return matched() == 2; }), "it is not matched");
}

void Victim::become_publisher(const EndpointOptions & options) {
  join();
  create_publisher(options);
  await_matches();
}

void Victim::become_reader(const EndpointOptions & options) {
  join();
  create_subscription(options);
  await_matches();
}

void Victim::close_publisher() {
  gate();
  publisher_.reset();
}

void Victim::close_subscription() {
  gate();
  subscription_.reset();
}

void Victim::leave() {
  publisher_.reset();
  subscription_.reset();
  gate();
  participant_.reset();
}

void Victim::begin_phase() {
  state_.watched = true;
  trap();
}

void Victim::end_phase() {
  state_.over = true;
  gate();
  state_.watched = false;
}

// ---- messages ------------------------------------------------------------------------------------------------------

void Victim::publish(int count, Gated gated) {
  for (int i = 0; i < count; ++i) {
    gate(gated == Gated::kBorrow);
    auto loan = publisher_->borrow(kMessageSize);
    if (!loan) {
      return expect(false, "it cannot borrow");
    }
    const std::uint64_t number = state_.attempted;
    fill(loan->data(), kMessageSize, kVictim, number);
    state_.attempted = number + 1;
    gate(gated == Gated::kPublish);
    const auto result = publisher_->publish(std::move(*loan));
    expect(result && *result == number, "it cannot publish");
    state_.published = number + 1;
  }
}

void Victim::publish_copy() {
  char message[kMessageSize];
  const std::uint64_t number = state_.attempted;
  fill(message, sizeof message, kVictim, number);
  state_.attempted = number + 1;
  gate();
  const auto result = publisher_->publish_copy(message, sizeof message);
  expect(result && *result == number, "it cannot publish a copy");
  state_.published = number + 1;
}

void Victim::publish_allocation() {
  gate();
  void * message = allocate(kMessageSize);
  const std::uint64_t number = state_.attempted;
  fill(message, kMessageSize, kVictim, number);
  state_.attempted = number + 1;
  gate();
  const auto result = publisher_->publish_allocation(message, kMessageSize);
  expect(result && *result == number, "it cannot publish an allocation");
  state_.published = number + 1;
}

void Victim::take(int count, bool gated, bool all) {
  for (int i = 0; i < count; ++i) {
    gate(gated);
    Sample sample = subscription_->take();
    if (!sample) {
      return;
    }
    std::uint64_t head[2];
    std::memcpy(head, sample.data(), sizeof head);
    const std::uint64_t tag = head[1] % 4;
    expect(sample.size() == kMessageSize && is_whole(sample.data(), sample.size()), "a message is torn");
    const bool begins = !std::exchange(has_begun_[tag], true);
    expect(begins || head[0] >= next_[tag], "messages come out of order");
    expect(begins || !all || tag != kAll || head[0] == next_[tag], "a message was lost");
    next_[tag] = head[0] + 1;
    if (taken_++ % 2 == 0 && kept_.size() < 6) {
      kept_.push_back(std::move(sample));
    } else {
      gate(gated);
      sample.release();
    }
  }
}

void Victim::take_rest(bool all) {
  for (std::uint64_t before = taken_ + 1; before != taken_;) {
    before = taken_;
    take(1000, false, all);
  }
}

void Victim::release() {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    Sample & sample = kept_[(i * 3 + 1) % kept_.size()];
    gate();
    sample.release();
  }
  gate();
  kept_.clear();
}

void Victim::check() {
  for (const Sample & sample : kept_) {
    expect(!sample || is_whole(sample.data(), sample.size()), "a message that is kept was written to");
  }
}

void live(const Scenario & scenario, VictimState & state) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  self = getpid();
  signal(kGateSignal, [](int) {});
  while (!state.go) {
    sched_yield();
  }
  auto * victim = new Victim(state);  // a process ends as it stands: nothing of it is destroyed
  scenario.prepare(*victim);
  victim->begin_phase();
  scenario.act(*victim);
  victim->end_phase();
  if (scenario.finish != nullptr) {
    scenario.finish(*victim);
  }
  std::exit(state.failure[0] == '\0' ? 0 : 1);
}

}  // namespace tandem::test
