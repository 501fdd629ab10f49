// A suite: contests that share their processes, what their figures are called, and what these should be.
//
// A new figure is a contestant with a suite in one file, named in suites.hpp. The laboratory's `bench` plays the suites and
// judges the figures (tandem_lab/bench).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "common/contestant.hpp"

namespace bench {

/// Bytes of the messages.
inline constexpr std::array<std::size_t, 4> kSizes = {64, 8192, std::size_t{1} << 20, std::size_t{4} << 20};

/// "64 B", "8 KiB", "1 MiB".
std::string size_text(std::size_t size);

/// How long bursts are. Quick ones take a fraction of the samples: they show that everything works, and give no figures.
class Length {
 public:
  explicit Length(bool quick) : quick_(quick) {}
  bool is_quick() const { return quick_; }
  /// After a tenth as many that do not count.
  Burst samples(std::size_t count) const;
  /// Means of ten round trips: a processor's clock may tick as seldom as every 10 ns.
  Burst polled() const;
  /// Of microbenchmarks.
  Burst repetitions(std::size_t count) const;

 private:
  bool quick_;
};

/// One contestant, and how long it runs in each round.
struct Contest {
  std::string name;
  Burst burst;
};

/// A series of samples. Those without a figure are only compared with others.
struct Figure {
  std::string series;
  std::string what;  ///< it measures, in words
};

/// The ratio of two series' p50 in the same round, and the most it should be.
struct Target {
  std::string what;
  std::string series;
  std::string reference;  ///< empty: the p50 itself counts, in ns
  double limit;           ///< 0: none, for information
};

/// A series' p50 minus a floor's in the same round, in ns. The limit is made of the floor (tandem_lab/bench/figures.py).
struct Excess {
  std::string what;
  std::string series;
  std::string floor;
};

/// What each further one of `counts` adds, in ns: the least-squares slope over the series of one round.
struct Slope {
  std::string what;
  std::string prefix;  ///< series are prefix + count
  std::vector<std::size_t> counts;
  double limit;  ///< 0: none, for information
};

struct Suite {
  std::string name;
  std::size_t pongs;  ///< processes besides the one that keeps the time
  Factory make;
  bool is_optional = false;     ///< where it cannot run it is left out, and the report says so
  bool writes_to_disk = false;  ///< gigabytes: it runs only when it is asked for by name
  std::vector<Contest> contests{};
  std::vector<Figure> figures{};
  std::vector<Target> targets{};
  std::vector<Excess> excesses{};
  std::vector<Slope> slopes{};

  /// A contest whose samples are one series of the same name.
  void add(const std::string & series, const Burst & burst, const std::string & what) {
    contests.push_back({series, burst});
    figures.push_back({series, what});
  }
};

}  // namespace bench
