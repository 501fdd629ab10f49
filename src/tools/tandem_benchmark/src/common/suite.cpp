#include "common/suite.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {

std::string size_text(std::size_t size) {
  if (size >= std::size_t{1} << 20) {
    return fmt::format("{} MiB", size >> 20);
  }
  return size >= 1024 ? fmt::format("{} KiB", size >> 10) : fmt::format("{} B", size);
}

Burst Length::samples(std::size_t count) const {
  const std::size_t taken = quick_ ? std::max<std::size_t>(count / 20, 20) : count;
  return {taken / 10, taken, 1, std::chrono::milliseconds(quick_ ? 200 : 2000)};
}

Burst Length::polled() const {
  Burst burst = samples(3000);
  burst.batch = 10;
  return burst;
}

Burst Length::repetitions(std::size_t count) const { return {0, quick_ ? 2 : count, 1, std::chrono::milliseconds(0)}; }

}  // namespace bench
