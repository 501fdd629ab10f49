// The run's own folder in shared memory, so that it meets no other process of the user.
#pragma once

#include <string>

namespace bench {

/// Removed with this object. What a killed run left behind is removed by the next one.
class RunFolder {
 public:
  /// Throws std::runtime_error where there is no room.
  RunFolder();
  ~RunFolder();
  RunFolder(const RunFolder &) = delete;
  RunFolder & operator=(const RunFolder &) = delete;
  const std::string & path() const { return path_; }

 private:
  std::string path_;
  int owner_ = -1;  ///< locked while the run lives
};

}  // namespace bench
