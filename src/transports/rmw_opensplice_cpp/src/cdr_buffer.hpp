// Memory into which OpenSplice writes the CDR of one message, piece by piece.
//
// Its own reader of CDR (FooCdrDataReader) tells the serializer of more room than there is, and the heap is overrun.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace opensplice {

/// Keeps its memory from one message to the next. Not thread-safe.
class CdrBuffer {
 public:
  /// What init() and grow() return when there is no memory: the serializer's own number for it.
  static constexpr int kNoMemory = -2;

  // As OpenSplice's serializer wants it (sd_cdrControl): `*position` is where it goes on, 8-aligned; the result is how
  // many bytes are there, a multiple of 8.
  /// Begins a message.
  int init(char ** position, std::uint32_t expected) noexcept;
  /// More memory, when `*position` is the end of what there is. What is written is kept.
  int grow(char ** position, std::uint32_t expected) noexcept;
  void finalize(const char * position) noexcept;
  void clear() noexcept { size_ = 0; }

  /// The message with its 4 bytes of encapsulation, in this machine's byte order; empty unless it was finalized.
  std::span<const std::uint8_t> bytes() const;

 private:
  int reserve(std::size_t size, std::size_t written) noexcept;
  char * payload() const { return reinterpret_cast<char *>(words_.get() + 1); }

  std::unique_ptr<std::uint64_t[]> words_;  ///< the first has the encapsulation in its second half
  std::size_t capacity_ = 0;                ///< bytes of payload
  std::size_t size_ = 0;                    ///< with the encapsulation; 0 while it is being written
};

}  // namespace opensplice
