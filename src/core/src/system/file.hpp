// Small owners of what the kernel hands out.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace tandem {

class File {
 public:
  File() = default;
  explicit File(int fd) : fd_(fd) {}
  File(File && other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  File & operator=(File && other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~File();
  int get() const { return fd_; }
  /// Leaves the descriptor to the caller.
  int release() { return std::exchange(fd_, -1); }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// A mapping of a file, left out of core dumps.
class Mapping {
 public:
  enum class Access : std::uint8_t {
    kRead,
    kWrite,
    kPrivate,  ///< to read; what may be written later is copied, page by page
  };
  Mapping() = default;
  /// `size` may exceed the file's: what lies beyond its end must not be touched. Empty on failure, with errno set.
  Mapping(const File & file, std::size_t size, Access access);
  Mapping(Mapping && other) noexcept
      : base_(std::exchange(other.base_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Mapping & operator=(Mapping && other) noexcept {
    std::swap(base_, other.base_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Mapping();
  std::byte * base() const { return base_; }
  std::size_t size() const { return size_; }
  explicit operator bool() const { return base_ != nullptr; }

 private:
  std::byte * base_ = nullptr;
  std::size_t size_ = 0;
};

std::size_t file_size(const File & file);
/// Of what has this name: a file, a link or something else. 0 where there is nothing.
ino_t inode_of(const std::string & path);

/// Sees that these bytes of the file have memory, so that touching them is no fault, and that it is long enough. False
/// with errno set: ENOSPC; EFBIG beyond the limit of this process (no signal then). A part may have memory afterwards.
bool provide(const File & file, std::size_t offset, std::size_t size);

/// Whether some other description holds the write lock of this file (F_OFD_GETLK). True when the kernel cannot say.
bool is_locked(const File & file);
/// Takes the write lock for this description, for as long as it or a mapping of it lives.
bool lock(const File & file);

/// "No space left on device", for messages.
std::string error_text(int error);
/// What to do when making or mapping files in `directory` has failed so: a sentence.
std::string remedy(int error, const std::string & directory);
/// Whether it is for want of descriptors or memory, and may be better the next time.
bool is_shortage(int error);

}  // namespace tandem
