// What a peer writes down while it measures, and the files made of it afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tandem/measure/histogram.hpp"
#include "trial/spec.hpp"

namespace lab {

/// Rows of whole numbers, kept in memory that is touched beforehand. Not thread-safe.
class Samples {
 public:
  using Row = std::array<std::int64_t, 4>;

  /// \param columns their names, with commas. \param capacity rows; what comes beyond is counted only.
  Samples(std::string columns, std::size_t capacity);

  /// Allocates / locks / system calls: none.
  void add(const Row & row) noexcept;
  std::uint64_t dropped() const noexcept { return dropped_; }
  std::size_t bytes() const noexcept { return rows_.size() * sizeof(Row); }
  /// \throws std::runtime_error when the file cannot be written wholly.
  void write(const std::string & path) const;

 private:
  const std::string columns_;
  std::vector<Row> rows_;
  std::size_t used_ = 0;
  std::uint64_t dropped_ = 0;
};

struct TaggedHistogram {
  std::string tag;  ///< as in docs/reference/lab.md
  tandem::measure::Histogram values;
};

/// Rows to keep for this spec: what is to be sent (by all publishers, for a subscriber), at most two million.
std::size_t sample_capacity(const Spec & spec);

/// Writes OUTPUT.hlog and, with samples, OUTPUT.csv; nothing without an output. \param start_ns CLOCK_MONOTONIC.
/// \throws std::runtime_error with the file and the reason.
void write_records(const Spec & spec, std::int64_t start_ns, const std::vector<TaggedHistogram> & histograms,
                   const Samples & samples);

}  // namespace lab
