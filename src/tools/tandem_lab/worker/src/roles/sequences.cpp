// See sequences.hpp.
#include "roles/sequences.hpp"

#include <algorithm>

namespace lab {
namespace {

constexpr std::uint64_t kWindow = 1 << 16;

}  // namespace

Sequences::Sequences() : sources_(256) {}

bool Sequences::add(std::size_t source, std::uint64_t sequence) {
  auto & known = sources_.at(source);
  if (!known) {
    known = std::make_unique<Source>();
    known->first = known->last = sequence;
    known->seen.resize(kWindow);
  }
  Source & s = *known;
  if (sequence > s.last) {
    const std::uint64_t unseen = std::min(sequence - s.last, kWindow);
    for (std::uint64_t i = 0; i < unseen; ++i) s.seen[(sequence - i) % kWindow] = false;
    s.last = sequence;
  } else if (s.last - sequence < kWindow && s.seen[sequence % kWindow]) {
    ++duplicates_;
    return false;
  }
  if (s.last - sequence < kWindow) s.seen[sequence % kWindow] = true;
  s.first = std::min(s.first, sequence);
  ++s.received;
  ++received_;
  return true;
}

std::uint64_t Sequences::gaps() const noexcept {
  std::uint64_t total = 0;
  for (const auto & source : sources_) {
    if (source) total += source->last - source->first + 1 - source->received;
  }
  return total;
}

}  // namespace lab
