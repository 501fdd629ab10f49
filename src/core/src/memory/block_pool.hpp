// The states of one publisher's blocks. Which block is to be used, and when one is free again, is PublisherMemory's to say.
//
//   free ──borrow──► loaned ──publish──► in a slot ──the slot is gone──► pending ──no reader holds it──► free
//     ▲                 └────drop────────────────────────────────────────────────────────────────────────► │
//     └────────────────────────────────────────────────────────────────────────────────────────────────────┘
//
// Free blocks keep their memory, with the message in it, and are used again most recent first, while their lines are
// still in the cache. Adopted memory does not belong to the pool: once its block is free it is a leftover.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "system/prefetch.hpp"
#include "tandem/types.hpp"

namespace tandem {

/// Instead of an optional, which is built in two pieces and read as one: the processor waits for both to be stored.
inline constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};

/// Used under its publisher's lock, but for destroy(). It asks nobody for memory, and gives none back but in its destructor.
class BlockPool {
 public:
  BlockPool(std::uint32_t max_blocks, const MessageFunctions & functions);
  /// Destroys all messages, whatever their state.
  ~BlockPool();
  BlockPool(const BlockPool &) = delete;
  BlockPool & operator=(const BlockPool &) = delete;

  /// Blocks whose index has ever been used.
  std::uint32_t used() const { return static_cast<std::uint32_t>(blocks_.size()); }
  std::uint32_t free() const { return static_cast<std::uint32_t>(free_.size()); }
  std::uint32_t pending() const { return static_cast<std::uint32_t>(pending_.size()); }
  bool has_free() const { return !free_.empty(); }
  bool has_pending() const { return !pending_.empty(); }
  bool has_leftovers() const { return !leftovers_.empty(); }
  /// Whether the next free block has memory.
  bool has_ready() const { return !free_.empty() && blocks_[free_.back()].memory != nullptr; }
  /// Whether no message has taken more than a page so far, as far as the pool can tell.
  bool is_small() const { return greatest_ <= kSmall; }
  void * memory(std::uint32_t block) const { return blocks_[block].memory; }
  /// Bytes; 0 without memory.
  std::size_t capacity(std::uint32_t block) const { return blocks_[block].capacity; }

  /// kNoBlock when there is none.
  std::uint32_t pop_free();
  /// Asks for the first line of the block that comes next, which a reader has had: its writer will not wait for it.
  void prefetch_next() const {
    if (!free_.empty()) {
      prefetch_to_write(blocks_[free_.back()].memory);
    }
  }
  /// A block never used before; kNoBlock when max_blocks are in use.
  std::uint32_t add();
  /// Makes `memory` of `capacity` bytes, which holds no message yet, the content of a block that has none.
  void equip(std::uint32_t block, void * memory, std::size_t capacity);
  /// Makes `memory` of the heap, which holds a message, the block's content.
  void adopt(std::uint32_t block, void * memory);
  /// Its slot is gone; readers may still hold it.
  void retire(std::uint32_t block) { pending_.push_back(block); }
  /// Frees the pending blocks that have no bit in `held`.
  void collect(const std::vector<std::uint64_t> & held);
  /// Frees a block that nobody reads.
  void release(std::uint32_t block);

  // Memory on its way back to the heap.
  /// Makes the block's memory, if it has any, a leftover.
  void set_aside(std::uint32_t block);
  /// The same for all free blocks.
  void set_aside_free() {
    std::for_each(free_.begin(), free_.end(), [this](std::uint32_t block) { set_aside(block); });
  }
  /// Begins a new time of idleness: what was free all the time since the call before is to go.
  void mark_idle();
  /// A leftover, for destroy(); nullptr when there is none.
  void * pop_leftover();
  /// The same or else the memory of an idle block.
  void * pop_unneeded();
  /// Destroys the message and gives its memory back to the heap. Without the lock: it may take its time. nullptr: nothing.
  void destroy(void * memory) const;

  /// In a forked child: forgets everything.
  void abandon();

 private:
  static constexpr std::size_t kSmall = 4096;  ///< bytes
  struct Block {
    void * memory = nullptr;
    std::size_t capacity = 0;
    bool adopted = false;
  };

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> pending_;
  std::size_t greatest_ = 0;       ///< bytes of a block
  std::size_t least_free_ = 0;     ///< since mark_idle(): so many from the bottom of free_ were not used
  std::size_t idle_ = 0;           ///< so many from the bottom of free_ are to go
  std::vector<void *> leftovers_;  ///< memory of messages that nobody reads and that no block has any more
  std::uint32_t max_blocks_;
  const MessageFunctions functions_;
};

}  // namespace tandem
