#include "storage/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tandem/bag/metadata.hpp"

namespace tandem::bag {
namespace {

constexpr std::uint64_t kStep = 64 << 20;  // reserved at a time, where there is so much

/// `ulimit -f`: the kernel would let us reserve more.
std::uint64_t file_size_limit() {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path & path)
    : path_(path), limit_(file_size_limit()), file_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
  if (file_ < 0) {
    throw Error(fmt::format("cannot make {}: {}", path.string(), std::strerror(errno)));
  }
}

OutputFile::~OutputFile() {
  [[maybe_unused]] const int result = ftruncate(file_, static_cast<off_t>(size_));
  close(file_);
}

bool OutputFile::reserve(std::uint64_t bytes) {
  const std::uint64_t end = size_ + bytes;
  return end <= reserved_ || extend(std::max(end, reserved_ + kStep)) || extend(end);
}

bool OutputFile::extend(std::uint64_t end) {
  if (end > limit_) {
    return false;
  }
  const auto from = static_cast<off_t>(std::max(size_, reserved_));
  const auto length = static_cast<off_t>(end) - from;
  if (can_reserve_) {
    int result = 0;
    do {
      result = fallocate(file_, FALLOC_FL_KEEP_SIZE, from, length);
    } while (result != 0 && errno == EINTR);
    if (result == 0) {
      reserved_ = end;
      return true;
    }
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) {
      return false;
    }
    can_reserve_ = false;
  }
  struct statvfs state {};
  if (fstatvfs(file_, &state) != 0) {
    throw Error(fmt::format("cannot see how much room there is for {}: {}", path_.string(), std::strerror(errno)));
  }
  if (state.f_bavail * state.f_frsize < end - size_) {
    return false;
  }
  reserved_ = std::min(end, size_ + kStep / 4);  // others write as well: look again soon
  return true;
}

int OutputFile::write(std::span<iovec> pieces) {
  std::uint64_t end = size_;
  while (!pieces.empty()) {
    const ssize_t result = pwritev(file_, pieces.data(), static_cast<int>(pieces.size()), static_cast<off_t>(end));
    if (result < 0) {
      if (errno == EINTR) {
        continue;
      }
      return errno;
    }
    end += static_cast<std::uint64_t>(result);
    auto count = static_cast<std::size_t>(result);
    while (!pieces.empty() && count >= pieces.front().iov_len) {
      count -= pieces.front().iov_len;
      pieces = pieces.subspan(1);
    }
    if (count > 0) {
      pieces.front().iov_base = static_cast<char *>(pieces.front().iov_base) + count;
      pieces.front().iov_len -= count;
    }
  }
  size_ = end;
  return 0;
}

}  // namespace tandem::bag
