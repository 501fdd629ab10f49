#include "cdr_buffer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>

namespace opensplice {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kEncapsulation = 4;
/// The serializer counts in int.
constexpr std::size_t kMost = std::numeric_limits<int>::max() / kWord * kWord;

}  // namespace

int CdrBuffer::reserve(std::size_t size, std::size_t written) noexcept {
  const std::size_t words = (size + kWord - 1) / kWord;
  if (words > kMost / kWord) {
    return kNoMemory;
  }
  std::unique_ptr<std::uint64_t[]> larger(new (std::nothrow) std::uint64_t[words + 1]);
  if (larger == nullptr) {
    return kNoMemory;
  }
  if (written > 0) {
    std::memcpy(larger.get() + 1, payload(), written);
  }
  words_ = std::move(larger);
  capacity_ = words * kWord;
  return 0;
}

int CdrBuffer::init(char ** position, std::uint32_t expected) noexcept {
  size_ = 0;
  const std::size_t needed = std::max<std::size_t>(expected, kWord);
  if (capacity_ < needed && reserve(needed, 0) != 0) {
    return kNoMemory;
  }
  *position = payload();
  return static_cast<int>(capacity_);
}

int CdrBuffer::grow(char ** position, std::uint32_t expected) noexcept {
  const std::size_t written = capacity_;
  if (written >= kMost) {
    return kNoMemory;
  }
  // Doubled, so that a large message is not copied once for each piece.
  const std::size_t wanted = written + std::max<std::size_t>({expected, written, kWord});
  if (reserve(std::min(wanted, kMost), written) != 0) {
    return kNoMemory;
  }
  *position = payload() + written;
  return static_cast<int>(capacity_ - written);
}

void CdrBuffer::finalize(const char * position) noexcept {
  constexpr std::uint8_t kByteOrder = std::endian::native == std::endian::little ? 1 : 0;
  const std::uint8_t encapsulation[kEncapsulation] = {0, kByteOrder, 0, 0};
  std::memcpy(payload() - kEncapsulation, encapsulation, kEncapsulation);
  size_ = kEncapsulation + static_cast<std::size_t>(position - payload());
}

std::span<const std::uint8_t> CdrBuffer::bytes() const {
  if (size_ == 0) {
    return {};
  }
  return {reinterpret_cast<const std::uint8_t *>(payload()) - kEncapsulation, size_};
}

}  // namespace opensplice
