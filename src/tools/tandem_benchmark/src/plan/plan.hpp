// The plan of a run: its groups and contests (plan.cpp), what each series measures (series.cpp), and what the figures
// should be (targets.cpp).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "common/contestant.hpp"

namespace bench {

inline constexpr std::size_t kFanOutProcesses = 4;
inline constexpr std::size_t kStarts = 3;  ///< how often a burst starts each contestant of `waking`
/// Bytes of the messages.
inline constexpr std::array<std::size_t, 4> kSizes = {64, 8192, std::size_t{1} << 20, std::size_t{4} << 20};
/// The same, and a message that fits into its slot of the ring.
inline constexpr std::array<std::size_t, 5> kPolledSizes = {16, kSizes[0], kSizes[1], kSizes[2], kSizes[3]};

/// Bytes of the pieces of `heap`.
inline constexpr std::array<std::size_t, 3> kPieces = {24, 100, 1000};

/// "64 B", "8 KiB", "1 MiB".
std::string size_text(std::size_t size);

/// Contestants that share their processes. Only one group runs at a time.
struct Group {
  std::string name;
  std::size_t pongs;  ///< processes besides the one that keeps the time
  Factory make;
  bool is_optional = false;     ///< a group that cannot run here is left out, and the report says so
  bool writes_to_disk = false;  ///< gigabytes: it runs only when it is asked for by name
};

/// One contestant of a group, and how long it runs in each round.
struct Contest {
  std::string name;
  std::string group;
  Burst burst;
};

struct SeriesInfo {
  std::string name;
  std::string what;  ///< what it measures, in words
};

/// The ratio of two series' p50 in the same round, and the most it should be.
struct Target {
  std::string what;
  std::string series;
  std::string reference;  ///< empty: the p50 itself counts, in ns
  double limit;           ///< 0: none, for information
};

/// A series' p50 minus a floor's in the same round, in ns. The most it should be is excess_limit() of the floor.
struct ExcessTarget {
  std::string what;
  std::string series;
  std::string floor;
};

/// What a message costs on top of a floor is partly instructions, which take the same time on every machine, and partly
/// further cache lines, which take as long as the floor. So the limit is 50 ns for a floor below 60 ns and 0.7 of a
/// floor above 150 ns; in between it grows linearly.
double excess_limit(double floor);

/// The time in publish() that each further subscription adds, in ns: the least-squares slope over the series of one
/// round.
struct SlopeTarget {
  std::string what;
  std::string prefix;  ///< series are prefix + number of subscriptions
  std::vector<std::size_t> counts;
  double limit;  ///< 0: none, for information
};

const std::vector<Group> & groups();
/// \param quick takes a fraction of the samples; that shows that everything works, but gives no figures.
std::vector<Contest> contests(bool quick);
const std::vector<SeriesInfo> & series_infos();
const std::vector<Target> & targets();
const std::vector<ExcessTarget> & excess_targets();
const std::vector<SlopeTarget> & slope_targets();

}  // namespace bench
