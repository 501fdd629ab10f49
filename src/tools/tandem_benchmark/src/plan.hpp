// The programme: who plays, how long, what each series means, and what the figures should be.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "contestant.hpp"

namespace bench {

inline constexpr std::size_t kFanOutProcesses = 4;
inline constexpr std::size_t kStarts = 3;  ///< of each contestant of `waking` in one burst
inline constexpr std::array<std::size_t, 4> kSizes = {64, 8192, std::size_t{1} << 20, std::size_t{4} << 20};
/// And a message that fits into its slot.
inline constexpr std::array<std::size_t, 5> kPolledSizes = {16, kSizes[0], kSizes[1], kSizes[2], kSizes[3]};

/// Bytes of the pieces of `heap`.
inline constexpr std::array<std::size_t, 3> kPieces = {24, 100, 1000};

/// "64 B", "8 KiB", "1 MiB".
std::string size_text(std::size_t size);

/// Contestants of one group share their processes; only one group plays at a time.
struct Group {
  std::string name;
  std::size_t pongs;  ///< processes besides the one that keeps the time
  Factory make;
  bool is_optional = false;  ///< when it cannot play here, it is left out and named
};

struct Contest {
  std::string name;
  std::string group;
  Burst burst;
};

/// What a series measures, in words.
struct SeriesInfo {
  std::string name;
  std::string what;
};

/// The ratio of two series' p50 in the same round, and the most it should be.
struct Target {
  std::string what;
  std::string series;
  std::string reference;  ///< empty: the p50 itself counts, in ns
  double limit;           ///< 0: none, for information
};

/// A series' p50 minus a floor's in the same round, in ns, and the most it should be. What a message costs on top is
/// partly instructions, which take the same time everywhere, partly further cache lines, which take as long as the floor:
/// 50 ns where the floor is below 60, 0.7 of it above 150, in between on the line between these two.
struct ExcessTarget {
  std::string what;
  std::string series;
  std::string floor;
};
double excess_limit(double floor);

/// Time in publish() added by each further subscription, in ns: least-squares slope over the series of one round.
struct SlopeTarget {
  std::string what;
  std::string prefix;  ///< series are prefix + number of subscriptions
  std::vector<std::size_t> counts;
  double limit;  ///< 0: none, for information
};

const std::vector<Group> & groups();
/// \param quick a fraction of the samples: to see that everything works, not for figures.
std::vector<Contest> contests(bool quick);
const std::vector<SeriesInfo> & series_infos();
const std::vector<Target> & targets();
const std::vector<ExcessTarget> & excess_targets();
const std::vector<SlopeTarget> & slope_targets();

}  // namespace bench
