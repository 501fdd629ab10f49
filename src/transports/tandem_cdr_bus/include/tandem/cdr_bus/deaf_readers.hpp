// Readers that hear no writer of their own participant. A DDS matches them all the same; who counts matches leaves them out.
#pragma once

#include <mutex>
#include <set>

#include "tandem/cdr_bus/bus.hpp"

namespace tandem::cdr_bus {

/// Of one participant. Thread-safe.
class DeafReaders {
 public:
  void add(const Gid & reader) {
    const std::lock_guard<std::mutex> lock(mutex_);
    readers_.insert(reader);
  }
  void remove(const Gid & reader) {
    const std::lock_guard<std::mutex> lock(mutex_);
    readers_.erase(reader);
  }
  bool contains(const Gid & reader) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return readers_.count(reader) > 0;
  }

 private:
  mutable std::mutex mutex_;
  std::set<Gid> readers_;  ///< guarded by mutex_
};

}  // namespace tandem::cdr_bus
