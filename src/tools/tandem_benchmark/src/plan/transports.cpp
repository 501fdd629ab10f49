#include "plan/transports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "tandem/plugin.hpp"

namespace bench {
namespace {

constexpr const char * kPrefix = "transports.";
constexpr double kAdapterLimit = 1.15;

/// A library without our adapter, doing the same serialization and waiting, and the transport over it.
struct Bare {
  const char * name;
  const char * transport;
  const char * what;
  Factory make;
};

const std::vector<Bare> & bare_libraries() {
  static const std::vector<Bare> list = {
#ifdef WITH_FASTDDS
      {"fastdds", "rmw_fastrtps_cpp", "Fast DDS alone", make_bare_fastdds},
#endif
#ifdef WITH_ZEROMQ
      {"zeromq", "rmw_zeromq_cpp", "ZeroMQ alone", make_bare_zeromq},
#endif
  };
  return list;
}

std::vector<std::string> transports() {
  static const std::vector<std::string> found = tandem::transport::available();
  return found;
}

bool is_here(const std::string & transport) {
  const auto all = transports();
  return std::find(all.begin(), all.end(), transport) != all.end();
}

/// What plays: every transport that is built, then the bare libraries of those.
std::vector<std::string> players() {
  std::vector<std::string> names = transports();
  for (const Bare & bare : bare_libraries()) {
    if (is_here(bare.transport)) {
      names.emplace_back(bare.name);
    }
  }
  return names;
}

std::string series(const char * how, const std::string & player, std::size_t size) {
  return fmt::format("{}{}.{}.{}", kPrefix, how, player, size);
}

std::string title(const std::string & player) {
  for (const Bare & bare : bare_libraries()) {
    if (player == bare.name) {
      return bare.what;
    }
  }
  return player;
}

using P50s = std::map<std::string, double>;

/// \param floor series and title of the first row; empty: none.
TransportTable make_table(const P50s & p50s, const char * how, const char * title_of_all,
                          const std::pair<std::string, std::string> & floor) {
  const auto value = [&p50s](const std::string & name) {
    const auto found = p50s.find(name);
    return found != p50s.end() ? found->second : std::numeric_limits<double>::quiet_NaN();
  };
  TransportTable table;
  for (const std::string & player : players()) {
    std::vector<double> row;
    for (const std::size_t size : kSizes) {
      row.push_back(value(series(how, player, size)));
    }
    if (!std::isnan(row.front())) {
      table.rows.emplace_back(title(player), std::move(row));
    }
  }
  std::sort(table.rows.begin(), table.rows.end(),
            [](const auto & a, const auto & b) { return a.second.front() < b.second.front(); });
  if (!table.rows.empty() && !std::isnan(value(floor.first))) {
    table.rows.insert(table.rows.begin(), {floor.second, std::vector<double>(kSizes.size(), value(floor.first))});
  }
  table.header = {title_of_all};
  for (const std::size_t size : kSizes) {
    table.header.push_back(size_text(size));
  }
  return table;
}

}  // namespace

TransportContest parse_transport_contest(const std::string & name) {
  const std::size_t how = std::string(kPrefix).size();
  const std::size_t player = name.find('.', how) + 1;
  const std::size_t size = name.rfind('.') + 1;
  return {name.compare(how, 4, "poll") == 0, name.substr(player, size - player - 1), std::stoul(name.substr(size))};
}

bool is_of_transports(const std::string & series) { return series.rfind(kPrefix, 0) == 0; }

std::vector<TransportTable> transport_tables(const nlohmann::json & result) {
  P50s p50s;
  for (const nlohmann::json & series : result.at("series")) {
    p50s[series.at("name").get<std::string>()] = series.at("p50").at("value").get<double>();
  }
  return {make_table(p50s, "block", "one way, blocking (p50)", {"floor.futex", "floor: futex"}),
          make_table(p50s, "cpu", "processor time of a message, blocking", {}),
          make_table(p50s, "poll", "one way, polling (p50)", {"floor.cache_line", "floor: cache line"})};
}

std::string cpu_series(const TransportContest & contest) { return series("cpu", contest.transport, contest.size); }

std::vector<Group> transport_groups() {
  std::vector<Group> groups;
  for (const std::string & transport : transports()) {
    groups.push_back({kPrefix + transport, 1, make_transport, true});
  }
  for (const Bare & bare : bare_libraries()) {
    if (is_here(bare.transport)) {
      groups.push_back({kPrefix + std::string(bare.name), 1, bare.make, true});
    }
  }
  return groups;
}

std::vector<Contest> transport_contests(bool quick) {
  std::vector<Contest> list;
  for (const std::string & player : players()) {
    for (const std::size_t size : kSizes) {
      // Slow ones stop by the budget: a burst of any contestant takes about as long.
      const std::size_t samples = quick ? 10 : size > 100'000 ? 30 : 200;
      const Burst burst{samples / 10, samples, 1, std::chrono::milliseconds(quick ? 50 : 100)};
      list.push_back({series("block", player, size), kPrefix + player, burst});
      if (is_here(player)) {
        list.push_back({series("poll", player, size), kPrefix + player, burst});
      }
    }
  }
  return list;
}

std::vector<SeriesInfo> transport_infos() {
  std::vector<SeriesInfo> infos;
  for (const std::string & player : players()) {
    for (const std::size_t size : kSizes) {
      const std::string what = fmt::format("{}, {}", title(player), size_text(size));
      infos.push_back({series("block", player, size), "blocking, " + what});
      infos.push_back({series("cpu", player, size), "processor time, " + what});
      infos.push_back({series("poll", player, size), "polling, " + what});
    }
  }
  return infos;
}

std::vector<Target> transport_targets() {
  std::vector<Target> list;
  for (const std::string & transport : transports()) {
    for (const std::size_t size : kSizes) {
      if (transport != kDefaultTransport) {
        list.push_back({fmt::format("blocking, {}: default / {}", size_text(size), transport),
                        series("block", kDefaultTransport, size), series("block", transport, size), 1.0});
      }
    }
  }
  for (const Bare & bare : bare_libraries()) {
    for (const std::size_t size : kSizes) {
      list.push_back({fmt::format("blocking, {}: {} / {}", size_text(size), bare.transport, bare.what),
                      series("block", bare.transport, size), series("block", bare.name, size), kAdapterLimit});
    }
  }
  return list;
}

}  // namespace bench
