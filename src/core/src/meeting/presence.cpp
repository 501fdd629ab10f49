#include "meeting/presence.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "memory/guard.hpp"
#include "process/process.hpp"

namespace tandem {
namespace {

/// Removes what others have put under a name of ours.
void clear_name(const std::string & path, ino_t ours) {
  if (const ino_t present = inode_of(path); present != 0 && present != ours) {
    ::remove(path.c_str());
  }
}

}  // namespace

Presence::Presence(Process & process, Folder folder, const RootFolder & root, std::uint32_t number)
    : process_(process),
      folder_(std::move(folder)),
      root_(root.path),
      number_(number),
      tag_(tag_of(root.key, number)) {}

Presence::~Presence() {
  if (roster_) {
    guard::unwatch(roster_.base());
  }
}

Result<bool, JoinError> Presence::enter() {
  folder_.restore();
  {
    FolderLock lock(root_);
    open_roster();
    if (!give_names()) {
      const int error = errno;
      folder_.remove(process_.incarnation());
      folder_.remove_if_empty();
      return tl::make_unexpected(Failure<JoinError>{
          JoinError::kNoDirectory, "the folder " + folder_.path() + " of domain " + std::to_string(number_) +
                                       " cannot be written: " + error_text(error) + ". " + remedy(error, root_)});
    }
  }
  entered_ = true;
  announce_population();
  return true;
}

/// The bells first: who finds the region will look for them.
bool Presence::give_names() {
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

void Presence::leave() {
  if (!entered_) {
    return;
  }
  FolderLock lock(root_);
  folder_.remove(process_.incarnation());
  for (const std::uint64_t incarnation : folder_.list()) {
    if (folder_.is_abandoned(folder_.region_path(incarnation))) {
      folder_.remove(incarnation);
    }
  }
  announce_population();
  folder_.remove_if_empty();
  entered_ = false;
}

/// Without a roster changes of the graph are noticed late, and that is all.
void Presence::open_roster() {
  File file = folder_.open_roster();
  if (!file) {
    if (!std::exchange(is_roster_warned_, true)) {
      log_later(LogLevel::kWarning, folder_.roster_path() + " cannot be made: " + error_text(errno) +
                                        ". Remove what has its name, or changes of the graph are noticed late");
    }
    return;
  }
  if (roster_) {
    guard::unwatch(roster_.base());
  }
  roster_ = Mapping(file, 4096, Mapping::Access::kWrite);
  struct stat status {};
  fstat(file.get(), &status);
  roster_inode_ = status.st_ino;
  roster_broken_ = false;
  if (roster_) {
    guard::watch(roster_.base(), 4096, true, &roster_broken_);
  }
}

bool Presence::is_intact() const {
  const Region & region = process_.region();
  struct stat status {};
  return roster_ && !roster_broken_ && stat(folder_.roster_path().c_str(), &status) == 0 &&
         status.st_ino == roster_inode_ && inode_of(folder_.region_path(region.incarnation())) == region_name_ &&
         inode_of(folder_.bell_path(region.incarnation())) == bell_name_;
}

bool Presence::restore() {
  if (!entered_ || is_intact()) {
    return false;
  }
  {
    FolderLock lock(root_);
    folder_.restore();
    open_roster();
    give_names();
  }
  const std::uint32_t tag = tag_of(folder_.root_key(), number_);
  process_.directory().retag(std::exchange(tag_, tag), tag);
  announce_population();
  return true;
}

void Presence::announce_change() {
  if (Roster * const roster = this->roster()) {
    roster->version.fetch_add(1, std::memory_order_seq_cst);
  }
}

void Presence::announce_population() {
  if (Roster * const roster = this->roster()) {
    roster->population.fetch_add(1, std::memory_order_seq_cst);
    roster->version.fetch_add(1, std::memory_order_seq_cst);
  }
}

std::uint64_t Presence::version() const {
  const Roster * const roster = this->roster();
  return roster != nullptr ? roster->version.load() : 0;
}

std::optional<std::uint64_t> Presence::population() const {
  const Roster * const roster = this->roster();
  return roster != nullptr ? std::optional(roster->population.load(std::memory_order_seq_cst)) : std::nullopt;
}

void Presence::warn_shortage(int error, const std::string & what) {
  if (shortage_limiter_.is_due()) {
    log_later(LogLevel::kWarning, what + ": " + error_text(error) + ". " + remedy(error, root_));
  }
}

}  // namespace tandem
