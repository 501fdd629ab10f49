// The suites of the transports: one for each that is built, and one for each library of theirs without our adapter.
#include <fmt/format.h>

#include <algorithm>

#include "common/suites.hpp"
#include "tandem/plugin.hpp"
#include "transport/sized_round_trip.hpp"

namespace bench {
namespace {

constexpr const char * kPrefix = "transports.";
constexpr const char * kDefaultTransport = "rmw_tandem_cpp";
constexpr double kAdapterLimit = 1.15;

/// A library without our adapter, doing the same serialization and waiting, and the transport over it.
struct Bare {
  const char * name;
  const char * transport;
  const char * title;
  Factory make;
};

std::vector<Bare> bare_libraries() {
  return {
#ifdef WITH_FASTDDS
      {"fastdds", "rmw_fastrtps_cpp", "Fast DDS alone", make_bare_fastdds},
#endif
#ifdef WITH_ZEROMQ
      {"zeromq", "rmw_zeromq_cpp", "ZeroMQ alone", make_bare_zeromq},
#endif
  };
}

/// Who plays: a transport, or a library without our adapter.
struct Player {
  std::string name;
  std::string title;
};

/// The player's contests. A library alone is not polled.
Suite suite_of(const Player & player, const Factory & make, bool is_polled, const Length & length) {
  Suite suite{kPrefix + player.name, 1, make, true};
  for (const std::size_t size : kSizes) {
    // Slow ones stop by the budget: a burst of any contestant takes about as long.
    const std::size_t samples = length.is_quick() ? 10 : size > 100'000 ? 30 : 200;
    const Burst burst{samples / 10, samples, 1, std::chrono::milliseconds(length.is_quick() ? 50 : 100)};
    const TransportContest contest(false, player.name, size);
    const std::string what = fmt::format("{}, {}", player.title, size_text(size));
    suite.add(contest.series("block"), burst, "blocking, " + what);
    suite.figures.push_back({contest.series("cpu"), "processor time, " + what});
    if (is_polled) {
      suite.add(contest.series("poll"), burst, "polling, " + what);
    }
  }
  return suite;
}

/// The most that a player may need of what the other one needs, blocking.
void compare(Suite & suite, const Player & player, const Player & other, double limit) {
  for (const std::size_t size : kSizes) {
    suite.targets.push_back({fmt::format("blocking, {}: {} / {}", size_text(size), player.title, other.title),
                             TransportContest(false, player.name, size).series("block"),
                             TransportContest(false, other.name, size).series("block"), limit});
  }
}

}  // namespace

TransportContest::TransportContest(const std::string & name) {
  const std::size_t how = std::string(kPrefix).size();
  const std::size_t who = name.find('.', how) + 1;
  const std::size_t bytes = name.rfind('.') + 1;
  polls = name.compare(how, 4, "poll") == 0;
  player = name.substr(who, bytes - who - 1);
  size = std::stoul(name.substr(bytes));
}

std::string TransportContest::series(const char * how) const {
  return fmt::format("{}{}.{}.{}", kPrefix, how, player, size);
}

std::vector<Suite> transport_suites(const Length & length) {
  const std::vector<std::string> built = tandem::transport::available();
  std::vector<Suite> suites;
  for (const std::string & transport : built) {
    const Player player{transport, transport};
    suites.push_back(suite_of(player, make_transport, true, length));
    if (transport != kDefaultTransport) {
      compare(suites.back(), {kDefaultTransport, "default"}, player, 1.0);
    }
  }
  for (const Bare & bare : bare_libraries()) {
    if (std::find(built.begin(), built.end(), bare.transport) != built.end()) {
      const Player player{bare.name, bare.title};
      suites.push_back(suite_of(player, bare.make, false, length));
      compare(suites.back(), {bare.transport, bare.transport}, player, kAdapterLimit);
    }
  }
  return suites;
}

}  // namespace bench
