#include "system/pi_lock.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "system/fence.hpp"

namespace tandem {

constinit thread_local std::uint32_t known_thread_id = 0;

std::uint32_t ask_thread_id() {
  known_thread_id = static_cast<std::uint32_t>(syscall(SYS_gettid));
  return known_thread_id;
}

/// A section has some dozen instructions, so it is looked at for a moment before the kernel is asked.
void PiLock::wait() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::uint32_t nobody = 0;
    if (word_.load(std::memory_order_relaxed) == 0 &&
        word_.compare_exchange_strong(nobody, thread_id(), std::memory_order_acquire)) {
      return;
    }
    cpu_relax();
  }
  while (syscall(SYS_futex, &word_, FUTEX_LOCK_PI_PRIVATE, 0, nullptr, nullptr, 0) != 0) {
    if (errno == ENOSYS || errno == EPERM) {  // an emulator, or a filter of system calls
      std::uint32_t nobody = 0;
      if (word_.compare_exchange_strong(nobody, thread_id(), std::memory_order_acquire)) {
        return;
      }
      const timespec moment{0, 20'000};
      nanosleep(&moment, nullptr);
    }
  }
  word_.load(std::memory_order_acquire);  // the kernel has written it
}

/// Somebody waits in the kernel.
void PiLock::hand_over() {
  word_.fetch_or(0, std::memory_order_release);
  if (syscall(SYS_futex, &word_, FUTEX_UNLOCK_PI_PRIVATE, 0, nullptr, nullptr, 0) != 0) {
    word_.store(0, std::memory_order_release);
  }
}

}  // namespace tandem
