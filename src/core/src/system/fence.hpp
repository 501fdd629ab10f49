// The one full fence of the library, in a form that the thread sanitizer understands.
//
// A fence pairs "my store, then my load" of one side with the same of the other. The sanitizer does not model fences, so
// under it the fence vanishes and the four accesses that it orders are seq_cst instead: mark each with fenced().
#pragma once

#include <atomic>

namespace tandem {

#if defined(__SANITIZE_THREAD__)
#define TANDEM_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TANDEM_TSAN 1
#endif
#endif
#ifndef TANDEM_TSAN
#define TANDEM_TSAN 0
#endif

inline void full_fence() {
#if !TANDEM_TSAN
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// The order of an access next to full_fence(): `order` itself, or seq_cst where the fence is only modelled.
constexpr std::memory_order fenced(std::memory_order order) { return TANDEM_TSAN ? std::memory_order_seq_cst : order; }

/// A pause in a spinning loop.
inline void cpu_relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

}  // namespace tandem
