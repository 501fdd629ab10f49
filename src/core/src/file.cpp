#include "file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

namespace tandem {

File::~File() {
  if (fd_ >= 0) {
    close(fd_);
  }
}

Mapping::Mapping(const File & file, std::size_t size, bool writable) {
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void * memory = mmap(nullptr, size, protection, MAP_SHARED | MAP_NORESERVE, file.get(), 0);
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

}  // namespace tandem
