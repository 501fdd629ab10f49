#include "system/biased_lock.hpp"

#include <linux/membarrier.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <system_error>

#include "tandem/background_thread.hpp"

namespace tandem {
namespace {

constexpr std::uint8_t kClaimsToRevoke = 4;

/// Whether locks may have owners. The thread sanitizer knows no membarrier.
std::atomic<bool> may_have_owner = false;

long membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0); }

void pause_for(long nanoseconds) {
  const timespec moment{0, nanoseconds};
  nanosleep(&moment, nullptr);
}

}  // namespace

void BiasedLock::prepare() {
  if (TANDEM_TSAN) {
    return;
  }
  const auto register_process = [] {
    const bool done = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
    may_have_owner.store(done, std::memory_order_release);  // B7
  };
  // The kernel answers a single thread at once. With more it waits until each processor has passed its scheduler, which takes
  // 10 to 20 ms: locks have no owners yet meanwhile.
  try {
    __libc_single_threaded != 0 ? register_process()
                                : start_background_thread("tandem-barrier", register_process).detach();
  } catch (const std::system_error &) {
    register_process();
  }
}

bool BiasedLock::is_prepared() { return may_have_owner.load(std::memory_order_acquire); }  // B8

void BiasedLock::claim(bool is_user) {
  const void * const self = &known_thread_id;
  mutex_.lock();
  const void * const owner = owner_.load(std::memory_order_relaxed);
  claimed_.store(true, std::memory_order_seq_cst);  // B3
  if (owner != nullptr && owner != self && !revoked_) {
    wait_for_owner();
  }
  by_claim_ = true;
  if (!is_user || owner == self || revoked_) {
    return;
  }
  if (owner == nullptr) {
    if (is_prepared()) {
      owner_.store(self, std::memory_order_relaxed);
    }
  } else if (++foreign_claims_ == kClaimsToRevoke) {
    revoked_ = true;
    owner_.store(nullptr, std::memory_order_relaxed);
  }
}

void BiasedLock::wait_for_owner() {
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0) {
    // A filter of system calls was installed since prepare(). No store is on its way for so long.
    pause_for(1'000'000);
  }
  for (int attempt = 0; inside_.load(std::memory_order_acquire); ++attempt) {  // B4
    if (attempt < 100) {
      cpu_relax();
    } else {
      pause_for(20'000);
    }
  }
}

void BiasedLock::end_claim() {
  by_claim_ = false;
  if (!revoked_) {
    claimed_.store(false, std::memory_order_release);  // B6
  }
  mutex_.unlock();
}

}  // namespace tandem
