// A file system in memory that is small and fills up, seen by this program and its children alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness.hpp"

namespace tandem::test {

/// Gives the program mounts of its own, as root or in a user namespace. Call it first in main. Where that is forbidden,
/// SmallShm::reason() says so.
void enter_mount_namespace();

/// TANDEM_SHM_DIR on a tmpfs of its own for as long as this lives.
class SmallShm {
 public:
  /// `options` are mount's: "size=8m", "nr_inodes=20".
  explicit SmallShm(const std::string & options);
  ~SmallShm();
  SmallShm(const SmallShm &) = delete;
  SmallShm & operator=(const SmallShm &) = delete;

  /// Why there is none; empty when there is.
  const std::string & reason() const { return reason_; }
  const Folder & folder() const { return folder_; }

  std::size_t free_pages() const;
  /// Fills it until `pages` are free, and empties it again.
  void leave(std::size_t pages);
  void clear();
  /// Makes files until no more can be made.
  void use_up_inodes();

 private:
  std::string filler() const { return folder_.path() + "/filler"; }
  Folder folder_;
  std::string reason_;
  std::size_t inodes_ = 0;
};

}  // namespace tandem::test
