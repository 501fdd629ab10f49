// Where the contests of bags write: the run's folder on a disk, and dd, which they are compared with.
#pragma once

#include <cstdint>
#include <string>

namespace bench {

/// The run's own folder. Throws std::runtime_error where that is in memory.
std::string disk_folder();

/// Waits until a file is on the disk.
void sync_file(const std::string & file);

/// Removes a file or a folder, and waits until nothing else is on its way to the disk.
void clear_disk(const std::string & path);

/// How long writing took, in ns.
struct WritingTime {
  double written = 0;  ///< until the kernel had everything
  double synced = 0;   ///< until it was on the disk
};

/// `dd bs=4M` of a file of so many bytes, which is in the page cache, to another one in the same folder.
class Dd {
 public:
  explicit Dd(std::uint64_t bytes);
  /// One more copy, which is removed afterwards.
  WritingTime run() const;

 private:
  const std::string source_;
  const std::string target_;
};

}  // namespace bench
