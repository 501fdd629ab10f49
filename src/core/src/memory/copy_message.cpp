#include <cstdint>
#include <cstring>

#include "tandem/heap.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace tandem {
namespace {

#if defined(__x86_64__)
/// Copies whole cache lines to `to`, which is aligned to 16 bytes. \return how many bytes are copied.
std::size_t stream(std::byte * to, const std::byte * from, std::size_t size) {
  constexpr std::size_t kLine = 64;
  const std::size_t whole = size / kLine * kLine;
  auto * target = reinterpret_cast<__m128i *>(to);
  const auto * source = reinterpret_cast<const __m128i *>(from);
  for (std::size_t done = 0; done < whole; done += kLine, target += 4, source += 4) {
    const __m128i a = _mm_loadu_si128(source);
    const __m128i b = _mm_loadu_si128(source + 1);
    const __m128i c = _mm_loadu_si128(source + 2);
    const __m128i d = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, a);
    _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c);
    _mm_stream_si128(target + 3, d);
  }
  _mm_sfence();  // such stores keep no order with those that follow
  return whole;
}
#else
std::size_t stream(std::byte *, const std::byte *, std::size_t) { return 0; }
#endif

}  // namespace

void copy_message(void * to, const void * from, std::size_t size) noexcept {
  auto * const target = static_cast<std::byte *>(to);
  const auto * const source = static_cast<const std::byte *>(from);
  std::size_t done = 0;
  if (size >= kLeastStreamed) {
    constexpr std::size_t kAlignment = 16;
    done = (kAlignment - reinterpret_cast<std::uintptr_t>(target) % kAlignment) % kAlignment;
    std::memcpy(target, source, done);
    done += stream(target + done, source + done, size - done);
  }
  std::memcpy(target + done, source + done, size - done);
}

}  // namespace tandem
