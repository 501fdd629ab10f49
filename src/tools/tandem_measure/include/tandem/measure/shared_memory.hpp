// What processes share while they measure each other: a mapped file, and a word in it on which they sleep.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tandem::measure {

/// A file in memory, mapped as a whole, its pages touched. Bytes are 0 when it was made. The file stays.
class SharedMemory {
 public:
  /// Makes it. \throws std::runtime_error when it is there already, or when there is no room.
  static SharedMemory make(const std::string & path, std::size_t size);
  /// \throws std::runtime_error when it is gone.
  static SharedMemory open(const std::string & path);
  /// Makes it unless it is there. \throws std::runtime_error as make().
  static SharedMemory make_or_open(const std::string & path, std::size_t size);

  ~SharedMemory();
  SharedMemory(SharedMemory && other) noexcept;
  SharedMemory & operator=(SharedMemory && other) = delete;

  std::byte * data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  explicit SharedMemory(int file);
  std::byte * data_ = nullptr;
  std::size_t size_ = 0;
};

/// Wakes at most `count` threads of any process that sleep on `word`. One system call.
void futex_wake(const std::atomic<std::uint32_t> & word, int count) noexcept;
/// Sleeps while `word` is `seen`; also returns for no reason. \return false when the time is over.
bool futex_wait(const std::atomic<std::uint32_t> & word, std::uint32_t seen, std::chrono::nanoseconds timeout) noexcept;

}  // namespace tandem::measure
