#include "delivery/publisher_memory.hpp"

#include <array>

#include "system/clock.hpp"
#include "system/fence.hpp"
#include "tandem/heap.hpp"

namespace tandem {
namespace {

std::uint64_t history_of(const Qos & qos) {
  if (qos.durability != Durability::kTransientLocal) {
    return 0;
  }
  return qos.history == History::kKeepAll ? kKeepAllDepth : qos.depth;
}

}  // namespace

PublisherMemory::PublisherMemory(PublisherRecord & record, Slot * slots, ReaderSet & readers,
                                 const PublisherOptions & options)
    : record_(record),
      slots_(slots),
      mask_(record.ring_size - 1),
      readers_(readers),
      history_(history_of(options.qos)),
      counts_forgotten_(options.qos.history == History::kKeepAll && history_ != 0),
      delivers_(options.addressing == Addressing::kDelivered),
      patience_(options.qos.max_blocking_time),
      max_loans_(options.max_loans),
      pool_(record.max_blocks, options.functions),
      slot_blocks_(record.ring_size),
      held_(record.max_blocks / 64),
      head_(options.first_sequence),
      tail_(options.first_sequence) {}

// ---- allocating ----------------------------------------------------------------------------------------------------

std::uint32_t PublisherMemory::allocate(BiasedLock & lock, std::size_t size, bool & fresh, BorrowError & error) {
  const std::uint32_t block = loans_ < max_loans_ ? find_block(lock) : kNoBlock;
  if (block != kNoBlock) [[likely]] {
    ++loans_;
    fresh = pool_.capacity(block) < size;
    if ((!fresh && !pool_.has_leftovers()) || provide(lock, block, size)) [[likely]] {
      return block;
    }
    free(block);
  }
  error = block == kNoBlock ? BorrowError::kPoolExhausted : BorrowError::kNoMemory;
  count(record_.figures.failed_borrows);
  note_figures();
  return kNoBlock;
}

std::uint32_t PublisherMemory::find_block(BiasedLock & lock) {
  reclaim_if_due();
  if (const std::uint32_t block = pool_.pop_free(); block != kNoBlock) {
    return block;
  }
  if (const std::uint32_t block = pool_.add(); block != kNoBlock) {
    return block;
  }
  drop_bad_readers(lock);
  while (!pool_.has_free() && forget_oldest()) {
  }
  return loans_ < max_loans_ ? pool_.pop_free() : kNoBlock;  // others may have borrowed meanwhile
}

/// Where memory is short, messages that may be lost make room: oldest first.
bool PublisherMemory::provide(BiasedLock & lock, std::uint32_t block, std::size_t size) {
  if (equip(lock, block, size)) {
    return true;
  }
  drop_bad_readers(lock);
  for (;;) {
    pool_.set_aside_free();
    give_back(lock);
    if (equip(lock, block, size)) {
      return true;
    }
    if (!forget_oldest()) {
      return false;
    }
  }
}

/// Sees that the block has memory for `size` bytes. Leftovers go first: two, since a publish leaves one in the long run.
bool PublisherMemory::equip(BiasedLock & lock, std::uint32_t block, std::size_t size) {
  const bool is_wanted = pool_.capacity(block) < size;
  if (is_wanted) {
    pool_.set_aside(block);
  }
  const std::array<void *, 2> leftovers = {pool_.pop_leftover(), pool_.pop_leftover()};
  void * memory = nullptr;
  {
    const BiasedLock::ScopedUnlock unlock(lock);
    for (void * leftover : leftovers) {
      pool_.destroy(leftover);
    }
    memory = is_wanted ? allocate_shared_memory(size) : nullptr;
  }
  if (memory != nullptr) {
    pool_.equip(block, memory, size);
  }
  return memory != nullptr || !is_wanted;
}

/// Takes back what dead readers hold, and readers that hold more than was granted. That comes before any message that a
/// reader may still take.
void PublisherMemory::drop_bad_readers(BiasedLock & lock) {
  readers_.remove_dead(lock);
  readers_.revoke_over_quota(lock);
  reclaim();
}

// ---- giving back ---------------------------------------------------------------------------------------------------

bool PublisherMemory::trim(BiasedLock & lock, Trim what) {
  bool is_lost = false;
  if (what == Trim::kAll || what == Trim::kOldest) {
    drop_bad_readers(lock);
    is_lost = what == Trim::kOldest && history_ == 0 && forget_oldest();
    pool_.set_aside_free();
  } else {
    reclaim();
    if (what == Trim::kIdle) {
      pool_.mark_idle();
    }
    note_figures();
  }
  give_back(lock);
  return is_lost;
}

/// One at a time: somebody may want to publish.
void PublisherMemory::give_back(BiasedLock & lock) {
  while (void * const memory = pool_.pop_unneeded()) {
    const BiasedLock::ScopedUnlock unlock(lock);
    pool_.destroy(memory);
  }
}

void PublisherMemory::note_figures() {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  PublisherFigures & figures = record_.figures;
  figures.blocks_used.store(pool_.used(), kRelaxed);
  figures.blocks_free.store(pool_.free(), kRelaxed);
  figures.blocks_loaned.store(loans_, kRelaxed);
  figures.blocks_in_ring.store(static_cast<std::uint32_t>(head_ - tail_), kRelaxed);
  figures.blocks_kept.store(pool_.pending(), kRelaxed);
}

// ---- the ring's tail -----------------------------------------------------------------------------------------------

bool PublisherMemory::forget_oldest() {
  if (delivers_) {
    reclaim();
    if (tail_ == head_ || oldest_age() < patience_) {
      return false;
    }
    count(record_.figures.forgotten, forget_all_of(oldest_address().subscription));
    return true;
  }
  if (!Numbers::is_before(tail_, readers_.owed_floor(head_))) {
    return false;
  }
  advance_tail(tail_ + 1);
  collect();
  return true;
}

void PublisherMemory::reclaim() {
  if (delivers_) [[unlikely]] {
    retire_delivered();
  } else {
    const std::uint64_t wanted = readers_.floor(head_, mask_);
    advance_tail(Numbers::earlier(wanted, head_ - history_));
  }
  if (pool_.has_pending()) {
    collect();
  }
}

void PublisherMemory::advance_tail(std::uint64_t target) {
  if (counts_forgotten_ && Numbers::is_before(tail_, target)) {
    count(record_.figures.forgotten, target - tail_);
  }
  for (; Numbers::is_before(tail_, target); ++tail_) {
    slot(tail_).seq.store(gone(tail_), fenced(std::memory_order_release));
    pool_.retire(slot_blocks_[tail_ & mask_]);
  }
}

/// Marks those messages gone for which `is_done(slot, number)` is true, wherever they are in the ring. \return how many.
template <class Predicate>
std::uint64_t PublisherMemory::retire_if(Predicate is_done) {
  std::uint64_t count = 0;
  for (std::uint64_t n = tail_; n != head_; ++n) {
    Slot & message = slot(n);
    if (message.seq.load(std::memory_order_relaxed) == valid(n) && is_done(message, n)) {
      message.seq.store(gone(n), fenced(std::memory_order_release));
      pool_.retire(slot_blocks_[n & mask_]);
      ++count;
    }
  }
  while (tail_ != head_ && slot(tail_).seq.load(std::memory_order_relaxed) == gone(tail_)) {
    ++tail_;
  }
  return count;
}

/// One reader that stands still keeps its own messages, not those behind them.
void PublisherMemory::retire_delivered() {
  retire_if([this](const Slot & message, std::uint64_t n) {
    return !readers_.is_awaited(read_address(message).subscription, n, head_);
  });
}

std::chrono::nanoseconds PublisherMemory::oldest_age() const {
  return std::chrono::nanoseconds(now_ns(CLOCK_REALTIME) -
                                  slot(tail_).source_timestamp.load(std::memory_order_relaxed));
}

std::uint64_t PublisherMemory::forget_all_of(const EndpointId & subscription) {
  const std::uint64_t count = retire_if(
      [&](const Slot & message, std::uint64_t) { return read_address(message).subscription == subscription; });
  collect();
  return count;
}

void PublisherMemory::collect() {
  full_fence();  // R2: "gone" before the bitmaps; pairs with T2, T3 in Lane::take
  readers_.collect_held(pool_.used(), held_);
  pool_.collect(held_);
}

}  // namespace tandem
