// Processes that come and go.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "domain.hpp"
#include "process.hpp"

namespace tandem {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kAttempts = 3;                             ///< to read a region, before a line says that it is ignored
constexpr std::chrono::milliseconds kLookInterval{900};  ///< less than housekeeping sleeps, so that each time is due

/// Until the next attempt: it may be a moment's trouble, like a lack of descriptors, or somebody may mend it.
std::chrono::milliseconds pause_after(int attempts) {
  return std::chrono::milliseconds(500) * (1 << std::clamp(attempts - kAttempts, 0, 4));
}

}  // namespace

/// Once a second, and whenever the roster says that somebody came or went: with n processes one look costs n system
/// calls, and each of their endpoints wakes everybody.
bool Domain::is_time_to_look() {
  const auto now = Clock::now();
  const Roster * const roster = this->roster();
  const std::uint64_t population = roster != nullptr ? roster->population.load(std::memory_order_seq_cst) : 0;
  if (now < next_look_ && population == population_ && roster != nullptr) {
    return false;
  }
  population_ = population;  // as read before the folder: a later change is seen next time
  next_look_ = now + kLookInterval;
  return true;
}

void Domain::list_peers() {
  const Folder::Names names = folder_.names();
  if (names.error != 0) {
    complain(names.error, "the folder " + folder_.path() + " cannot be read at the moment");
    return;
  }
  folder_.remove_stray_bells(names);
  const auto & listed = names.regions;
  for (auto & [incarnation, neighbour] : neighbours_) {
    neighbour.is_listed = false;
  }
  std::erase_if(refused_, [&](const auto & refused) {
    return std::find(listed.begin(), listed.end(), refused.first) == listed.end();
  });
  for (const std::uint64_t incarnation : listed) {
    const auto known = neighbours_.find(incarnation);
    if (known != neighbours_.end()) {
      known->second.is_listed = true;
    } else if (const auto refused = refused_.find(incarnation);
               refused == refused_.end() || Clock::now() >= refused->second.next) {
      meet(incarnation);
    } else if (folder_.is_abandoned(folder_.region_path(incarnation))) {
      folder_.remove(incarnation);
    }
  }
}

/// True when somebody came or went.
bool Domain::look_for_peers() {
  if (!is_time_to_look()) {
    return false;
  }
  const std::size_t before = neighbours_.size();
  if (joined_) {
    list_peers();
  } else {
    for (auto & [incarnation, neighbour] : neighbours_) {
      neighbour.is_listed = false;
    }
  }
  bool died = false;
  bool changed = neighbours_.size() != before;
  for (auto it = neighbours_.begin(); it != neighbours_.end();) {
    Neighbour & neighbour = it->second;
    const bool is_self = it->first == process_.incarnation();
    const bool alive = is_self || neighbour.peer->probe();
    const bool needed = neighbour.is_listed || is_self || !neighbour.publishers.empty() || !neighbour.lanes.empty();
    if (alive && needed) {
      neighbour.peer->look_for_bells(folder_);
      ++it;
      continue;
    }
    if (!alive && neighbour.is_listed && !neighbour.peer->is_broken()) {
      folder_.remove(it->first);
    } else if (neighbour.peer->is_broken()) {
      neighbour.peer->mark_broken("somebody has shortened its file");
      refused_[it->first].next = Clock::time_point::max();
    }
    died |= !alive;
    changed = true;
    it = neighbours_.erase(it);
  }
  if (died) {
    announce(true);
  }
  return changed;
}

/// Says, now and then, what is short, and how to help it.
void Domain::complain(int error, const std::string & what) {
  if (shortage_line_.is_due()) {
    log_later(LogLevel::kWarning, what + ": " + error_text(error) + ". " + remedy(error, home_));
  }
}

void Domain::meet(std::uint64_t incarnation) {
  const std::string path = folder_.region_path(incarnation);
  std::string reason;
  errno = 0;
  auto peer = Peer::open(folder_, incarnation, reason);
  if (const int error = errno; !peer && is_shortage(error)) {
    complain(error, "the region " + path + " cannot be opened yet, so its process is not met");
    return;
  }
  if (peer && peer->probe()) {
    Neighbour neighbour;
    neighbour.peer = std::move(peer);
    neighbours_.emplace(incarnation, std::move(neighbour));
    return;
  }
  if (folder_.is_abandoned(path)) {
    if (!peer && !reason.empty()) {
      log_later(LogLevel::kWarning, "the file " + path + " is removed: " + reason + ", and nobody holds it");
    }
    folder_.remove(incarnation);
  } else if (inode_of(path) != 0) {
    Refusal & refusal = refused_[incarnation];
    refusal.next = Clock::now() + pause_after(++refusal.attempts);
    if (refusal.attempts == kAttempts) {
      log_later(LogLevel::kWarning, "the region " + path + " is ignored: " + reason);
    }
  }
}

}  // namespace tandem
