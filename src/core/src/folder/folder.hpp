// The folder in shared memory where the processes of one domain find each other.
//
//   <root folder> / <domain> / roster, <incarnation>.region, <incarnation>.bell
//
// The root folder (root_folder.hpp) says who may read and write it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "folder/root_folder.hpp"
#include "system/file.hpp"

namespace tandem {

/// The mark of a domain's entries in a region's directory; `key` is RootFolder::key.
inline std::uint32_t tag_of(std::uint32_t key, std::uint32_t number) { return (key & ~0xffU) | number; }

/// The path of a domain's folder, and what is done there. A plain value; every call goes to the file system.
class Folder {
 public:
  /// Creates the folder if it is missing, and verifies it.
  static Result<Folder, JoinError> open(const RootFolder & root, std::uint32_t domain);
  /// As open(), but creates nothing and opens files of the root folder's owner, not of this user. `objection` is empty if
  /// the folder may be used.
  static Folder look(const RootFolder & root, std::uint32_t domain, std::string & objection);

  const std::string & path() const { return path_; }
  std::string region_path(std::uint64_t incarnation) const;
  std::string bell_path(std::uint64_t incarnation) const;
  std::string roster_path() const { return path_ + "/roster"; }

  /// Incarnations that have a region here, and those that have bells.
  struct Names {
    std::vector<std::uint64_t> regions;  ///< in ascending order
    std::vector<std::uint64_t> bells;
    int error = 0;  ///< errno when descriptors or memory are too short to read the folder now; 0 otherwise
  };
  Names names() const;
  std::vector<std::uint64_t> list() const { return names().regions; }
  /// Removes bells without a region: their owner died after it named, or removed, one of the two files.
  void remove_stray_bells(const Names & names) const;

  /// Opens another process's file, or receives it where a socket is in its place (see give_name). Refuses files of users
  /// that may not write here. Empty on failure, with `reason`.
  File open_file(const std::string & path, bool writable, std::string & reason) const;

  /// Links an unnamed file into the folder. The kernel refuses that once all names of the file were deleted; then a socket
  /// is put there that sends `view`, a description of the same file. False on failure, with errno set.
  bool give_name(const File & file, const File & view, const std::string & path) const;

  /// Opens the roster. Creates it if it is missing, and replaces what is not a usable one. Empty on failure.
  File open_roster() const;

  /// Whether the owner of a region or bell has ended. Owners lock these files before they name them, so a file without a
  /// lock has lost its owner.
  bool is_abandoned(const std::string & path) const;
  /// Removes the region and the bell of an incarnation. False if the region was removed already.
  bool remove(std::uint64_t incarnation) const;
  /// Removes the folder if nobody is left in it.
  void remove_if_empty() const;

  /// Creates the folder and its root again if somebody has deleted them. \return 0 or errno.
  int restore() const;
  /// RootFolder::key as it is now: it changes when the directory is deleted and created again.
  std::uint32_t root_key() const;

 private:
  Folder(const RootFolder & root, std::uint32_t domain, uid_t owner);
  int create(const std::string & path) const;

  RootFolder root_;
  std::string path_;
  uid_t owner_;  ///< of files that may be opened where the folder is not shared
};

/// Excludes joins and leaves of other processes while it lives. Advisory: it waits for a tenth of a second at most, so a
/// stopped process that holds the lock delays others but does not stop them.
class FolderLock {
 public:
  explicit FolderLock(const std::string & path);
  bool is_held() const { return is_held_; }

 private:
  File directory_;
  bool is_held_ = false;
};

}  // namespace tandem
