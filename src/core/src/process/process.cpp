#include "process/process.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <exception>
#include <system_error>

#include "folder/descriptor_socket.hpp"
#include "memory/guard.hpp"
#include "memory/thread_cache.hpp"
#include "process/peer.hpp"
#include "system/biased_lock.hpp"
#include "system/clock.hpp"
#include "system/futex.hpp"
#include "system/log_later.hpp"
#include "tandem/background_thread.hpp"

namespace tandem {
namespace {

constexpr std::chrono::seconds kTickInterval{1};
/// Memory that was idle for so long goes back to the kernel: a camera of 1 Hz still finds the pages of its last image.
constexpr unsigned kTicksToTrim = 2;
/// And blocks that a publisher has not used for so many times as long go back to the heap.
constexpr unsigned kTrimsToIdleness = 3;

std::atomic<Process *> present = nullptr;
std::mutex making;

struct Range {
  const std::byte * base = nullptr;
  std::size_t size = 0;
};
std::array<Range, 1024> inherited;  ///< one for each generation that had a region
std::atomic<std::size_t> inherited_count = 0;

}  // namespace

bool Process::is_inherited(const void * memory) {
  const auto * byte = static_cast<const std::byte *>(memory);
  for (std::size_t i = 0; i < std::min(inherited_count.load(std::memory_order_acquire), inherited.size()); ++i) {
    if (byte >= inherited[i].base && byte < inherited[i].base + inherited[i].size) {
      return true;
    }
  }
  return false;
}

Process * Process::existing() { return present.load(std::memory_order_acquire); }

Process & Process::instance() {
  if (Process * process = existing()) [[likely]] {
    return *process;
  }
  const std::lock_guard lock(making);
  Process * process = existing();
  if (process == nullptr) {
    process = new Process;
    present.store(process, std::memory_order_release);
  }
  return *process;
}

Result<Process *, JoinError> Process::with_region() {
  Process * process = &instance();
  if (process->has_region()) {
    return process;
  }
  // There was no room, or no directory. What uses the present one has private memory and goes on with it.
  const std::lock_guard lock(making);
  process = existing();
  if (!process->has_region()) {
    std::unique_ptr<Process> another(new Process);
    if (!another->has_region()) {
      return tl::make_unexpected(another->failure_);
    }
    process = another.release();
    present.store(process, std::memory_order_release);
  }
  return process;
}

Process::Process() {
  static const bool registered = [] {
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    std::atexit(at_exit);
    return true;
  }();
  static_cast<void>(registered);
  BiasedLock::prepare();
  auto root = RootFolder::open();
  if (!root) {
    failure_ = root.error();
    return;
  }
  auto region = Region::create(*root);
  if (!region) {
    failure_ = region.error();
    return;
  }
  heap_ = RegionHeap::create(**region);
  if (heap_ == nullptr) {
    failure_ = {JoinError::kNoMemory, "no address space is left for the tables of the message heap"};
    return;
  }
  region_ = std::move(*region);
  incarnation_ = region_->incarnation();
#if defined(__SANITIZE_THREAD__)
  own_region_base.store(region_->base());
  own_incarnation.store(incarnation_);
#endif
  directory_ = std::make_unique<Directory>(*region_);
}

// ---- domains -------------------------------------------------------------------------------------------------------

bool Process::look_after(std::shared_ptr<JoinedDomain> domain) {
  if (!start_housekeeping()) {
    return false;
  }
  domains_.push_back(std::move(domain));
  return true;
}

/// One thread for all domains. False when the system permits no more.
bool Process::start_housekeeping() {
  if (housekeeping_thread_.joinable()) {
    return true;
  }
  try {
    housekeeping_thread_ = start_background_thread("tandem", [this] { run_housekeeping(); });
  } catch (const std::system_error &) {
  }
  return housekeeping_thread_.joinable();
}

std::optional<std::uint32_t> Process::claim_bell() {
  if (bells_in_use_ == ~std::uint64_t{0}) {
    return std::nullopt;
  }
  const auto bell = static_cast<std::uint32_t>(std::countr_one(bells_in_use_));
  bells_in_use_ |= std::uint64_t{1} << bell;
  return bell;
}

void Process::wake_housekeeping() { ring(region_->bells().bells[kHousekeepingBell].word); }

bool Process::make_room(bool may_drop_messages) {
  const TimedProcessLock lock(mutex_);
  if (!lock.is_held()) {
    return false;
  }
  lock.assert_held();
  bool is_room = !may_drop_messages;
  for (const auto & domain : domains_) {
    is_room |= domain->make_room(may_drop_messages);
  }
  return is_room;
}

void Process::trim_publishers() {
  const bool idle = ++trims_ % kTrimsToIdleness == 0;
  for (const auto & domain : domains_) {
    domain->trim(idle);
  }
}

/// Looks after all domains whenever somebody rings, and once a second; after memory every other second.
void Process::run_housekeeping() {
  using Clock = std::chrono::steady_clock;
  auto & bell = region_->bells().bells[kHousekeepingBell].word;
  auto next_tick = Clock::now() + kTickInterval;
  for (;;) {
    const std::uint32_t rung = bell.load(std::memory_order_acquire);
    const bool tick = Clock::now() >= next_tick;
    try {
      housekeep(tick);
      flush_later();
    } catch (const std::exception &) {
      // Memory of the process's own is short, or threads are. What was left undone is looked at again in a second.
    }
    if (tick) {
      next_tick = Clock::now() + kTickInterval;  // from its end: one that takes long leaves others time for the mutex
    }
    region_->header().last_housekeeping.store(now_ns(CLOCK_MONOTONIC), std::memory_order_relaxed);
    futex_wait(bell, rung, std::max(Clock::duration::zero(), next_tick - Clock::now()));
  }
}

void Process::housekeep(bool tick) {
  bool trims = false;
  {
    const ProcessLock lock(mutex_);
    trims = tick && ++ticks_ % kTicksToTrim == 0;
    if (tick) {
      region_->restore_bells();
    }
    for (const auto & domain : domains_) {
      domain->housekeep(tick);
    }
    std::erase_if(domains_, [](const auto & domain) TANDEM_REQUIRES(process_mutex) { return domain->is_finished(); });
    if (trims) {
      trim_publishers();
    }
  }
  // Without the mutex: the kernel takes milliseconds.
  if (tick) {
    heap_->shed();
  }
  if (trims) {
    heap_->trim();
    const HeapStatistics heap = heap_->statistics();
    region_->header().heap_in_use.store(heap.in_use, std::memory_order_relaxed);
    region_->header().heap_committed.store(heap.committed, std::memory_order_relaxed);
  }
}

// ---- fork and exit -------------------------------------------------------------------------------------------------

void Process::before_fork() {
  making.lock();
  lock_log();
  guard::lock();
  descriptor_socket::lock();
  if (Process * process = existing(); process != nullptr && process->heap_) {
    process->heap_->mutex().lock();
  }
}

void Process::after_fork_in_parent() {
  if (Process * process = existing(); process != nullptr && process->heap_) {
    process->heap_->mutex().unlock();
  }
  descriptor_socket::unlock();
  guard::unlock();
  unlock_log();
  making.unlock();
}

void Process::after_fork_in_child() {
  known_thread_id = 0;
  ThreadCache::forget();
  if (Process * process = existing()) {
    process->forked_away_.store(true, std::memory_order_relaxed);
    if (process->region_) {
      process->heap_->mutex().release_in_child();
      const std::size_t index = inherited_count.load(std::memory_order_relaxed);
      if (index < inherited.size()) {
        inherited[index] = {process->region_->base(), process->region_->reserved()};
        inherited_count.store(index + 1, std::memory_order_release);
      }
      process->region_->make_private();
    }
    present.store(nullptr, std::memory_order_release);  // the old one is kept: what was inherited refers to it
  }
  descriptor_socket::close_all();
  descriptor_socket::unlock();
  guard::unlock();
  forget_log();
  unlock_log();
  making.unlock();
}

/// Takes our names out of the folders. Runs no destructor: other threads may still be at work, and one that holds the
/// mutex for longer than a moment will not give it back.
void Process::at_exit() {
  Process * process = existing();
  if (process == nullptr) {
    return;
  }
  if (const TimedProcessLock lock(process->mutex_); lock.is_held()) {
    lock.assert_held();
    for (const auto & domain : process->domains_) {
      domain->leave();
    }
  }
}

}  // namespace tandem
