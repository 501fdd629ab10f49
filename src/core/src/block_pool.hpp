// The messages of one publisher: blocks of the heap, each in exactly one state.
//
//   free ──borrow──► loaned ──publish──► in a slot ──the slot is gone──► pending ──no reader holds it──► free
//     ▲                 └────drop────────────────────────────────────────────────────────────────────────► │
//     └────────────────────────────────────────────────────────────────────────────────────────────────────┘
//
// Free blocks keep their memory, with the message in it, and are used again most recent first, while their lines are
// still in the cache. Adopted memory does not belong to the pool: it is given back to the heap, a little with each
// borrow, as destroying many messages takes its time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "prefetch.hpp"
#include "tandem/types.hpp"

namespace tandem {

/// Used under its publisher's mutex.
class BlockPool {
 public:
  BlockPool(std::uint32_t max_blocks, const MessageFunctions & functions);
  ~BlockPool();
  BlockPool(const BlockPool &) = delete;
  BlockPool & operator=(const BlockPool &) = delete;

  /// Blocks whose index has ever been used.
  std::uint32_t used() const { return static_cast<std::uint32_t>(blocks_.size()); }
  std::uint32_t free() const { return static_cast<std::uint32_t>(free_.size()); }
  std::uint32_t pending() const { return static_cast<std::uint32_t>(pending_.size()); }
  bool has_free() const { return !free_.empty(); }
  /// Whether the next free block has memory.
  bool has_ready() const { return !free_.empty() && blocks_[free_.back()].memory != nullptr; }
  /// Whether no message has taken more than a page so far, as far as the pool can tell.
  bool is_small() const { return greatest_ <= kSmall; }
  bool has_pending() const { return !pending_.empty(); }

  std::optional<std::uint32_t> pop_free();
  /// Asks for the first line of the block that comes next, which a reader has had: its writer will not wait for it.
  void prefetch_next() const {
    if (!free_.empty()) {
      prefetch_to_write(blocks_[free_.back()].memory);
    }
  }
  /// Gives back to the heap some of what was adopted and is read by nobody any more: faster than it can come in.
  void free_some() {
    if (!leftovers_.empty()) [[unlikely]] {
      free_two();
    }
  }
  /// A block never used before; nothing when max_blocks are in use.
  std::optional<std::uint32_t> add();
  /// Sees that the block has memory for `size` bytes. `fresh` tells whether it is new and holds no message yet.
  bool provide(std::uint32_t block, std::size_t size, bool & fresh);
  /// Makes `memory` of the heap, which holds a message, the block's content.
  void adopt(std::uint32_t block, void * memory);
  /// Gives adopted memory back to its caller.
  void disown(std::uint32_t block) { blocks_[block] = Block{}; }
  /// Returns all memory that nobody uses to the heap.
  void trim();
  /// Begins a new time of idleness: what was free all the time since the call before is to go.
  void mark_idle();
  /// Returns one message that nobody reads, or one idle block, to the heap. False when there is none left.
  bool free_one();
  void * memory(std::uint32_t block) const { return blocks_[block].memory; }

  /// Its slot is gone; readers may still hold it.
  void retire(std::uint32_t block) { pending_.push_back(block); }
  /// Frees the pending blocks that have no bit in `held`.
  void collect(const std::vector<std::uint64_t> & held);
  /// Frees them all: nobody reads them any more.
  void release_pending();
  /// Frees a block that nobody reads.
  void release(std::uint32_t block);
  /// In a forked child: forgets everything.
  void abandon();

 private:
  static constexpr std::size_t kSmall = 4096;  ///< bytes
  struct Block {
    void * memory = nullptr;
    std::size_t capacity = 0;
    bool adopted = false;
  };
  void free_two();
  void discard(Block & block);
  void give_back(void * memory);

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> pending_;
  std::size_t greatest_ = 0;       ///< bytes of a block
  std::size_t least_free_ = 0;     ///< since mark_idle(): so many from the bottom of free_ were not used
  std::size_t idle_ = 0;           ///< so many from the bottom of free_ are to go
  std::vector<void *> leftovers_;  ///< adopted memory that nobody reads any more
  std::uint32_t max_blocks_;
  const MessageFunctions functions_;
};

}  // namespace tandem
