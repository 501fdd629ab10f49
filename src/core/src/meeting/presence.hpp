// This process's presence in a domain: the names of its region and bells in the folder, and the roster.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "folder/folder.hpp"
#include "layout/layout.hpp"
#include "system/file.hpp"
#include "system/log_later.hpp"
#include "system/process_lock.hpp"

namespace tandem {

class Process;

/// Of a domain, which guards it by the process's mutex.
class Presence {
 public:
  Presence(Process & process, Folder folder, const RootFolder & root, std::uint32_t number);
  ~Presence();
  Presence(const Presence &) = delete;
  Presence & operator=(const Presence &) = delete;

  bool is_of(std::uint32_t number, const std::string & root) const { return number == number_ && root == root_; }
  const Folder & folder() const { return folder_; }
  const std::string & root() const { return root_; }
  /// Of our directory entries: a process may be in domains of one number in two directories.
  std::uint32_t tag() const { return tag_; }

  /// Gives our files their names. Everybody who lists the folder from now on finds us.
  Result<bool, JoinError> enter();
  /// Takes the names back, and removes those whose owners have died.
  void leave();
  bool is_entered() const { return entered_; }
  /// Puts back what somebody (systemd-logind, a cleaning job) has deleted or replaced. True if there was anything.
  bool restore() TANDEM_REQUIRES(process_mutex);

  /// A directory has changed: tells those who watch the graph.
  void announce_change();
  /// Somebody has come, gone or been removed: everybody who looks at the roster from now on lists the folder.
  void announce_population();
  /// Bumped by announce_change(); 0 without a roster.
  std::uint64_t version() const;
  /// Bumped by announce_population(). Nothing without a roster: it is but a hint.
  std::optional<std::uint64_t> population() const;

  /// Says, now and then, what is short, and how to help it.
  void warn_shortage(int error, const std::string & what);

 private:
  void open_roster();
  bool give_names();
  bool is_intact() const;
  Roster * roster() const { return roster_ && !roster_broken_ ? reinterpret_cast<Roster *>(roster_.base()) : nullptr; }

  Process & process_;
  const Folder folder_;
  const std::string root_;
  const std::uint32_t number_;
  std::uint32_t tag_;
  bool entered_ = false;
  Mapping roster_;
  std::uint64_t roster_inode_ = 0;
  std::atomic<bool> roster_broken_ = false;
  bool is_roster_warned_ = false;
  ino_t region_name_ = 0;  ///< inode of what we gave our region's name to
  ino_t bell_name_ = 0;
  RateLimiter shortage_limiter_;
};

}  // namespace tandem
