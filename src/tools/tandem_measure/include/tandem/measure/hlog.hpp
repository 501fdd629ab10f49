// HdrHistogram's log: a text file of tagged, timed histograms that its own tools plot and merge.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/measure/histogram.hpp"

namespace tandem::measure {

/// One line of a log. Values are nanoseconds.
struct HlogEntry {
  std::string tag;
  double start = 0;   ///< s since the log's StartTime
  double length = 0;  ///< s
  Histogram histogram;
};

/// Writes the lines before the first entry. \param start_time s since the epoch. \param program who writes: "perf_test".
void write_hlog_header(std::ostream & out, double start_time, std::string_view program);
void write_hlog_entry(std::ostream & out, const HlogEntry & entry);

/// \throws std::invalid_argument with the line number when a line is not understood.
std::vector<HlogEntry> read_hlog(std::istream & in);

}  // namespace tandem::measure
