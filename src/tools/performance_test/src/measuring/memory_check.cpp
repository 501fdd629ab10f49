// Stands in front of malloc: every library's calls come here, and operator new too. glibc only.
#include "measuring/memory_check.hpp"

#include <cstddef>

namespace performance_test {
namespace {

// Initialised at compile time: the first calls come before any constructor.
thread_local bool t_counting = false;
thread_local std::uint64_t t_allocations = 0;

}  // namespace

void count_allocations_of_this_thread() noexcept { t_counting = true; }

std::uint64_t take_allocations() noexcept {
  const std::uint64_t count = t_allocations;
  t_allocations = 0;
  return count;
}

}  // namespace performance_test

#ifndef __SANITIZE_ADDRESS__
extern "C" {

void * __libc_malloc(std::size_t size);                     // NOLINT: glibc's name
void * __libc_calloc(std::size_t count, std::size_t size);  // NOLINT: glibc's name
void * __libc_realloc(void * memory, std::size_t size);     // NOLINT: glibc's name

void * malloc(std::size_t size) {
  performance_test::t_allocations += performance_test::t_counting;
  return __libc_malloc(size);
}

void * calloc(std::size_t count, std::size_t size) {
  performance_test::t_allocations += performance_test::t_counting;
  return __libc_calloc(count, size);
}

void * realloc(void * memory, std::size_t size) {
  performance_test::t_allocations += performance_test::t_counting;
  return __libc_realloc(memory, size);
}

}  // extern "C"
#endif
