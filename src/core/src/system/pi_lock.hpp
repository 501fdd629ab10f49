// A mutex with priority inheritance: whoever holds it runs with the priority of whoever waits for it. So a real-time
// thread waits no longer than the section takes, however busy the machine is. One atomic operation to take, one to give
// back. No system call while it is held may depend on others.
//
// The word is the kernel's (futex(2), FUTEX_LOCK_PI): 0, or the thread that holds it, and a bit while somebody waits.
#pragma once

#include <atomic>
#include <cstdint>

#include "system/thread_annotations.hpp"

namespace tandem {

/// The calling thread's number in the kernel; 0 until it has been asked. Its address tells living threads apart.
extern constinit thread_local std::uint32_t known_thread_id [[gnu::tls_model("initial-exec")]];
std::uint32_t ask_thread_id();
inline std::uint32_t thread_id() { return known_thread_id != 0 ? known_thread_id : ask_thread_id(); }

/// Lockable. Not recursive.
class TANDEM_CAPABILITY("mutex") PiLock {
 public:
  void lock() TANDEM_ACQUIRE() TANDEM_NO_THREAD_SAFETY_ANALYSIS {
    std::uint32_t nobody = 0;
    if (!word_.compare_exchange_strong(nobody, thread_id(), std::memory_order_acquire)) [[unlikely]] {
      wait();
    }
  }
  void unlock() TANDEM_RELEASE() TANDEM_NO_THREAD_SAFETY_ANALYSIS {
    std::uint32_t self = thread_id();
    if (!word_.compare_exchange_strong(self, 0, std::memory_order_release)) [[unlikely]] {
      hand_over();
    }
  }
  /// In a forked child, whose only thread is the copy of the one that held it.
  void release_in_child() { word_.store(0, std::memory_order_relaxed); }

 private:
  void wait();
  void hand_over();

  std::atomic<std::uint32_t> word_ = 0;
};

}  // namespace tandem
