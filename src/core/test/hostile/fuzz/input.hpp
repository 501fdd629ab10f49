// What fuzz targets share: reading the input as a script, and complaining.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "../forged_region.hpp"

namespace tandem::fuzz {

/// Ends the process, with the sentence and the input in hexadecimal, if a promise is broken.
void require(bool holds, const char * promise);

/// Numbers out of the input; zeros once it is used up.
class Input {
 public:
  Input(const std::uint8_t * data, std::size_t size);
  bool empty() const { return at_ == size_; }
  std::size_t left() const { return size_ - at_; }
  std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t word() { return static_cast<std::uint16_t>(number(2)); }
  /// Of so many bytes, the low one first.
  std::uint64_t number(std::size_t bytes);
  /// A number as shared memory holds them: small, huge, an offset, a sequence, or any.
  std::uint64_t value();
  /// A plausible or an odd length of a file.
  std::size_t length();
  std::string text(std::size_t limit);
  /// Changes one of the region's fields, or any of its bytes.
  void poke(test::ForgedRegion & region);

 private:
  const std::uint8_t * data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

/// The log lines of one input: each is one line, and a neighbour is dropped with one alone.
class Log {
 public:
  Log();
  ~Log();
};

/// Another one each time: what was said of an earlier neighbour does not count.
std::uint64_t fresh_incarnation();

/// A type whose messages refer to further memory: the check reads all that it is allowed to.
bool reads_all_of(const void * type, const void * message, const void * region, std::size_t size);

}  // namespace tandem::fuzz
