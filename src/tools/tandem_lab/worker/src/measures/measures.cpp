// See measures.hpp.
#include "measures/measures.hpp"

#include <algorithm>

#include "tandem/measure/counters.hpp"
#include "trial/control.hpp"
#include "trial/measure.hpp"

namespace lab {

Measures::Measures(const Spec & spec, const char * columns, const std::vector<const char *> & tags)
    : attestation(spec.warm_up, spec.attest), spec_(spec), samples_(columns, sample_capacity(spec)) {
  for (const char * const tag : tags) histograms_.push_back({tag, {}});
}

void Measures::begin(std::uint64_t copied) {
  copied_before_ = copied;
  before_ = tandem::measure::usage_now();
  start_ns_ = now_ns();
}

void Measures::end(std::uint64_t copied) {
  if (!has_begun() || has_ended_) return;
  has_ended_ = true;
  used_ = tandem::measure::usage_now() - before_;
  copied_ = copied - copied_before_;
}

nlohmann::ordered_json Measures::figures() const {
  // The records are no part of what is measured.
  const auto own_kib = static_cast<std::int64_t>(samples_.bytes() >> 10);
  const tandem::measure::Memory memory = tandem::measure::memory_now();
  const auto in_kib = [own_kib](std::int64_t kib) {
    return kib < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(std::max<std::int64_t>(kib - own_kib, 0));
  };
  const auto counted = [](std::int64_t value) {
    return tandem::measure::counters().reason().empty() ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  return {{"sent", counts.sent},
          {"received", counts.received},
          {"lost", counts.lost},
          {"duplicates", counts.duplicates},
          {"torn", counts.torn},
          {"failed_borrows", counts.failed_borrows},
          {"timeouts", counts.timeouts},
          {"copied", copied_},
          {"first_ns", counts.first_ns},
          {"last_ns", counts.last_ns},
          {"user_ns", used_.user_ns},
          {"system_ns", used_.system_ns},
          {"minor_faults", used_.minor_faults},
          {"major_faults", used_.major_faults},
          {"voluntary_switches", used_.voluntary_switches},
          {"involuntary_switches", used_.involuntary_switches},
          {"rss_kib", in_kib(memory.rss_kib)},
          {"pss_kib", in_kib(memory.pss_kib)},
          {"cycles", counted(used_.cycles)},
          {"instructions", counted(used_.instructions)},
          {"counters_reason", tandem::measure::counters().reason()}};
}

void Measures::finish() {
  const nlohmann::ordered_json all = figures();
  write_records(spec_, has_begun() ? start_ns_ : now_ns(), histograms_, samples_);
  emit("finished", now_ns(), {{"figures", all}, {"attestation", attestation.to_json()}});
}

}  // namespace lab
