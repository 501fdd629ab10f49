// Who is in a domain besides us: found in its folder, watched while they live, their directories read.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "folder/folder.hpp"
#include "meeting/neighbour.hpp"
#include "meeting/presence.hpp"

namespace tandem {

/// Of a domain, which guards it by the process's mutex. The own process is one of them, so that messages within it take the same way.
class Neighbours {
 public:
  using Map = std::map<std::uint64_t, Neighbour>;  ///< by incarnation

  Neighbours(Presence & presence, std::uint64_t self) : presence_(presence), self_(self) {}

  /// Lists the folder and looks at everybody's lock if somebody has come or gone, and at each tick. True if
  /// somebody was found dead and removed by us: nobody else knows yet.
  bool look(bool tick, Changes & changes) TANDEM_REQUIRES(process_mutex);
  /// The next look lists the folder whatever the roster says.
  void list_at_next_look() { population_.reset(); }
  /// Reads what has changed in everybody's directory.
  void read(Changes & changes);
  /// The same for our own. True if there was anything.
  bool read_own(Changes & changes);

  Map & all() { return all_; }
  const Map & all() const { return all_; }
  Neighbour * find(std::uint64_t incarnation);
  std::uint64_t self() const { return self_; }

  /// Wakes the housekeeping of those processes.
  void ring(const std::set<std::uint64_t> & incarnations) TANDEM_REQUIRES(process_mutex);
  void ring_all() TANDEM_REQUIRES(process_mutex);
  /// Those who want to know of changes of the graph.
  void ring_graph_watchers() TANDEM_REQUIRES(process_mutex);

 private:
  struct Refusal {
    int attempts = 0;
    std::chrono::steady_clock::time_point next;  ///< when it is tried again
  };
  bool is_population_new();
  bool list() TANDEM_REQUIRES(process_mutex);
  bool add(std::uint64_t incarnation) TANDEM_REQUIRES(process_mutex);
  bool has_left(Neighbour & neighbour, bool tick) const TANDEM_REQUIRES(process_mutex);
  bool forget(std::uint64_t incarnation, Neighbour & neighbour, Changes & changes);
  void ring(Neighbour & neighbour) TANDEM_REQUIRES(process_mutex);

  Presence & presence_;
  const std::uint64_t self_;
  Map all_;
  std::map<std::uint64_t, Refusal> refused_;  ///< files that are no regions, or not for us
  std::optional<std::uint64_t> population_;   ///< of the roster, before the folder was last read
};

}  // namespace tandem
