// A publisher's memory: its blocks, and the messages of its ring that are in them.
//
// A block comes from allocate(): a free one, else a new one, else that of the oldest message that may be lost. It goes back
// by free(); or, once it was published, by itself, when its message is gone and no reader holds it. trim() gives the heap
// what no message needs.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "delivery/reader_set.hpp"
#include "layout/layout.hpp"
#include "memory/block_pool.hpp"
#include "system/biased_lock.hpp"
#include "tandem/publisher.hpp"

namespace tandem {

/// Used under its publisher's lock, which is given up for whatever may ask the kernel: the heap, who is alive, and messages'
/// destructors. A block is loaned meanwhile, so nobody else touches it.
class PublisherMemory {
 public:
  PublisherMemory(PublisherRecord & record, Slot * slots, ReaderSet & readers, const PublisherOptions & options);

  /// A loaned block with memory for `size` bytes; with 0 it may have none. `fresh` tells whether the memory is new and
  /// holds no message yet. Dead readers, and those that hold too much, lose theirs before any message is lost.
  /// \return kNoBlock when there is none; then `error` says why.
  std::uint32_t allocate(BiasedLock & lock, std::size_t size, bool & fresh, BorrowError & error) TANDEM_REQUIRES(lock);
  /// Ends a loan.
  void free(std::uint32_t block) {
    --loans_;
    pool_.release(block);
  }
  /// Each includes the one before, but that the last two know nothing of idleness.
  enum class Trim {
    kLeftovers,  ///< adopted messages that nobody reads any more
    kIdle,       ///< and free blocks that were not used since such a call before
    kAll,        ///< all free blocks, also those that only the dead and those that hold too much have kept
    kOldest,     ///< and that of the oldest message, if it may be lost and is not history for late joiners
  };
  /// True if a message was lost.
  bool trim(BiasedLock & lock, Trim what) TANDEM_REQUIRES(lock);

  void * memory(std::uint32_t block) const { return pool_.memory(block); }
  /// Whether the next block has memory.
  bool has_ready() const { return pool_.has_ready(); }
  /// Makes `memory` of the heap, which holds a message, the content of a loaned block.
  void adopt(std::uint32_t block, void * memory) { pool_.adopt(block, memory); }
  std::uint32_t loans() const { return loans_; }

  // The ring.
  std::uint64_t head() const { return head_; }
  std::uint64_t tail() const { return tail_; }
  Slot & slot(std::uint64_t n) const { return slots_[n & mask_]; }
  /// A loaned block is message head() from now on, whose slot says so.
  void enter(std::uint32_t block) {
    slot_blocks_[head_ & mask_] = block;
    ++head_;
    --loans_;
  }
  /// Makes the next allocate() short.
  void prepare_next() {
    reclaim_if_due();
    pool_.prefetch_next();
  }
  /// Marks messages gone that nobody is owed any more, and frees the blocks that nobody holds.
  void reclaim();
  /// Gives up the oldest message: history for late joiners, or one that a reader is lapped by. False if it is owed (I4).
  /// Where messages are delivered, all of the subscription that has let the oldest wait for longer than max_blocking_time.
  bool forget_oldest();
  // Where messages are delivered: whom the oldest one is for, and for how long it has waited. \pre there is one
  Address oldest_address() const { return read_address(slot(tail_)); }
  std::chrono::nanoseconds oldest_age() const;
  /// Gives up all messages for this subscription. \return how many.
  std::uint64_t forget_all_of(const EndpointId & subscription);
  /// The number of messages kept for late joiners.
  std::uint64_t history() const { return history_; }

  /// In a forked child: forgets everything.
  void abandon() { pool_.abandon(); }

 private:
  /// Blocks in turn before cursors are read again, which costs cache misses.
  static constexpr std::uint32_t kRotation = 4;
  static constexpr std::uint32_t kSmallRotation = 16;  ///< of small blocks, which cost no memory worth the name

  std::uint32_t find_block(BiasedLock & lock) TANDEM_REQUIRES(lock);
  bool provide(BiasedLock & lock, std::uint32_t block, std::size_t size) TANDEM_REQUIRES(lock);
  bool equip(BiasedLock & lock, std::uint32_t block, std::size_t size) TANDEM_REQUIRES(lock);
  void drop_bad_readers(BiasedLock & lock) TANDEM_REQUIRES(lock);
  void give_back(BiasedLock & lock) TANDEM_REQUIRES(lock);
  void reclaim_if_due() {
    if (!pool_.has_free() && pool_.used() >= (pool_.is_small() ? kSmallRotation : kRotation)) {
      reclaim();
    }
  }
  void advance_tail(std::uint64_t target);
  template <class Predicate>
  std::uint64_t retire_if(Predicate is_done);
  void retire_delivered();
  void collect();
  void note_figures();

  PublisherRecord & record_;
  Slot * const slots_;
  const std::uint64_t mask_;
  ReaderSet & readers_;
  const std::uint64_t history_;
  const bool counts_forgotten_;              ///< its history is to keep all
  const bool delivers_;                      ///< each message to one subscription
  const std::chrono::nanoseconds patience_;  ///< max_blocking_time
  const std::uint32_t max_loans_;
  BlockPool pool_;
  std::vector<std::uint32_t> slot_blocks_;  ///< block of each valid slot: our own memory, not the shared one
  std::vector<std::uint64_t> held_;         ///< scratch of collect()
  std::uint64_t head_;
  std::uint64_t tail_;
  std::uint32_t loans_ = 0;
};

}  // namespace tandem
