// Where a publisher's blocks come from: free ones, new ones, and those that nobody needs any more. All of it runs under
// the publisher's lock.
#include <algorithm>

#include "fence.hpp"
#include "log_later.hpp"
#include "process.hpp"
#include "publisher_body.hpp"
#include "tandem/heap.hpp"

namespace tandem {
namespace {

/// Blocks in turn before cursors are read again, which costs cache misses.
constexpr std::uint32_t kRotation = 4;
constexpr std::uint32_t kSmallRotation = 16;  ///< of small blocks, which cost no memory worth the name

}  // namespace

tl::expected<std::uint32_t, BorrowError> PublisherBody::obtain(std::size_t size, bool & fresh) {
  BorrowError error = BorrowError::kPoolExhausted;
  pool_.free_some();
  if (const auto block = loans_ < max_loans_ ? find_block() : std::nullopt) {
    if (size == 0 || pool_.provide(*block, size, fresh) || provide_at_any_cost(*block, size, fresh)) {
      ++loans_;
      return *block;
    }
    error = BorrowError::kNoMemory;
    pool_.release(*block);
  }
  count(figures().failed_borrows);
  note_blocks();
  if (error == BorrowError::kNoMemory) {
    complain(size);
  }
  return tl::make_unexpected(error);
}

void PublisherBody::note_blocks() {
  constexpr auto relaxed = std::memory_order_relaxed;
  figures().blocks_used.store(pool_.used(), relaxed);
  figures().blocks_free.store(pool_.free(), relaxed);
  figures().blocks_loaned.store(loans_, relaxed);
  figures().blocks_in_ring.store(static_cast<std::uint32_t>(head_ - tail_), relaxed);
  figures().blocks_kept.store(pool_.pending(), relaxed);
}

/// Says, now and then, that memory is short.
void PublisherBody::complain(std::size_t size) {
  if (!shortage_line_.is_due()) {
    return;
  }
  log_later(LogLevel::kError, "topic '" + info_.topic + "': " + process_.heap().shortage(size));
}

std::optional<std::uint32_t> PublisherBody::find_block() {
  reclaim_if_due();
  if (auto block = pool_.pop_free()) {
    return block;
  }
  if (auto block = pool_.add()) {
    return block;
  }
  drop_culprits();
  while (!pool_.has_free() && forget_oldest()) {
  }
  return pool_.pop_free();
}

/// Takes back what dead readers hold, and readers that hold more than was granted. That comes before any message that a
/// reader may still take.
void PublisherBody::drop_culprits() {
  readers_.remove_dead();
  readers_.revoke_hoarders();
  reclaim();
}

/// Where memory is short, messages that may be lost make room: oldest first.
bool PublisherBody::provide_at_any_cost(std::uint32_t block, std::size_t size, bool & fresh) {
  drop_culprits();
  for (;;) {
    pool_.trim();
    if (pool_.provide(block, size, fresh)) {
      return true;
    }
    if (!forget_oldest()) {
      return false;
    }
  }
}

bool PublisherBody::make_room(bool at_any_cost) {
  const BiasedLock::Visit visit(mutex_);
  drop_culprits();
  const bool lost = at_any_cost && history() == 0 && forget_oldest();
  pool_.trim();
  return lost;
}

void PublisherBody::trim(bool idle) {
  {
    const BiasedLock::Visit visit(mutex_);
    reclaim();
    if (idle) {
      pool_.mark_idle();
    }
    note_blocks();
  }
  for (bool more = true; more;) {
    const BiasedLock::Visit visit(mutex_);  // for a moment each: somebody may want to publish
    more = pool_.free_one();
  }
}

/// Gives up the oldest message: history for late joiners, or one that a reader is lapped by. False if it is owed (I4).
bool PublisherBody::forget_oldest() {
  if (!Numbers::is_before(tail_, readers_.owed_floor(head_))) {
    return false;
  }
  advance_tail(tail_ + 1);
  collect();
  return true;
}

/// The number of messages kept for late joiners.
std::uint64_t PublisherBody::history() const {
  if (info_.qos.durability != Durability::kTransientLocal) {
    return 0;
  }
  return info_.qos.history == History::kKeepAll ? kKeepAllDepth : info_.qos.depth;
}

void PublisherBody::reclaim_if_due() {
  if (!pool_.has_free() && pool_.used() >= (pool_.is_small() ? kSmallRotation : kRotation)) {
    reclaim();
  }
}

/// Marks messages gone that nobody is owed any more, and frees the blocks that nobody holds.
void PublisherBody::reclaim() {
  const std::uint64_t wanted = readers_.floor(head_, record_->ring_size - 1);
  advance_tail(Numbers::earlier(wanted, head_ - history()));
  if (pool_.has_pending()) {
    collect();
  }
}

void PublisherBody::advance_tail(std::uint64_t target) {
  if (Numbers::is_before(tail_, target) && info_.qos.history == History::kKeepAll && history() != 0) {
    count(figures().forgotten, target - tail_);
  }
  for (; Numbers::is_before(tail_, target); ++tail_) {
    slot(tail_).seq.store(gone(tail_), fenced(std::memory_order_release));
    pool_.retire(slot_blocks_[tail_ & (record_->ring_size - 1)]);
  }
}

void PublisherBody::collect() {
  full_fence();  // R2: "gone" before the bitmaps; pairs with T2, T3 in Lane::take
  readers_.collect_held(pool_.used(), held_);
  pool_.collect(held_);
}

}  // namespace tandem
