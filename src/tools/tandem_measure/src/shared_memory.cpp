// See shared_memory.hpp.
#include "tandem/measure/shared_memory.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "tandem/measure/processor_time.hpp"

namespace tandem::measure {
namespace {

/// A file descriptor.
class File {
 public:
  File(const std::string & path, int flags) : file_(::open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0600)) {}
  ~File() {
    if (file_ >= 0) close(file_);
  }
  File(const File &) = delete;
  File & operator=(const File &) = delete;
  explicit operator bool() const { return file_ >= 0; }
  int get() const { return file_; }

 private:
  const int file_;
};

[[noreturn]] void fail(const std::string & what, int error) {
  throw std::runtime_error(what + ": " + std::strerror(error) + ". Is there room where TANDEM_SHM_DIR lies?");
}

/// \return 0, or the error.
int allocate(const File & file, std::size_t size) { return posix_fallocate(file.get(), 0, static_cast<off_t>(size)); }

}  // namespace

SharedMemory SharedMemory::make(const std::string & path, std::size_t size) {
  const File file(path, O_CREAT | O_EXCL);
  if (!file) fail("shared memory cannot be made", errno);
  if (const int error = allocate(file, size); error != 0) {
    unlink(path.c_str());
    fail("there are no " + std::to_string(size) + " bytes of shared memory", error);
  }
  return SharedMemory(file.get());
}

SharedMemory SharedMemory::open(const std::string & path) {
  const File file(path, 0);
  if (!file) fail("the other side's shared memory is gone", errno);
  return SharedMemory(file.get());
}

SharedMemory SharedMemory::make_or_open(const std::string & path, std::size_t size) {
  const File file(path, O_CREAT);
  if (!file) fail("shared memory cannot be made", errno);
  if (const int error = allocate(file, size); error != 0) {
    fail("there are no " + std::to_string(size) + " bytes of shared memory", error);
  }
  return SharedMemory(file.get());
}

SharedMemory::SharedMemory(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0) fail("shared memory is gone", errno);
  size_ = static_cast<std::size_t>(status.st_size);
  void * const memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  if (memory == MAP_FAILED) fail("shared memory cannot be mapped", errno);
  data_ = static_cast<std::byte *>(memory);
}

SharedMemory::SharedMemory(SharedMemory && other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

void futex_wake(const std::atomic<std::uint32_t> & word, int count) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE, count, nullptr, nullptr, 0);
}

bool futex_wait(const std::atomic<std::uint32_t> & word, std::uint32_t seen,
                std::chrono::nanoseconds timeout) noexcept {
  const std::int64_t ns = std::max<std::int64_t>(0, timeout.count());
  const timespec length{ns / kSecond, ns % kSecond};
  return syscall(SYS_futex, &word, FUTEX_WAIT, seen, &length, nullptr, 0) == 0 || errno != ETIMEDOUT;
}

}  // namespace tandem::measure
