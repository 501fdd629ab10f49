// See schedule.hpp.
#include "roles/schedule.hpp"

#include "tandem/measure/clock.hpp"

namespace lab {
namespace {

constexpr std::int64_t kSpinTime = 100'000;

}  // namespace

bool sleep_until(std::int64_t due_ns, bool spins, const Control & control) {
  return tandem::measure::sleep_until(due_ns, spins ? kSpinTime : 0, [&control] { return !control.is_stopped(); });
}

std::int64_t Schedule::next() const noexcept {
  if (spec_.rate > 0) return pacer_.due(sent_);
  if (spec_.demand == 0 || sent_ < spec_.demand) return burst_;
  return burst_ + spec_.recovery_us * 1000;
}

std::int64_t Schedule::take(std::int64_t now) noexcept {
  const std::int64_t due = next();
  if (spec_.rate > 0) {
    ++sent_;
    return due;
  }
  if (spec_.demand > 0) {
    if (sent_ == spec_.demand) sent_ = 0;
    if (sent_ == 0) burst_ = now;
    ++sent_;
  }
  return now;
}

}  // namespace lab
