// Coming, going, and looking at what has changed.
#include "meeting/domain.hpp"

#include <utility>

#include "process/process.hpp"

namespace tandem {

Result<std::shared_ptr<Domain>, JoinError> Domain::join(Process & process, std::uint32_t number) {
  const std::string name = "the domain " + std::to_string(number);
  if (number > kMaxDomain) {
    return tl::make_unexpected(Failure<JoinError>{
        JoinError::kBadDomain, name + " is not one: ROS_DOMAIN_ID must be 0 to " + std::to_string(kMaxDomain)});
  }
  auto root = RootFolder::open();  // asked anew: TANDEM_SHM_DIR may have changed, and why a join fails may differ
  if (!root) {
    return tl::make_unexpected(root.error());
  }
  const ProcessLock lock(process.mutex());
  auto domain = find(process, number, root->path);
  const bool is_new = domain == nullptr;
  if (is_new) {
    auto folder = Folder::open(*root, number);
    if (!folder) {
      return tl::make_unexpected(folder.error());
    }
    domain.reset(new Domain(process, *folder, *root, number));
  }
  if (auto added = domain->add_user(); !added) {
    return tl::make_unexpected(added.error());
  }
  if (is_new && !process.look_after(domain)) {
    domain->leave();
    return tl::make_unexpected(Failure<JoinError>{
        JoinError::kNoMemory, name +
                                  " cannot be joined: no thread can be started. Raise this user's limit of processes "
                                  "(ulimit -u) or of memory (ulimit -v)"});
  }
  return domain;
}

/// The one that this process has joined in that folder, or null.
std::shared_ptr<Domain> Domain::find(Process & process, std::uint32_t number, const std::string & root) {
  for (const auto & joined : process.domains()) {
    auto domain = std::static_pointer_cast<Domain>(joined);  // a process has no others
    if (domain->presence_.is_of(number, root)) {
      return domain;
    }
  }
  return nullptr;
}

Domain::Domain(Process & process, Folder folder, const RootFolder & root, std::uint32_t number)
    : process_(process),
      presence_(process, std::move(folder), root, number),
      neighbours_(presence_, process.incarnation()),
      endpoints_(process, presence_, neighbours_) {}

Result<bool, JoinError> Domain::add_user() {
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
  if (!tick) {
    return;
  }
  for (const auto & weak : wait_sets_) {
    if (const auto wait_set = weak.lock()) {
      wait_set->look();
    }
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
  tell_graph_watchers();
}

/// After a change of our own directory.
void Domain::announce_change() {
  presence_.announce_change();
  settle(Occasion::kCall);
  neighbours_.ring_graph_watchers();
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

std::shared_ptr<Notifier> Domain::watch_graph(Notifier::Listener listener) {
  auto watcher = std::make_shared<Notifier>();
  watcher->set_listener(std::move(listener));
  if (process_.is_forked_away()) {
    return watcher;
  }
  const ProcessLock lock(process_.mutex());
  process_.region().header().watching.fetch_or(kGraphWatcher, std::memory_order_seq_cst);
  if (graph_watchers_.empty()) {
    told_version_ = presence_.version();
  }
  graph_watchers_.push_back(watcher);
  return watcher;
}

void Domain::tell_graph_watchers() {
  if (graph_watchers_.empty()) {
    return;
  }
  const std::uint64_t version = presence_.version();
  if (std::exchange(told_version_, version) == version) {
    return;
  }
  std::erase_if(graph_watchers_, [](const auto & watcher) { return watcher.expired(); });
  for (const auto & weak : graph_watchers_) {
    if (auto watcher = weak.lock()) {
      notify_later(std::move(watcher));
    }
  }
}

}  // namespace tandem
