#include "tandem/kit/fork_generation.hpp"

#include <pthread.h>

#include <atomic>

namespace tandem::transport {

std::uint32_t fork_generation() {
  static std::atomic<std::uint32_t> generation{0};
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++generation; });
  (void)registered;
  return generation.load(std::memory_order_relaxed);
}

}  // namespace tandem::transport
