#include "time_watch.hpp"

#include <time.h>

#include <algorithm>

namespace tandem::transport {
namespace {

std::int64_t now_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

std::shared_ptr<TimeWatch> watch_of(std::chrono::nanoseconds deadline, std::chrono::nanoseconds lease) {
  if (deadline == kInfinite && lease == kInfinite) {
    return nullptr;
  }
  return std::make_shared<TimeWatch>(deadline, lease, now_of(CLOCK_REALTIME));
}

}  // namespace

TimeWatch::TimeWatch(std::chrono::nanoseconds deadline, std::chrono::nanoseconds lease, std::int64_t now)
    : deadline_(deadline.count()), lease_(lease.count()), alive_(now) {}

void TimeWatch::note_message(std::int64_t time) {
  std::int64_t begin = period_begin_.load(std::memory_order_relaxed);
  while (time > begin) {
    if (period_begin_.compare_exchange_weak(begin, time, std::memory_order_relaxed)) {
      if (begin != 0) {
        missed_.fetch_add(static_cast<std::uint64_t>((time - begin - 1) / deadline_), std::memory_order_relaxed);
      }
      return;
    }
  }
}

void TimeWatch::note_alive(std::int64_t time) {
  const std::int64_t before = alive_.exchange(time, std::memory_order_relaxed);
  if (before > 0 && time - before > lease_) {
    lost_.fetch_add(1, std::memory_order_relaxed);
  }
}

void TimeWatch::look(std::int64_t now, bool is_waiting, Status & status) {
  // What has not begun may begin at any time without waking those who sleep: they look again before it can be over.
  std::int64_t left = kInfinite.count();
  std::int64_t begin = period_begin_.load(std::memory_order_relaxed);
  if (begin == 0) {
    left = deadline_;
  } else if (!is_waiting && deadline_ != kInfinite.count()) {
    const std::int64_t periods = std::max<std::int64_t>(0, (now - begin - 1) / deadline_);
    if (periods != 0 &&
        period_begin_.compare_exchange_strong(begin, begin + periods * deadline_, std::memory_order_relaxed)) {
      missed_.fetch_add(static_cast<std::uint64_t>(periods), std::memory_order_relaxed);
    }
    left = std::clamp<std::int64_t>(begin + (periods + 1) * deadline_ + 1 - now, 1, deadline_);
  }
  if (lease_ != kInfinite.count()) {
    std::int64_t alive = alive_.load(std::memory_order_relaxed);
    if (alive > 0 && now - alive <= lease_) {
      left = std::min(left, lease_ + 1 - std::max<std::int64_t>(0, now - alive));
    } else {
      left = std::min(left, lease_);
      if (alive > 0 && alive_.compare_exchange_strong(alive, -alive, std::memory_order_relaxed)) {
        lost_.fetch_add(1, std::memory_order_relaxed);
      }
    }
  }
  if (left != kInfinite.count()) {
    status.due = std::min(status.due, now_of(CLOCK_MONOTONIC) + left);
  }
  status.deadlines_missed = missed_.load(std::memory_order_relaxed);
  status.liveliness_lost = lost_.load(std::memory_order_relaxed);
}

// ---- publishers and subscriptions ----------------------------------------------------------------------------------

Publisher::Publisher(const Qos & qos)
    : watch_(watch_of(qos.deadline, qos.liveliness == Liveliness::kManualByTopic ? qos.lease : kInfinite)) {}

void Publisher::note() const {
  const std::int64_t now = now_of(CLOCK_REALTIME);
  watch_->note_message(now);
  watch_->note_alive(now);
}

void Publisher::assert_liveliness() {
  do_assert_liveliness();
  if (watch_) {
    watch_->note_alive(now_of(CLOCK_REALTIME));
  }
}

Status Publisher::status() const {
  Status status = do_status();
  if (watch_) {
    watch_->look(now_of(CLOCK_REALTIME), false, status);
  }
  return status;
}

Subscription::Subscription(const Qos & qos) : watch_(watch_of(qos.deadline, kInfinite)) {}

void Subscription::note(const MessageInfo & info) const {
  watch_->note_message(info.received_timestamp != 0 ? info.received_timestamp : info.source_timestamp);
}

Status Subscription::status() const {
  Status status = do_status();
  status.lost = lost();
  if (watch_) {
    watch_->look(now_of(CLOCK_REALTIME), has_data(), status);
  }
  return status;
}

}  // namespace tandem::transport
