// Presence in a domain: names in the folder, the roster, and what is due every second.
#include "domain.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "guard.hpp"
#include "process.hpp"

namespace tandem {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kRestoreInterval{900};  ///< what cannot be restored must not keep everybody busy

/// Removes what others have put under a name of ours.
void clear_name(const std::string & path, ino_t ours) {
  if (const ino_t present = inode_of(path); present != 0 && present != ours) {
    ::remove(path.c_str());
  }
}

}  // namespace

Result<std::shared_ptr<Domain>, JoinError> Domain::open(Process & process, const Home & home, std::uint32_t number) {
  auto folder = Folder::open(home, number);
  if (!folder) {
    return tl::make_unexpected(folder.error());
  }
  return std::shared_ptr<Domain>(new Domain(process, *folder, home, number));
}

Domain::~Domain() {
  if (roster_) {
    guard::unwatch(roster_.base());
  }
}

Result<bool, JoinError> Domain::join() {
  ++users_;
  if (joined_) {
    return true;
  }
  folder_.restore();
  {
    FolderLock lock(home_);
    open_roster();
    if (!give_names()) {
      const int error = errno;
      --users_;
      folder_.remove(process_.incarnation());
      folder_.remove_if_empty();
      return tl::make_unexpected(Failure<JoinError>{
          JoinError::kNoDirectory, "the folder " + folder_.path() + " of domain " + std::to_string(number_) +
                                       " cannot be written: " + error_text(error) + ". " + remedy(error, home_)});
    }
  }
  joined_ = true;
  next_look_ = {};
  announce(true);
  settle_own();
  return true;
}

/// The bells first: who finds the region will look for them.
bool Domain::give_names() {
  Region & region = process_.region();
  const std::string region_path = folder_.region_path(region.incarnation());
  const std::string bell_path = folder_.bell_path(region.incarnation());
  clear_name(region_path, region_name_);
  clear_name(bell_path, bell_name_);
  const bool given = folder_.give_name(region.bell_file(), region.bell_view(), bell_path) &&
                     folder_.give_name(region.file(), region.view(), region_path);
  if (given) {
    region.provide_views(region_path, bell_path);
    region_name_ = inode_of(region_path);
    bell_name_ = inode_of(bell_path);
  }
  return given;
}

void Domain::leave() {
  if (joined_) {
    FolderLock lock(home_);
    folder_.remove(process_.incarnation());
    for (const std::uint64_t incarnation : folder_.list()) {
      if (folder_.is_abandoned(folder_.region_path(incarnation))) {
        folder_.remove(incarnation);
      }
    }
    announce(true);
    folder_.remove_if_empty();
    joined_ = false;
  }
}

void Domain::release_user() {
  if (process_.is_forked_away()) {
    return;
  }
  {
    std::scoped_lock lock(process_.mutex());
    if (--users_ != 0) {
      return;
    }
    settle_own();
    leave();
  }
  process_.wake_housekeeping();
}

bool Domain::is_finished() const {
  return users_ == 0 && publishers_.empty() && subscriptions_.empty() && remnants_.empty();
}

/// The roster is but a hint: without one, changes of the graph are noticed late.
void Domain::open_roster() {
  File file = folder_.open_roster();
  if (!file) {
    if (warned_.emplace("", "roster").second) {
      log_later(LogLevel::kWarning, folder_.roster_path() + " cannot be made: " + error_text(errno) +
                                        ". Remove what has its name, or changes of the graph are noticed late");
    }
    return;
  }
  if (roster_) {
    guard::unwatch(roster_.base());
  }
  roster_ = Mapping(file, 4096, true);
  struct stat status {};
  fstat(file.get(), &status);
  roster_inode_ = status.st_ino;
  roster_broken_ = false;
  if (roster_) {
    guard::watch(roster_.base(), 4096, true, &roster_broken_);
  }
}

/// Somebody (systemd-logind, a zealous cleaner) may have deleted or replaced what belongs to us.
bool Domain::is_intact() const {
  const Region & region = process_.region();
  struct stat status {};
  return roster_ && !roster_broken_ && stat(folder_.roster_path().c_str(), &status) == 0 &&
         status.st_ino == roster_inode_ && inode_of(folder_.region_path(region.incarnation())) == region_name_ &&
         inode_of(folder_.bell_path(region.incarnation())) == bell_name_;
}

/// Tells everybody that our directory, or the folder, has changed.
void Domain::announce(bool somebody_came_or_went) {
  if (Roster * const roster = this->roster()) {
    if (somebody_came_or_went) {
      roster->population.fetch_add(1, std::memory_order_seq_cst);
    }
    roster->version.fetch_add(1, std::memory_order_seq_cst);
  }
  for (const auto & [incarnation, neighbour] : neighbours_) {
    if (incarnation != process_.incarnation() && !neighbour.peer->is_dead()) {
      neighbour.peer->ring_bell(kHousekeepingBell);
    }
  }
}

std::uint64_t Domain::graph_version() const {
  if (process_.is_forked_away()) {
    return 0;
  }
  std::scoped_lock lock(process_.mutex());
  const Roster * const roster = this->roster();
  return roster != nullptr ? roster->version.load() : 0;
}

void Domain::keep_house() {
  process_.region().restore_bells();
  const auto now = Clock::now();
  if (joined_ && now >= next_restore_ && !is_intact()) {
    next_restore_ = now + kRestoreInterval;
    restore();
  }
  settle_own();
}

bool Domain::make_room(bool at_any_cost) {
  bool lost = false;
  for (auto & [number, own] : publishers_) {
    lost |= own.body->make_room(at_any_cost);
  }
  return lost;
}

void Domain::trim(bool idle) {
  for (auto & [number, own] : publishers_) {
    own.body->trim(idle);
  }
}

void Domain::restore() {
  {
    FolderLock lock(home_);
    folder_.restore();
    open_roster();
    give_names();
  }
  const std::uint32_t tag = tag_of(folder_.home_key(), number_);
  process_.directory().retag(std::exchange(tag_, tag), tag);
  next_look_ = {};
  dirty_ |= look_for_peers();  // who came meanwhile has not found us, so is rung as well
  announce(true);
}

/// Looks at everybody and matches until nothing changes any more. In an idle system that is a look at each peer's
/// lock and directory version, and at our own lanes and readers.
void Domain::settle_own() {
  bool changed = look_for_peers();
  changed |= std::exchange(dirty_, false);
  for (int round = 0; round < 8; ++round) {
    for (auto & [incarnation, neighbour] : neighbours_) {
      changed |= neighbour.refresh(tag_, process_.incarnation());
    }
    changed = changed ? match() : end_matches();
    if (!changed) {
      break;
    }
  }
  for (const std::uint64_t incarnation : concerned_) {
    const auto neighbour = neighbours_.find(incarnation);
    if (neighbour != neighbours_.end() && incarnation != process_.incarnation()) {
      neighbour->second.peer->ring_bell(kHousekeepingBell);
    }
  }
  concerned_.clear();
}

// ---- the graph -----------------------------------------------------------------------------------------------------

Graph Domain::graph() {
  if (process_.is_forked_away()) {
    return {};
  }
  std::scoped_lock lock(process_.mutex());
  settle_own();
  Graph graph;
  for (const auto & [incarnation, neighbour] : neighbours_) {
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

}  // namespace tandem
