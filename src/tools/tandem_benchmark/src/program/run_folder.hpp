// The run's own folders: in shared memory, so that it meets no other process of the user, and on a disk.
#pragma once

#include <string>

namespace bench {

/// Removed with this object. What a killed run left behind is removed by the next one.
class RunFolder {
 public:
  /// Within `parent`. Throws std::runtime_error where there is no room.
  explicit RunFolder(const std::string & parent = "/dev/shm");
  ~RunFolder();
  RunFolder(const RunFolder &) = delete;
  RunFolder & operator=(const RunFolder &) = delete;
  const std::string & path() const { return path_; }

 private:
  std::string path_;
  int owner_ = -1;  ///< locked while the run lives
};

}  // namespace bench
