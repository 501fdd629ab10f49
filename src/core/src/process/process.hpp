// What there is once per process: the region, the heap, the housekeeping thread, and the domains that were joined.
// Made at the first need, never destroyed by static destruction. A forked child starts with none and may make its own.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "memory/region.hpp"
#include "memory/region_heap.hpp"
#include "process/directory.hpp"
#include "system/process_lock.hpp"

namespace tandem {

/// A domain that this process has joined, as its process looks after it.
class JoinedDomain {
 public:
  virtual ~JoinedDomain() = default;
  JoinedDomain() = default;
  JoinedDomain(const JoinedDomain &) = delete;
  JoinedDomain & operator=(const JoinedDomain &) = delete;

  /// Whenever somebody has rung, and at each tick.
  virtual void housekeep(bool tick) TANDEM_REQUIRES(process_mutex) = 0;
  /// As PublisherImpl::trim, for all publishers.
  virtual void trim(bool idle) TANDEM_REQUIRES(process_mutex) = 0;
  /// As PublisherImpl::make_room, for all publishers.
  virtual bool make_room(bool may_drop_messages) TANDEM_REQUIRES(process_mutex) = 0;
  /// Nobody uses it and nothing of ours is left in it.
  virtual bool is_finished() const TANDEM_REQUIRES(process_mutex) = 0;
  /// Takes our names out of its folder.
  virtual void leave() TANDEM_REQUIRES(process_mutex) = 0;
};

class Process {
 public:
  /// The present one; made at the first call. Never null, but without a region where none can be made.
  static Process & instance();
  /// The present one, with a region: made now if it could not be made before. Why not, otherwise.
  static Result<Process *, JoinError> with_region();
  /// The present one, or null when there was no need for it yet.
  static Process * existing();

  bool has_region() const { return region_ != nullptr; }
  Region & region() const { return *region_; }
  RegionHeap & heap() const { return *heap_; }
  std::uint64_t incarnation() const { return incarnation_; }

  /// Guards the directory, the domains and all matching. Locked before any publisher's or subscription's mutex, never
  /// by publish or take.
  std::mutex & mutex() { return mutex_; }
  Directory & directory() const TANDEM_REQUIRES(process_mutex) { return *directory_; }
  std::optional<std::uint32_t> claim_bell() TANDEM_REQUIRES(process_mutex);
  void return_bell(std::uint32_t bell) TANDEM_REQUIRES(process_mutex) { bells_in_use_ &= ~(std::uint64_t{1} << bell); }
  /// Those that were joined and are not finished.
  const std::vector<std::shared_ptr<JoinedDomain>> & domains() const TANDEM_REQUIRES(process_mutex) { return domains_; }
  /// From now on the housekeeping thread looks after it. False when the system permits no thread.
  bool look_after(std::shared_ptr<JoinedDomain> domain) TANDEM_REQUIRES(process_mutex);

  void wake_housekeeping();
  /// Gives all memory of messages that nobody needs any more back to the heap; `may_drop_messages` each publisher's oldest
  /// message as well, as long as that may be lost. False when that cannot help: there is none, or the mutex is taken for
  /// long, as by somebody who waits for the lock of a subscription that the caller holds.
  bool make_room(bool may_drop_messages);
  /// True in a forked child for what it has inherited: that may be read, and does nothing.
  bool is_forked_away() const { return forked_away_.load(std::memory_order_relaxed); }
  /// Memory of a heap that came here through fork(2): it is read, never given back.
  static bool is_inherited(const void * memory);

 private:
  Process();
  bool start_housekeeping() TANDEM_REQUIRES(process_mutex);
  void run_housekeeping();
  void housekeep(bool tick);
  void trim_publishers() TANDEM_REQUIRES(process_mutex);
  static void before_fork() TANDEM_NO_THREAD_SAFETY_ANALYSIS;
  static void after_fork_in_parent() TANDEM_NO_THREAD_SAFETY_ANALYSIS;
  static void after_fork_in_child();
  static void at_exit();

  Failure<JoinError> failure_{};  ///< why there is no region
  std::unique_ptr<Region> region_;
  std::unique_ptr<RegionHeap> heap_;
  std::unique_ptr<Directory> directory_;
  std::uint64_t incarnation_ = 0;
  std::mutex mutex_;
  std::vector<std::shared_ptr<JoinedDomain>> domains_ TANDEM_GUARDED_BY(process_mutex);
  std::uint64_t bells_in_use_ TANDEM_GUARDED_BY(process_mutex) = 0b11;
  std::thread housekeeping_thread_ TANDEM_GUARDED_BY(process_mutex);
  unsigned ticks_ TANDEM_GUARDED_BY(process_mutex) = 0;
  unsigned trims_ TANDEM_GUARDED_BY(process_mutex) = 0;
  std::atomic<bool> forked_away_ = false;
};

}  // namespace tandem
