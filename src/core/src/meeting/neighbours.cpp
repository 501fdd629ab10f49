#include "meeting/neighbours.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "system/fence.hpp"
#include "system/log_later.hpp"

namespace tandem {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kAttempts = 3;  ///< to read a region, before a line says that it is ignored

/// Until the next attempt: it may be a moment's trouble, like a lack of descriptors, or somebody may mend it.
std::chrono::milliseconds pause_after(int attempts) {
  return std::chrono::milliseconds(500) * (1 << std::clamp(attempts - kAttempts, 0, 4));
}

}  // namespace

Neighbour * Neighbours::find(std::uint64_t incarnation) {
  const auto found = all_.find(incarnation);
  return found != all_.end() ? &found->second : nullptr;
}

// ---- who is there --------------------------------------------------------------------------------------------------

bool Neighbours::look(bool tick, Changes & changes) {
  // Our own directory before the roster: who has come meanwhile, and has not read it, is seen here.
  full_fence();
  const bool is_new = is_population_new();
  if (!tick && !is_new) {
    return false;
  }
  bool removed = list();
  for (auto it = all_.begin(); it != all_.end();) {
    if (it->first != self_ && has_left(it->second, tick)) {
      removed |= forget(it->first, it->second, changes);
      it = all_.erase(it);
    } else {
      ++it;
    }
  }
  return removed;
}

/// Without a roster everybody may be.
bool Neighbours::is_population_new() {
  const auto before = std::exchange(population_, presence_.population());  // as read before the folder
  return !population_ || population_ != before;
}

/// True if we have removed the names of somebody dead.
bool Neighbours::list() {
  const Folder & folder = presence_.folder();
  const Folder::Names names = presence_.is_entered() ? folder.names() : Folder::Names();
  if (names.error != 0) {
    list_at_next_look();
    presence_.warn_shortage(names.error, "the folder " + folder.path() + " cannot be read at the moment");
    return false;
  }
  for (auto & [incarnation, neighbour] : all_) {
    neighbour.is_listed = false;
  }
  folder.remove_stray_bells(names);
  std::erase_if(refused_, [&](const auto & refused) {
    return !std::binary_search(names.regions.begin(), names.regions.end(), refused.first);
  });
  bool removed = false;
  for (const std::uint64_t incarnation : names.regions) {
    if (Neighbour * const known = find(incarnation)) {
      known->is_listed = true;
    } else if (const auto refused = refused_.find(incarnation);
               refused == refused_.end() || Clock::now() >= refused->second.next) {
      removed |= add(incarnation);
    } else if (folder.is_abandoned(folder.region_path(incarnation))) {
      removed |= folder.remove(incarnation);
    }
  }
  return removed;
}

/// True if it was dead, and its names were there for us to remove.
bool Neighbours::add(std::uint64_t incarnation) {
  const Folder & folder = presence_.folder();
  const std::string path = folder.region_path(incarnation);
  std::string reason;
  errno = 0;
  auto peer = Peer::open(folder, incarnation, reason);
  if (const int error = errno; !peer && is_shortage(error)) {
    presence_.warn_shortage(error, "the region " + path + " cannot be opened yet, so its process is not known");
    return false;
  }
  if (peer && peer->probe()) {
    all_[incarnation].peer = std::move(peer);
    return false;
  }
  if (folder.is_abandoned(path)) {
    if (!peer && !reason.empty()) {
      log_later(LogLevel::kWarning, "the file " + path + " is removed: " + reason + ", and nobody holds it");
    }
    return folder.remove(incarnation);
  }
  if (inode_of(path) != 0) {
    Refusal & refusal = refused_[incarnation];
    refusal.next = Clock::now() + pause_after(++refusal.attempts);
    if (refusal.attempts == kAttempts) {
      log_later(LogLevel::kWarning, "the region " + path + " is ignored: " + reason);
    }
  }
  return false;
}

/// Asks the kernel: with n processes that costs n system calls a look.
bool Neighbours::has_left(Neighbour & neighbour, bool tick) const {
  Peer & peer = *neighbour.peer;
  if (!peer.probe()) {
    return true;
  }
  if (tick && peer.has_lost_bells()) {
    peer.look_for_bells(presence_.folder());
  }
  return !neighbour.is_listed && neighbour.publishers.empty() && neighbour.lanes.empty();
}

/// True if it had died and its name was still there.
bool Neighbours::forget(std::uint64_t incarnation, Neighbour & neighbour, Changes & changes) {
  neighbour.note_all(changes);
  Peer & peer = *neighbour.peer;
  if (peer.is_broken()) {
    peer.mark_broken("somebody has shortened its file");
    refused_[incarnation].next = Clock::time_point::max();
    return false;
  }
  return peer.is_dead() && neighbour.is_listed && presence_.folder().remove(incarnation);
}

// ---- what they say -------------------------------------------------------------------------------------------------

void Neighbours::read(Changes & changes) {
  full_fence();  // our own directory before theirs: of two that change at once, at least one sees the other
  for (auto & [incarnation, neighbour] : all_) {
    neighbour.refresh(presence_.tag(), self_, changes);
    if (neighbour.peer->is_dead() && !std::exchange(neighbour.is_known_dead, true)) {
      neighbour.note_all(changes);
    }
  }
}

bool Neighbours::read_own(Changes & changes) {
  Neighbour * const own = find(self_);
  return own != nullptr && own->refresh(presence_.tag(), self_, changes);
}

void Neighbours::ring(Neighbour & neighbour) {
  if (!neighbour.peer->is_dead()) {
    neighbour.peer->look_for_bells(presence_.folder());
    neighbour.peer->ring_bell(kHousekeepingBell);
  }
}

void Neighbours::ring(const std::set<std::uint64_t> & incarnations) {
  for (const std::uint64_t incarnation : incarnations) {
    if (Neighbour * const neighbour = incarnation != self_ ? find(incarnation) : nullptr) {
      ring(*neighbour);
    }
  }
}

void Neighbours::ring_all() {
  for (auto & [incarnation, neighbour] : all_) {
    if (incarnation != self_) {
      ring(neighbour);
    }
  }
}

void Neighbours::ring_graph_watchers() {
  for (auto & [incarnation, neighbour] : all_) {
    if (incarnation != self_ && (neighbour.peer->watching(std::memory_order_seq_cst) & kGraphWatcher) != 0) {
      ring(neighbour);
    }
  }
}

}  // namespace tandem
