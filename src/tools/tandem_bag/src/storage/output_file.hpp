// A file that is written from its begin to its end and knows beforehand whether there is room.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <filesystem>
#include <span>

namespace tandem::bag {

class OutputFile {
 public:
  /// \throws Error; also when the file exists.
  explicit OutputFile(const std::filesystem::path & path);
  /// Gives back what is reserved and was not needed.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile & operator=(const OutputFile &) = delete;

  /// Whether `bytes` more can be written from now on: the room is kept for this file. \throws Error
  bool reserve(std::uint64_t bytes);
  /// Writes all of them, or fails; what it has written then is cut off by the destructor. Changes `pieces`. \return 0 or an
  /// errno.
  int write(std::span<iovec> pieces);
  std::uint64_t size() const { return size_; }
  const std::filesystem::path & path() const { return path_; }

 private:
  bool extend(std::uint64_t end);

  const std::filesystem::path path_;
  const std::uint64_t limit_;  // bytes that a file may have
  int file_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t reserved_ = 0;  // up to this offset there is room
  bool can_reserve_ = true;     // else the file system is asked how much is free
};

}  // namespace tandem::bag
