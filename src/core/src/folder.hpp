// The folder in shared memory where the processes of one domain find each other.
//
//   $TANDEM_SHM_DIR (default /dev/shm/tandem-<uid>) / <domain> / roster, <incarnation>.region, <incarnation>.bell
//
// A folder of one's own has mode 0700. A folder that its owner opened to a group (0770) is shared with that group.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "file.hpp"
#include "tandem/error.hpp"
#include "tandem/participant.hpp"

namespace tandem {

/// What TANDEM_SHM_DIR says; empty where nobody has chosen.
std::string chosen_root();

/// The directory of all domains, created and verified: ours or opened to a group of ours, and to nobody else.
struct RootFolder {
  std::string path;
  mode_t file_mode = 0600;  ///< of what everybody writes: 0660 where the folder is shared with a group
  uid_t owner = 0;
  gid_t group = 0;        ///< that group
  std::uint32_t key = 0;  ///< the same for everybody who sees this directory, another for every other one
  mode_t region_mode() const { return file_mode & 0640; }  ///< of what its owner alone writes
  /// A key of the directory that `status` tells of.
  static std::uint32_t key_of(const struct stat & status);
  /// Gives a new file its mode and group.
  void share(const File & file, mode_t mode) const;
  static Result<RootFolder, JoinError> open();
  /// As open(), but makes nothing. `objection` is empty if the directory may be used; a path alone is known otherwise.
  static RootFolder look(const std::string & chosen, std::string & objection);
};

/// The mark of a domain's entries in a region's directory; `key` is RootFolder::key.
inline std::uint32_t tag_of(std::uint32_t key, std::uint32_t number) { return (key & ~0xffU) | number; }

class Folder {
 public:
  static Result<Folder, JoinError> open(const RootFolder & root, std::uint32_t domain);
  /// As open(), but makes nothing. Files of the directory's owner are opened.
  static Folder look(const RootFolder & root, std::uint32_t domain, std::string & objection);

  const std::string & path() const { return path_; }
  std::string region_path(std::uint64_t incarnation) const;
  std::string bell_path(std::uint64_t incarnation) const;
  std::string roster_path() const { return path_ + "/roster"; }

  /// Incarnations that have a region here, and those that have bells.
  struct Names {
    std::vector<std::uint64_t> regions;  ///< in ascending order
    std::vector<std::uint64_t> bells;
    int error = 0;  ///< of descriptors or memory, for want of which the folder cannot be read at the moment
  };
  Names names() const;
  std::vector<std::uint64_t> list() const { return names().regions; }
  /// Removes bells that have no region because their owner died between giving, or taking, the one name and the other.
  void remove_stray_bells(const Names & names) const;

  /// Opens another's file, or receives it where a socket is in its place (see give_name). Refuses files of users that
  /// may not write here. Empty on failure, with `reason`.
  File open_file(const std::string & path, bool writable, std::string & reason) const;

  /// Links an unnamed file into the folder. Where the kernel refuses that, because all names of the file were deleted, a
  /// socket is put there that sends `view`, a description of the same file. False on failure, with errno set.
  bool give_name(const File & file, const File & view, const std::string & path) const;

  /// Opens the roster, creating it when there is none and replacing what is none. Empty on failure.
  File open_roster() const;

  /// Regions and bells are locked before they have a name: one without a lock has lost its owner, whatever is in it.
  bool is_abandoned(const std::string & path) const;
  /// False if another has removed its region before.
  bool remove(std::uint64_t incarnation) const;
  /// Removes the folder if nobody is left in it.
  void remove_if_empty() const;

  /// Makes the folder again where somebody has deleted it. \return 0 or errno.
  int restore() const;
  /// RootFolder::key as it is now: another one once the directory was deleted and made again.
  std::uint32_t root_key() const;

 private:
  int make(const std::string & path) const;

  RootFolder root_;
  std::string path_;
  uid_t owner_ = 0;
};

/// Excludes joins and leaves of other processes while it lives. Advisory and impatient: a stopped process that holds
/// it costs others a tenth of a second, not their start.
class FolderLock {
 public:
  explicit FolderLock(const std::string & path);
  bool is_held() const { return is_held_; }

 private:
  File directory_;
  bool is_held_ = false;
};

}  // namespace tandem
