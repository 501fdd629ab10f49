// How many of the endpoints that OpenSplice counts as matched are so: it looks at topic and QoS, not at types.
#pragma once

#include <ccpp_dds_dcps.h>

#include <cstddef>
#include <mutex>

namespace opensplice {

/// Thread-safe.
class MatchCount {
 public:
  /// `status` is OpenSplice's. When it has changed since the last call, `look(handle)` is asked of each of `matched()`: 1
  /// counts, 0 does not, less than 0: it is not known yet.
  template <class Status, class Matched, class Look>
  std::size_t count(const Status & status, const Matched & matched, const Look & look) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (is_known_ && status.total_count == total_ && status.current_count == current_) {
      return count_;
    }
    total_ = status.total_count;
    current_ = status.current_count;
    is_known_ = true;
    count_ = 0;
    const DDS::InstanceHandleSeq handles = matched();
    for (DDS::ULong i = 0; i < handles.length(); ++i) {
      const int counts = look(handles[i]);
      count_ += counts > 0 ? 1 : 0;
      is_known_ = is_known_ && counts >= 0;
    }
    return count_;
  }

 private:
  std::mutex mutex_;
  bool is_known_ = false;  ///< guarded by mutex_
  DDS::Long total_ = 0;    ///< guarded by mutex_
  DDS::Long current_ = 0;  ///< guarded by mutex_
  std::size_t count_ = 0;  ///< guarded by mutex_
};

}  // namespace opensplice
