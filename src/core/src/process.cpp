#include "process.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "domain.hpp"
#include "futex.hpp"
#include "guard.hpp"
#include "log_later.hpp"
#include "peer.hpp"
#include "tandem/heap.hpp"

namespace tandem {
namespace {

std::atomic<Process *> present = nullptr;
std::mutex making;

/// Memory inherited through fork(2): it is read, never given back.
struct Range {
  const std::byte * base = nullptr;
  std::size_t size = 0;
};
std::array<Range, 16> inherited;
std::atomic<std::size_t> inherited_count = 0;

bool is_inherited(const void * memory) {
  const auto * byte = static_cast<const std::byte *>(memory);
  for (std::size_t i = 0; i < std::min(inherited_count.load(std::memory_order_acquire), inherited.size()); ++i) {
    if (byte >= inherited[i].base && byte < inherited[i].base + inherited[i].size) {
      return true;
    }
  }
  return false;
}

}  // namespace

Process * Process::existing() { return present.load(std::memory_order_acquire); }

Process & Process::instance() {
  if (Process * process = existing()) [[likely]] {
    return *process;
  }
  std::scoped_lock lock(making);
  Process * process = existing();
  if (process == nullptr) {
    process = new Process;
    present.store(process, std::memory_order_release);
  }
  return *process;
}

Process::Process() {
  static const bool registered = [] {
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    std::atexit(at_exit);
    return true;
  }();
  static_cast<void>(registered);
  auto home = Home::open();
  if (!home) {
    failure_ = home.error();
    return;
  }
  auto region = Region::create(*home);
  if (!region) {
    failure_ = region.error();
    return;
  }
  region_ = std::move(*region);
  incarnation_ = region_->incarnation();
#if defined(__SANITIZE_THREAD__)
  own_region_base.store(region_->base());
  own_incarnation.store(incarnation_);
#endif
  heap_ = std::make_unique<RegionHeap>(*region_);
  directory_ = std::make_unique<Directory>(*region_);
}

// ---- domains -------------------------------------------------------------------------------------------------------

Result<std::shared_ptr<Domain>, JoinError> Process::join(std::uint32_t number) {
  if (number > kMaxDomain) {
    return tl::make_unexpected(Failure<JoinError>{
        JoinError::kBadDomain, "the domain " + std::to_string(number) + " is not one: ROS_DOMAIN_ID must be 0 to " +
                                   std::to_string(kMaxDomain)});
  }
  auto home = Home::open();  // asked anew: TANDEM_SHM_DIR may have changed, and every join deserves its own message
  if (!home || region_ == nullptr) {
    return tl::make_unexpected(home ? failure_ : home.error());
  }
  std::scoped_lock lock(mutex_);
  for (const auto & domain : domains_) {
    if (domain->is(number, home->path)) {
      if (auto joined = domain->join(); !joined) {
        return tl::make_unexpected(joined.error());
      }
      return domain;
    }
  }
  auto domain = Domain::open(*this, *home, number);
  if (!domain) {
    return domain;
  }
  if (auto joined = (*domain)->join(); !joined) {
    return tl::make_unexpected(joined.error());
  }
  domains_.push_back(*domain);
  if (!housekeeper_.joinable()) {
    // Signals belong to the program's own threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGSEGV);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    housekeeper_ = std::thread([this] { keep_house(); });
    pthread_setname_np(housekeeper_.native_handle(), "tandem");
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  return domain;
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

/// Looks after all domains whenever somebody rings, and once a second.
void Process::keep_house() {
  auto & bell = region_->bells().bells[kHousekeepingBell].word;
  for (;;) {
    const std::uint32_t rung = bell.load(std::memory_order_acquire);
    {
      std::scoped_lock lock(mutex_);
      for (const auto & domain : domains_) {
        domain->keep_house();
      }
      std::erase_if(domains_, [](const auto & domain) { return domain->is_finished(); });
    }
    flush_log();
    futex_wait(bell, rung, std::chrono::seconds(1));
  }
}

// ---- fork and exit -------------------------------------------------------------------------------------------------

void Process::before_fork() {
  making.lock();
  lock_log();
  guard::lock();
  if (Process * process = existing(); process != nullptr && process->heap_) {
    process->heap_->mutex().lock();
  }
}

void Process::after_fork_in_parent() {
  if (Process * process = existing(); process != nullptr && process->heap_) {
    process->heap_->mutex().unlock();
  }
  guard::unlock();
  unlock_log();
  making.unlock();
}

void Process::after_fork_in_child() {
  if (Process * process = existing()) {
    process->forked_away_.store(true, std::memory_order_relaxed);
    if (process->region_) {
      process->heap_->mutex().unlock();
      const std::size_t index = inherited_count.load(std::memory_order_relaxed);
      if (index < inherited.size()) {
        inherited[index] = {process->region_->base(), process->region_->reserved()};
        inherited_count.store(index + 1, std::memory_order_release);
      }
      process->region_->make_private();
    }
    present.store(nullptr, std::memory_order_release);  // the old one is kept: what was inherited refers to it
  }
  guard::unlock();
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
  std::unique_lock lock(process->mutex_, std::defer_lock);
  for (int attempt = 0; attempt < 200 && !lock.try_lock(); ++attempt) {
    usleep(1000);
  }
  if (lock) {
    for (const auto & domain : process->domains_) {
      domain->leave();
    }
  }
}

// ---- the public heap -----------------------------------------------------------------------------------------------

void * allocate_shared_memory(std::size_t size) noexcept {
  Process & process = Process::instance();
  return process.has_region() ? process.heap().allocate(size) : nullptr;
}

void * allocate(std::size_t size) noexcept {
  if (void * memory = allocate_shared_memory(size)) [[likely]] {
    return memory;
  }
  const std::size_t rounded = (size + kHeapAlignment) / kHeapAlignment * kHeapAlignment;
  return rounded < size ? nullptr : std::aligned_alloc(kHeapAlignment, rounded);
}

void deallocate(void * memory) noexcept {
  if (memory == nullptr) {
    return;
  }
  Process * process = Process::existing();
  if (process != nullptr && process->has_region() && process->region().contains(memory)) [[likely]] {
    process->heap().deallocate(memory);
  } else if (!is_inherited(memory)) {
    std::free(memory);
  }
}

bool is_shared_allocation(const void * memory, std::size_t size) noexcept {
  Process * process = Process::existing();
  return process != nullptr && process->has_region() && process->heap().is_live(memory, size);
}

HeapStatistics heap_statistics() noexcept {
  Process * process = Process::existing();
  if (process == nullptr || !process->has_region()) {
    return {};
  }
  return {process->region().reserved(), process->region().committed(), process->heap().in_use()};
}

}  // namespace tandem
