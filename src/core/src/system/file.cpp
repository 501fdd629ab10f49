#include "system/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace tandem {
namespace {

constexpr std::size_t kGreatestStep = std::size_t{16} << 20;

}  // namespace

File::~File() {
  if (fd_ >= 0) {
    close(fd_);
  }
}

Mapping::Mapping(const File & file, std::size_t size, Access access) {
  const int protection = access == Access::kWrite ? PROT_READ | PROT_WRITE : PROT_READ;
  const int kind = access == Access::kPrivate ? MAP_PRIVATE : MAP_SHARED;
  void * memory = mmap(nullptr, size, protection, kind | MAP_NORESERVE, file.get(), 0);
  if (memory == MAP_FAILED) {
    return;
  }
  madvise(memory, size, MADV_DONTDUMP);
  base_ = static_cast<std::byte *>(memory);
  size_ = size;
}

Mapping::~Mapping() {
  if (base_ != nullptr) {
    munmap(base_, size_);
  }
}

std::size_t file_size(const File & file) {
  struct stat status {};
  return fstat(file.get(), &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
}

ino_t inode_of(const std::string & path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

bool provide(const File & file, std::size_t offset, std::size_t size) {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && offset + size > limit.rlim_cur) {
    errno = EFBIG;  // the kernel would send SIGXFSZ
    return false;
  }
  for (std::size_t done = 0; done < size; done += kGreatestStep) {
    const std::size_t step = std::min(kGreatestStep, size - done);
    int result = 0;
    do {  // in steps, because a signal makes the kernel undo a whole one
      result = fallocate(file.get(), 0, static_cast<off_t>(offset + done), static_cast<off_t>(step));
    } while (result != 0 && errno == EINTR);
    if (result != 0) {
      return false;
    }
  }
  return true;
}

bool is_locked(const File & file) {
  struct flock request {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  // Who cannot be asked about is not declared dead.
  return fcntl(file.get(), F_OFD_GETLK, &request) != 0 || request.l_type != F_UNLCK;
}

bool lock(const File & file) {
  struct flock request {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  return fcntl(file.get(), F_OFD_SETLK, &request) == 0;
}

std::string error_text(int error) { return std::system_category().message(error); }

std::string remedy(int error, const std::string & directory) {
  switch (error) {
    case EMFILE: return "Raise this process's limit of open files (ulimit -n)";
    case ENFILE: return "Raise the system's limit of open files (sysctl fs.file-max)";
    case EFBIG: return "Raise this process's limit of file sizes (ulimit -f)";
    case EAGAIN: return "Raise this process's limit of locked memory (ulimit -l) or reduce TANDEM_REGION_SIZE (MiB)";
    case ENOMEM:
      return "Reduce TANDEM_REGION_SIZE (MiB), or raise the limits of memory (ulimit -v) and of mappings (sysctl "
             "vm.max_map_count)";
    default: return "Free space in " + directory + " or set TANDEM_SHM_DIR to another tmpfs";
  }
}

bool is_shortage(int error) { return error == EMFILE || error == ENFILE || error == ENOMEM; }

}  // namespace tandem
