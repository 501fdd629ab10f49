// Floors: what the machine itself needs, without any of our code. Nothing that does as much can be faster.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "tandem/measure/shared_memory.hpp"

namespace tandem::measure {

/// One word of shared memory, alone in its page, that two processes write in turn.
class FloorWord {
 public:
  /// Both sides give the same path. \throws std::runtime_error when there is no room.
  explicit FloorWord(const std::string & path) : memory_(SharedMemory::make_or_open(path, kSize)) {}

  void write(std::uint32_t word) noexcept { shared().store(word, std::memory_order_release); }
  std::uint32_t read() const noexcept { return shared().load(std::memory_order_acquire); }

  /// For a reader that sleeps: one system call each.
  void write_and_wake(std::uint32_t word) noexcept {
    write(word);
    futex_wake(shared(), 1);
  }
  /// Sleeps while the word is `seen`; also returns for no reason. \return false when the time is over.
  bool wait(std::uint32_t seen, std::chrono::nanoseconds timeout) const noexcept {
    return futex_wait(shared(), seen, timeout);
  }

 private:
  static constexpr std::size_t kSize = 4096;
  std::atomic<std::uint32_t> & shared() const noexcept {
    return *reinterpret_cast<std::atomic<std::uint32_t> *>(memory_.data());
  }
  const SharedMemory memory_;
};

/// One copy between two buffers.
class FloorCopy {
 public:
  explicit FloorCopy(std::size_t size) : from_(size, 1), to_(size, 2) {}
  void copy() noexcept {
    std::memcpy(to_.data(), from_.data(), from_.size());
    asm volatile("" : : "r"(to_.data()), "r"(from_.data()) : "memory");  // neither merged nor left out
  }

 private:
  std::vector<char> from_;
  std::vector<char> to_;
};

}  // namespace tandem::measure
