// What a peer measures in its trial: counts, costs, histograms, samples; and what it says of them at the end.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "measures/attestation.hpp"
#include "measures/records.hpp"
#include "tandem/measure/usage.hpp"
#include "trial/spec.hpp"

namespace lab {

/// As in docs/reference/lab.md.
struct Counts {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t lost = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t torn = 0;
  std::uint64_t failed_borrows = 0;
  std::uint64_t timeouts = 0;
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
};

/// Not thread-safe.
class Measures {
 public:
  /// \param columns of the samples. \param tags of the histograms, in the order of record()'s index.
  Measures(const Spec & spec, const char * columns, const std::vector<const char *> & tags);

  /// The measurement begins; before it, nothing but warm-up. \param copied by the link so far.
  void begin(std::uint64_t copied);
  bool has_begun() const noexcept { return start_ns_ != 0; }
  /// What was used until now counts. Nothing happens when it has ended already and nobody resumed.
  void end(std::uint64_t copied);
  /// It goes on.
  void resume() noexcept { has_ended_ = false; }

  // Allocates / locks / system calls: none.
  void record(std::size_t histogram, std::int64_t ns) noexcept { histograms_[histogram].values.record(ns); }
  void add(const Samples::Row & row) noexcept { samples_.add(row); }

  Counts counts;
  Attestation attestation;

  /// Writes the files, then says `finished`.
  void finish();

 private:
  nlohmann::ordered_json figures() const;

  const Spec & spec_;
  std::vector<TaggedHistogram> histograms_;
  Samples samples_;
  std::int64_t start_ns_ = 0;
  bool has_ended_ = false;
  tandem::measure::Usage before_;
  tandem::measure::Usage used_;
  std::uint64_t copied_before_ = 0;
  std::uint64_t copied_ = 0;
};

}  // namespace lab
