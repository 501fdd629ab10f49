// Fuzz target: bytes that pretend to be CDR. Whatever they are, reading them neither leaves them nor allocates more than
// they can pay for, and what is accepted is written and read again with the same result.
//
// With clang, a libFuzzer program (TANDEM_LIBFUZZER in CMake); `make test` runs it from fuzz_driver.cpp instead.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "../oracle/message_object.hpp"
#include "../test/all_kinds.hpp"
#include "tandem/cdr.hpp"

namespace {

std::size_t allocated = 0;

void require(bool holds, const char * what) {
  if (!holds) {
    std::fprintf(stderr, "fuzz_cdr: %s\n", what);
    std::abort();
  }
}

}  // namespace

// The message memory of this program, which counts.
namespace tandem::detail {

void * try_allocate_message(std::size_t size, std::size_t alignment) noexcept {
  allocated += size;
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void * allocate_message(std::size_t size, std::size_t alignment) {
  void * const memory = try_allocate_message(size, alignment);
  return memory != nullptr ? memory : throw std::bad_alloc();
}
void free_message(void * memory, std::size_t) noexcept { std::free(memory); }
void copy_large(void * to, const void * from, std::size_t size) noexcept { std::memmove(to, from, size); }

}  // namespace tandem::detail

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t * data, std::size_t size) {
  const tandem::MessageType & type = tandem::message_type<kinds::All>();
  // Exactly as many bytes as there are, so that the sanitizer sees one more.
  const std::unique_ptr<std::uint8_t[]> bytes(new std::uint8_t[size]);
  std::copy(data, data + size, bytes.get());
  tandem::oracle::MessageObject message(type);
  allocated = 0;
  static_cast<void>(tandem::deserialize(type, bytes.get(), size, message.get()));
  // An element in memory is at most 13 times what it takes on the wire at least, and containers may double.
  constexpr std::size_t kFactor = 64;
  require(allocated <= kFactor * size + 1024, "it allocated more than the data can fill");
  const std::vector<std::uint8_t> written = tandem::serialize(type, message.get());
  require(!written.empty(), "what was read, even in part, cannot be written");
  tandem::oracle::MessageObject copy(type);
  require(tandem::deserialize(type, written.data(), written.size(), copy.get()).has_value(), "it refuses its own data");
  require(tandem::serialize(type, copy.get()) == written, "reading and writing changed the data");
  return 0;
}
