// The contest between transports: one group for each that is built, and one for each bare library.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace bench {

inline constexpr const char * kDefaultTransport = "rmw_tandem_cpp";

/// "transports.block.rmw_zeromq_cpp.64" in parts.
struct TransportContest {
  bool polls = false;
  std::string transport;
  std::size_t size = 0;
};

TransportContest parse_transport_contest(const std::string & name);
/// The series of processor time that comes with a blocking contest.
std::string cpu_series(const TransportContest & contest);

/// Titles and p50s in ns, one column for each size; NaN where nothing was measured.
struct TransportTable {
  std::vector<std::string> header;
  std::vector<std::pair<std::string, std::vector<double>>> rows;
};

/// Whether a series is one of this contest's.
bool is_of_transports(const std::string & series);
/// Of what a run measured: blocking, processor time, polling. The floors come first, then the fastest at the first size.
std::vector<TransportTable> transport_tables(const nlohmann::json & result);

std::vector<Group> transport_groups();
std::vector<Contest> transport_contests(bool quick);
std::vector<SeriesInfo> transport_infos();
std::vector<Target> transport_targets();

}  // namespace bench
