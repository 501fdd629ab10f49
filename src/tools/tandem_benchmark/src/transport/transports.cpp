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

/// The player's contests. A library alone is not polled.
Suite suite_of(const std::string & player, const std::string & title, const Factory & make, bool is_polled,
               const Length & length) {
  Suite suite{kPrefix + player, 1, make, true};
  for (const std::size_t size : kSizes) {
    // Slow ones stop by the budget: a burst of any contestant takes about as long.
    const std::size_t samples = length.is_quick() ? 10 : size > 100'000 ? 30 : 200;
    const Burst burst{samples / 10, samples, 1, std::chrono::milliseconds(length.is_quick() ? 50 : 100)};
    const TransportContest contest(false, player, size);
    const std::string what = fmt::format("{}, {}", title, size_text(size));
    suite.add(contest.series("block"), burst, "blocking, " + what);
    suite.figures.push_back({contest.series("cpu"), "processor time, " + what});
    if (is_polled) {
      suite.add(contest.series("poll"), burst, "polling, " + what);
    }
  }
  return suite;
}

/// The most that `player` may need of what `other` needs, blocking.
void compare(Suite & suite, const std::string & player, const char * title, const std::string & other,
             const std::string & other_title, double limit) {
  for (const std::size_t size : kSizes) {
    suite.targets.push_back({fmt::format("blocking, {}: {} / {}", size_text(size), title, other_title),
                             TransportContest(false, player, size).series("block"),
                             TransportContest(false, other, size).series("block"), limit});
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
    suites.push_back(suite_of(transport, transport, make_transport, true, length));
    if (transport != kDefaultTransport) {
      compare(suites.back(), kDefaultTransport, "default", transport, transport, 1.0);
    }
  }
  for (const Bare & bare : bare_libraries()) {
    if (std::find(built.begin(), built.end(), bare.transport) != built.end()) {
      suites.push_back(suite_of(bare.name, bare.title, bare.make, false, length));
      compare(suites.back(), bare.transport, bare.transport, bare.name, bare.title, kAdapterLimit);
    }
  }
  return suites;
}

}  // namespace bench
