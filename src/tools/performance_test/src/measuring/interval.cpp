// See interval.hpp.
#include "measuring/interval.hpp"

#include <algorithm>
#include <utility>

#include "measuring/memory_check.hpp"

namespace performance_test {

void Totals::merge(const Totals & other) noexcept {
  sent += other.sent;
  received += other.received;
  lost += other.lost;
  bytes_received += other.bytes_received;
  failed_borrows += other.failed_borrows;
  failed_publishes += other.failed_publishes;
  torn += other.torn;
  unfilled += other.unfilled;
  allocations += other.allocations;
  latency.merge(other.latency);
  publisher_reserve.merge(other.publisher_reserve);
  subscriber_reserve.merge(other.subscriber_reserve);
}

void Interval::merge(const Interval & other) noexcept {
  totals.merge(other.totals);
  latency.merge(other.latency);
  intended_latency.merge(other.intended_latency);
}

void Interval::reset() noexcept {
  totals = Totals();
  latency.reset();
  intended_latency.reset();
}

double Usage::cpu_seconds() const noexcept {
  return static_cast<double>(tandem::measure::to_ns(self.ru_utime) + tandem::measure::to_ns(self.ru_stime)) * 1e-9;
}

void Collector::sent(std::optional<double> reserve) {
  const std::lock_guard lock(mutex_);
  ++current_->totals.sent;
  if (reserve) current_->totals.publisher_reserve.add(*reserve);
  current_->totals.allocations += take_allocations();
}

void Collector::not_sent(bool failed_borrow) {
  const std::lock_guard lock(mutex_);
  ++(failed_borrow ? current_->totals.failed_borrows : current_->totals.failed_publishes);
}

std::uint64_t Collector::gap_before(const Arrival & arrival) {
  const auto sequence = number_of(arrival.stamp.id);
  const auto known =
      std::find_if(seen_.begin(), seen_.end(), [&](const Seen & s) { return s.publisher == arrival.publisher; });
  if (known == seen_.end()) {
    seen_.push_back({arrival.publisher, sequence});
    return 0;
  }
  const auto last = std::exchange(known->sequence, std::max(known->sequence, sequence));
  return sequence > last ? sequence - last - 1 : 0;
}

void Collector::received(const Arrival & arrival) {
  const auto check = check_payload_ ? check_payload(arrival.payload, number_of(arrival.stamp.id)) : PayloadState::kGood;
  const std::uint64_t gap = gap_before(arrival);
  const std::int64_t latency = arrival.received - arrival.stamp.time;
  {
    const std::lock_guard lock(mutex_);
    Totals & totals = current_->totals;
    ++totals.received;
    totals.lost += gap;
    totals.bytes_received += arrival.size;
    totals.torn += check == PayloadState::kTorn;
    totals.unfilled += check == PayloadState::kUnfilled;
    totals.latency.add(static_cast<double>(latency) * 1e-9);
    current_->latency.record(latency);
    current_->intended_latency.record(latency + late_ns_of(arrival.stamp.id));
    if (idle_since_ != 0) totals.subscriber_reserve.add(static_cast<double>(arrival.received - idle_since_) * 1e-9);
    totals.allocations += take_allocations();
  }
  idle_since_ = now_ns();
}

void Collector::take(Interval & out) {
  {
    const std::lock_guard lock(mutex_);
    std::swap(current_, spare_);
  }
  out.merge(*spare_);
  spare_->reset();
}

}  // namespace performance_test
