#include "input.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "system/log_later.hpp"

namespace tandem::fuzz {
namespace {

const std::uint8_t * current = nullptr;
std::size_t current_size = 0;

}  // namespace

void require(bool holds, const char * promise) {
  if (holds) {
    return;
  }
  std::fprintf(stderr, "broken promise: %s. The input is ", promise);
  for (std::size_t i = 0; i < current_size; ++i) {
    std::fprintf(stderr, "%02x", current[i]);
  }
  std::fprintf(stderr, "\n");
  std::abort();
}

Input::Input(const std::uint8_t * data, std::size_t size) : data_(data), size_(size) {
  current = data;
  current_size = size;
}

std::uint64_t Input::number(std::size_t bytes) {
  std::uint64_t value = 0;
  const std::size_t count = std::min(bytes, left());
  for (std::size_t i = 0; i < count; ++i) {
    value |= std::uint64_t{data_[at_++]} << 8 * i;
  }
  return value;
}

std::uint64_t Input::value() {
  switch (byte() % 8) {
    case 0: return byte();
    case 1: return ~std::uint64_t{0} - byte();
    case 2: return std::uint64_t{1} << byte() % 64;
    case 3: return (std::uint64_t{1} << byte() % 64) - 1;
    case 4: return kHeapOffset + word();
    case 5: return valid(byte());
    case 6: return gone(byte());
    default: return number(8);
  }
}

std::size_t Input::length() {
  switch (byte() % 4) {
    case 0: return word();
    case 1: return std::size_t{byte()} * 4096;
    case 2: return std::size_t{1} << byte() % 61;
    default: return kHeapOffset + word();
  }
}

std::string Input::text(std::size_t limit) {
  std::string text;
  while (!empty() && text.size() < limit) {
    const char next = static_cast<char>(byte());
    if (next == '\0') {
      break;
    }
    text.push_back(next);
  }
  return text;
}

void Input::poke(test::ForgedRegion & region) {
  const std::uint16_t where = word();
  if (where < 0xc000) {
    const auto & field = region.fields()[where % region.fields().size()];
    region.poke(field.offset, value(), field.size);
  } else {
    const std::uint64_t offset = number(3);
    region.poke(offset, value(), 1U << where % 4);
  }
}

Log::Log() {
  set_log_sink([](LogLevel, const std::string & line) {
    require(std::none_of(line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }),
            "a log line holds no control characters");
    if (line.rfind("process ", 0) == 0 && line.find("ignored from now on") != std::string::npos) {
      // Housekeeping may still be handing out the line of the input before, which had a region of another name.
      static std::mutex mutex;
      static std::string before;
      const std::lock_guard lock(mutex);
      const std::string region = line.substr(line.rfind('('));
      require(region != before, "a neighbour is dropped with one line");
      before = region;
    }
  });
}

Log::~Log() {
  flush_later();
  set_log_sink({});
}

std::uint64_t fresh_incarnation() {
  static std::atomic<std::uint64_t> next = 0x1000;
  return ++next;
}

bool reads_all_of(const void *, const void * message, const void * region, std::size_t size) {
  const auto * bytes = static_cast<const volatile std::uint8_t *>(region);
  std::uint64_t part[2];
  std::memcpy(part, message, sizeof part);
  if (part[0] > size || part[1] > size - part[0]) {
    return false;
  }
  return part[1] == 0 || bytes[part[0]] + bytes[part[0] + part[1] - 1] >= 0;
}

}  // namespace tandem::fuzz
