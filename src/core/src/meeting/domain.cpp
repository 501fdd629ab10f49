// Coming, going, and looking at what has changed.
#include "meeting/domain.hpp"

#include "process/process.hpp"

namespace tandem {

Result<std::shared_ptr<Domain>, JoinError> Domain::open(Process & process, const RootFolder & root,
                                                        std::uint32_t number) {
  auto folder = Folder::open(root, number);
  if (!folder) {
    return tl::make_unexpected(folder.error());
  }
  return std::shared_ptr<Domain>(new Domain(process, *folder, root, number));
}

Domain::Domain(Process & process, Folder folder, const RootFolder & root, std::uint32_t number)
    : process_(process),
      presence_(process, std::move(folder), root, number),
      neighbours_(presence_, process.incarnation()),
      endpoints_(process, presence_, neighbours_) {}

Result<bool, JoinError> Domain::join() {
  if (!presence_.is_entered()) {
    if (auto entered = presence_.enter(); !entered) {
      return entered;
    }
    neighbours_.list_at_next_look();
    settle(Occasion::kCall);
  }
  ++users_;
  return true;
}

void Domain::leave() { presence_.leave(); }

void Domain::release_user() {
  if (process_.is_forked_away()) {
    return;
  }
  {
    const ProcessLock lock(process_.mutex());
    if (--users_ != 0) {
      return;
    }
    settle(Occasion::kRing);
    leave();
  }
  process_.wake_housekeeping();
}

void Domain::housekeep(bool tick) {
  const bool restored = tick && presence_.restore();
  settle(tick ? Occasion::kTick : Occasion::kRing);
  if (restored) {
    neighbours_.ring_all();  // who came meanwhile has not found us
  }
}

void Domain::settle(Occasion occasion) {
  const bool tick = occasion == Occasion::kTick;
  Changes changes;
  const bool somebody_died = neighbours_.look(tick, changes);
  neighbours_.read(changes);
  endpoints_.concern(changes);
  if (tick) {
    endpoints_.concern_all();
  } else if (occasion == Occasion::kRing) {
    endpoints_.concern_waiting();
  }
  endpoints_.match_concerned();
  const auto concerned = endpoints_.take_concerned_processes();
  if (somebody_died) {
    presence_.announce_population();
    neighbours_.ring_all();
  } else {
    neighbours_.ring(concerned);
  }
}

/// After a change of our own endpoints.
void Domain::announce_endpoint() {
  presence_.announce_change();
  settle(Occasion::kCall);
}

bool Domain::is_settled() {
  if (process_.is_forked_away()) {
    return true;
  }
  const ProcessLock lock(process_.mutex());
  settle(Occasion::kRing);
  return endpoints_.is_settled();
}

// ---- the graph -----------------------------------------------------------------------------------------------------

Graph Domain::graph() {
  if (process_.is_forked_away()) {
    return {};
  }
  const ProcessLock lock(process_.mutex());
  settle(Occasion::kCall);
  Graph graph;
  for (const auto & [incarnation, neighbour] : neighbours_.all()) {
    if (!neighbour.is_listed && incarnation != process_.incarnation()) {
      continue;
    }
    ProcessInfo process;
    process.incarnation = incarnation;
    process.pid = neighbour.peer->pid();
    process.executable = neighbour.peer->executable();
    for (const auto & [number, node] : neighbour.nodes) {
      process.nodes.push_back(node);
    }
    for (const auto * endpoints : {&neighbour.publishers, &neighbour.subscriptions}) {
      for (const auto & [number, endpoint] : *endpoints) {
        if (!endpoint.entry.closed) {
          process.endpoints.push_back(endpoint.info);
        }
      }
    }
    graph.processes.push_back(std::move(process));
  }
  return graph;
}

std::uint64_t Domain::graph_version() const {
  if (process_.is_forked_away()) {
    return 0;
  }
  const ProcessLock lock(process_.mutex());
  return presence_.version();
}

}  // namespace tandem
