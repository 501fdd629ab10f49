#include "faults.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>

namespace tandem::test {
namespace {

std::atomic<bool> armed = false;
std::atomic<Shortage> shortage_now = Shortage::kSpace;
std::atomic<unsigned> calls = 0;
std::atomic<unsigned> failed = 0;
std::atomic<unsigned> first_to_fail = 0;
std::atomic<bool> is_lasting = false;

/// Whether this call is to fail.
bool fails(Shortage shortage) {
  if (!armed.load() || shortage_now.load() != shortage) {
    return false;
  }
  const unsigned number = calls++;
  if (number != first_to_fail && (number < first_to_fail || !is_lasting)) {
    return false;
  }
  ++failed;
  return true;
}

template <class Function>
Function * next(const char * name, Function * /*own*/) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

int refuse(int error) {
  errno = error;
  return -1;
}

}  // namespace

void arm_faults(Shortage shortage, unsigned number, bool lasting) {
  armed = false;
  shortage_now = shortage;
  calls = 0;
  failed = 0;
  first_to_fail = number;
  is_lasting = lasting;
  armed = true;
}

unsigned disarm_faults() {
  armed = false;
  return failed;
}

}  // namespace tandem::test

using tandem::test::fails;
using tandem::test::next;
using tandem::test::refuse;
using tandem::test::Shortage;

extern "C" {

int fallocate(int fd, int mode, off_t offset, off_t size) {
  static auto * const real = next("fallocate", &fallocate);
  const bool takes = (mode & FALLOC_FL_PUNCH_HOLE) == 0;
  return takes && fails(Shortage::kSpace) ? refuse(ENOSPC) : real(fd, mode, offset, size);
}

int ftruncate(int fd, off_t size) noexcept {
  static auto * const real = next("ftruncate", &ftruncate);
  return fails(Shortage::kSpace) ? refuse(ENOSPC) : real(fd, size);
}

int mkdir(const char * path, mode_t mode) noexcept {
  static auto * const real = next("mkdir", &mkdir);
  return fails(Shortage::kSpace) ? refuse(ENOSPC) : real(path, mode);
}

int linkat(int from, const char * path, int to, const char * name, int flags) noexcept {
  static auto * const real = next("linkat", &linkat);
  return fails(Shortage::kSpace) ? refuse(ENOSPC) : real(from, path, to, name, flags);
}

int symlink(const char * target, const char * path) noexcept {
  static auto * const real = next("symlink", &symlink);
  return fails(Shortage::kSpace) ? refuse(ENOSPC) : real(target, path);
}

int open(const char * path, int flags, ...) {
  static auto * const real = next("open", &open);
  mode_t mode = 0;
  const bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  if (makes) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  if (makes && fails(Shortage::kSpace)) {
    return refuse(ENOSPC);
  }
  return fails(Shortage::kDescriptors) ? refuse(EMFILE) : real(path, flags, mode);
}

DIR * opendir(const char * path) {
  static auto * const real = next("opendir", &opendir);
  if (fails(Shortage::kDescriptors)) {
    errno = EMFILE;
    return nullptr;
  }
  return real(path);
}

void * mmap(void * address, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  static auto * const real = next("mmap", &mmap);
  if (fails(Shortage::kMemory)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return real(address, size, protection, flags, fd, offset);
}

int pthread_create(pthread_t * thread, const pthread_attr_t * attributes, void * (*start)(void *),
                   void * argument) noexcept {
  static auto * const real = next("pthread_create", &pthread_create);
  return fails(Shortage::kMemory) ? EAGAIN : real(thread, attributes, start, argument);
}

}  // extern "C"
