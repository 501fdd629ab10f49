// The directory of all domains: $TANDEM_SHM_DIR, or /dev/shm/tandem-<uid>. It has a folder for each domain (folder.hpp).
//
// A directory of one's own has mode 0700. A directory that its owner opened to a group (0770) is shared with that group.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <string>

#include "system/file.hpp"
#include "tandem/error.hpp"
#include "tandem/participant.hpp"

namespace tandem {

/// The value of TANDEM_SHM_DIR; empty when it is unset.
std::string chosen_root();

/// Why a directory must not be used, as a sentence for users that begins with its path; empty when it may be. It may be
/// used if it is this user's, or opened to a group of this user's, and nobody else can write to it.
std::string objection_to(const std::string & path, const struct stat & status);

/// The error that a directory in shared memory is missing or must not be used.
tl::unexpected<Failure<JoinError>> no_directory(const std::string & message);

/// A verified directory. A plain value.
struct RootFolder {
  std::string path;
  mode_t file_mode = 0600;  ///< of files that every process writes: 0660 where the directory is shared with a group
  uid_t owner = 0;
  gid_t group = 0;
  std::uint32_t key = 0;  ///< identifies the directory: the same in every process and mount namespace that sees it

  /// Creates the directory if it is missing, and verifies it.
  static Result<RootFolder, JoinError> open();
  /// Verifies the directory `chosen`, or the default one if that is empty, and creates nothing. `objection` is empty if it
  /// may be used. Otherwise only `path` may be relied on.
  static RootFolder look(const std::string & chosen, std::string & objection);

  static std::uint32_t key_of(const struct stat & status);
  bool is_shared() const { return file_mode == 0660; }
  /// The mode of files that their owner alone writes.
  mode_t region_mode() const { return file_mode & 0640; }
  /// Gives a new file its mode and, where the directory is shared, its group.
  void share(const File & file, mode_t mode) const;
};

}  // namespace tandem
