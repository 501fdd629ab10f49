#include "kernel_calls.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdlib>
#include <new>
#include <utility>

namespace tandem::test {
namespace {

thread_local std::function<void(const char *)> * present = nullptr;

template <class Function>
Function * next(const char * name, Function * /*own*/) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

}  // namespace

KernelCalls::KernelCalls(std::function<void(const char * name)> look) : look_(std::move(look)) { present = &look_; }

KernelCalls::~KernelCalls() { present = nullptr; }

void note_call(const char * name) {
  if (auto * const look = std::exchange(present, nullptr)) {
    (*look)(name);
    present = look;
  }
}

}  // namespace tandem::test

using tandem::test::next;
using tandem::test::note_call;

void * operator new(std::size_t size) {
  note_call("operator new");
  if (void * const memory = std::malloc(size != 0 ? size : 1)) {
    return memory;
  }
  throw std::bad_alloc();
}

void operator delete(void * memory) noexcept {
  if (memory != nullptr) {
    note_call("operator delete");
  }
  std::free(memory);
}

void operator delete(void * memory, std::size_t /*size*/) noexcept { operator delete(memory); }

extern "C" {

long syscall(long number, ...) noexcept {
  static auto * const real = next("syscall", &syscall);
  note_call("syscall");
  va_list rest;
  va_start(rest, number);
  long arguments[6];
  for (long & argument : arguments) {
    argument = va_arg(rest, long);
  }
  va_end(rest);
  return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

int fcntl(int fd, int command, ...) {
  static auto * const real = next("fcntl", &fcntl);
  note_call("fcntl");
  va_list rest;
  va_start(rest, command);
  void * const argument = va_arg(rest, void *);
  va_end(rest);
  return real(fd, command, argument);
}

int fallocate(int fd, int mode, off_t offset, off_t size) {
  static auto * const real = next("fallocate", &fallocate);
  note_call("fallocate");
  return real(fd, mode, offset, size);
}

int fstat(int fd, struct stat * status) noexcept {
  static auto * const real = next("fstat", &fstat);
  note_call("fstat");
  return real(fd, status);
}

int madvise(void * address, size_t size, int advice) noexcept {
  static auto * const real = next("madvise", &madvise);
  note_call("madvise");
  return real(address, size, advice);
}

void * mmap(void * address, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  static auto * const real = next("mmap", &mmap);
  note_call("mmap");
  return real(address, size, protection, flags, fd, offset);
}

int munmap(void * address, size_t size) noexcept {
  static auto * const real = next("munmap", &munmap);
  note_call("munmap");
  return real(address, size);
}

void * aligned_alloc(size_t alignment, size_t size) noexcept {
  static auto * const real = next("aligned_alloc", &aligned_alloc);
  note_call("aligned_alloc");
  return real(alignment, size);
}

int nanosleep(const timespec * wanted, timespec * left) {
  static auto * const real = next("nanosleep", &nanosleep);
  note_call("nanosleep");
  return real(wanted, left);
}

}  // extern "C"
