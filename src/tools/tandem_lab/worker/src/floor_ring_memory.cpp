#include "floor_ring_memory.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <stdexcept>

#include "tandem/kit/descriptor.hpp"

namespace lab {

using tandem::transport::Descriptor;

namespace {

constexpr std::size_t kRingBytes = std::size_t{32} << 20;
constexpr std::size_t kFewestSlots = 4;

[[noreturn]] void fail(const std::string & what, int error) {
  throw std::runtime_error(what + ": " + std::strerror(error) + ". Is there room where TANDEM_SHM_DIR lies?");
}

}  // namespace

void SharedBell::ring() {
  count_.fetch_add(1, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) != 0) {
    syscall(SYS_futex, &count_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }
}

void SharedBell::sleep(std::uint32_t seen, std::chrono::nanoseconds timeout) {
  const auto nanoseconds = std::max<std::int64_t>(0, timeout.count());
  const timespec length{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  if (count_.load(std::memory_order_seq_cst) == seen) {
    syscall(SYS_futex, &count_, FUTEX_WAIT, seen, &length, nullptr, 0);
  }
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
}

std::size_t slots_for(std::size_t size) { return std::clamp(kRingBytes / size, kFewestSlots, kSlots); }

SharedFile::SharedFile(const std::string & path, std::size_t size) : size_(size) {
  const Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) {
    fail("shared memory cannot be made", errno);
  }
  if (const int error = posix_fallocate(file.get(), 0, static_cast<off_t>(size)); error != 0) {
    unlink(path.c_str());
    fail("there are no " + std::to_string(size) + " bytes of shared memory", error);
  }
  map(file.get());
}

SharedFile::SharedFile(const std::string & path) {
  const Descriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0) {
    fail("the other side's shared memory is gone", errno);
  }
  size_ = static_cast<std::size_t>(status.st_size);
  map(file.get());
}

void SharedFile::map(int file) {
  void * const memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  if (memory == MAP_FAILED) {
    fail("shared memory cannot be mapped", errno);
  }
  data_ = static_cast<std::byte *>(memory);
}

SharedFile::~SharedFile() { munmap(data_, size_); }

}  // namespace lab
