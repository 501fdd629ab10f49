#include "held_samples.hpp"

#include <algorithm>

namespace rmw_fastrtps {

Held::~Held() {
  board_->release(where_);
  lender_->held.fetch_sub(1, std::memory_order_relaxed);
}

void HeldSamples::set_writers(std::vector<std::shared_ptr<const BoardView>> boards) {
  {
    const std::lock_guard lock(mutex_);
    writers_.swap(boards);
  }
  is_stale_.store(true, std::memory_order_release);
}

InPlace HeldSamples::hold(const void * message, std::size_t size) {
  if (is_stale_.load(std::memory_order_acquire)) {
    look_again();
  }
  const auto lender = find(message);
  if (!lender || !may_hold(*lender)) {
    return {};
  }
  if (!lender->segment) {
    lender->segment = Segment::map(lender->mapping);
  }
  const Block block = lender->mapping.block_at(message);
  const void * const own = lender->segment ? lender->segment->at(block.offset, size) : nullptr;
  const int where = own != nullptr ? board_->hold(key_of(block)) : -1;
  if (where < 0) {
    return {};
  }
  lender->held.fetch_add(1, std::memory_order_relaxed);
  return {own, std::make_shared<Held>(lender, board_, where)};
}

std::shared_ptr<Lender> HeldSamples::find(const void * message) const {
  const auto found = std::find_if(lenders_.begin(), lenders_.end(),
                                  [message](const auto & lender) { return lender->mapping.contains(message); });
  return found != lenders_.end() ? *found : nullptr;
}

/// Addresses of a writer that has gone may be another's by now.
void HeldSamples::look_again() {
  is_stale_.store(false, std::memory_order_release);
  std::vector<std::shared_ptr<Lender>> now;
  for (const Mapping & mapping : data_sharing_mappings()) {
    const auto known = std::find_if(lenders_.begin(), lenders_.end(), [&mapping](const auto & lender) {
      return lender->mapping.begin == mapping.begin && lender->mapping.file == mapping.file;
    });
    now.push_back(known != lenders_.end() ? *known : std::make_shared<Lender>(mapping));
  }
  lenders_.swap(now);
}

bool HeldSamples::may_hold(Lender & lender) {
  std::uint32_t granted = lender.granted.load(std::memory_order_relaxed);
  if (granted == 0) {
    const std::uint64_t key = key_of(lender.mapping.file, reader_);
    const std::lock_guard lock(mutex_);
    for (const auto & board : writers_) {
      granted = std::max(granted, board->granted(key));
    }
    lender.granted.store(granted, std::memory_order_relaxed);
  }
  return lender.held.load(std::memory_order_relaxed) < std::min(granted, quota_);
}

}  // namespace rmw_fastrtps
