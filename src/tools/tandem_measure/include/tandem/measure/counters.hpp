// The processor's own counters, where the machine has them and lets us.
#pragma once

#include <cstdint>
#include <string>

namespace tandem::measure {

/// Of this process and all threads that it starts later, user space and kernel. Made before other threads.
class Counters {
 public:
  Counters();
  ~Counters();
  Counters(const Counters &) = delete;
  Counters & operator=(const Counters &) = delete;

  struct Reading {
    std::uint64_t cycles = 0;
    std::uint64_t instructions = 0;
  };
  /// Since they were made. Two system calls, none without counters.
  Reading read() const;
  /// Why there is nothing to read; empty: there is.
  const std::string & reason() const { return reason_; }

 private:
  int cycles_;  ///< files; -1: none
  int instructions_;
  std::string reason_;
};

/// This process's: made by the first call.
const Counters & counters();

}  // namespace tandem::measure
