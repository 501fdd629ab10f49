// Asking for a cache line before it is needed.
//
// The instruction is written out: the compiler's builtin asks for a line to be read where the target's baseline knows no
// other (x86-64 without 3DNow!), and a call of a function that does nothing else is taken for pure and left out.
#pragma once

namespace tandem {

/// Asks for the line at `address` in order to write to it: it is taken from other caches now, while there is time. Any
/// address is allowed. (Processors without the instruction take it for a nop.)
[[gnu::always_inline]] inline void prefetch_to_write(const void * address) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char *>(address)));
#elif defined(__aarch64__)
  asm volatile("prfm pstl1keep, %a0" : : "p"(address));
#else
  __builtin_prefetch(address, 1);
#endif
}

/// The same in order to read from it.
[[gnu::always_inline]] inline void prefetch_to_read(const void * address) {
#if defined(__x86_64__)
  asm volatile("prefetcht0 %0" : : "m"(*static_cast<const char *>(address)));
#elif defined(__aarch64__)
  asm volatile("prfm pldl1keep, %a0" : : "p"(address));
#else
  __builtin_prefetch(address);
#endif
}

}  // namespace tandem
