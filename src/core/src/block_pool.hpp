// The messages of one publisher: blocks of the heap, each in exactly one state.
//
//   free ──borrow──► loaned ──publish──► in a slot ──the slot is gone──► pending ──no reader holds it──► free
//     ▲                 └────drop────────────────────────────────────────────────────────────────────────► │
//     └────────────────────────────────────────────────────────────────────────────────────────────────────┘
//
// Free blocks keep their memory and are used again most recent first, while their lines are still in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tandem {

/// Used under its publisher's mutex.
class BlockPool {
 public:
  using Destroy = void (*)(void *);

  BlockPool(std::uint32_t max_blocks, Destroy destroy);
  ~BlockPool();
  BlockPool(const BlockPool &) = delete;
  BlockPool & operator=(const BlockPool &) = delete;

  /// Blocks whose index has ever been used.
  std::uint32_t used() const { return static_cast<std::uint32_t>(blocks_.size()); }
  bool has_free() const { return !free_.empty(); }
  bool has_pending() const { return !pending_.empty(); }

  std::optional<std::uint32_t> pop_free();
  /// Asks for the first line of the block that comes next, which a reader has had: its writer will not wait for it.
  void prefetch_next() const {
    if (!free_.empty()) {
      __builtin_prefetch(blocks_[free_.back()].memory, 1);
    }
  }
  /// A block never used before; nothing when max_blocks are in use.
  std::optional<std::uint32_t> add();
  /// Sees that the block has memory for `size` bytes. `fresh` tells whether it is new.
  bool provide(std::uint32_t block, std::size_t size, bool & fresh);
  /// Makes `memory` of the heap the block's content, to be given back to the heap once nobody reads it.
  void adopt(std::uint32_t block, void * memory);
  /// Gives adopted memory back to its caller.
  void disown(std::uint32_t block) { blocks_[block] = Block{}; }
  /// Returns the memory of free blocks to the heap.
  void trim();
  void * memory(std::uint32_t block) const { return blocks_[block].memory; }

  /// Its slot is gone; readers may still hold it.
  void retire(std::uint32_t block) { pending_.push_back(block); }
  /// Frees the pending blocks that have no bit in `held`.
  void collect(const std::vector<std::uint64_t> & held);
  /// Frees them all: nobody reads them any more.
  void release_pending();
  /// Frees a block that nobody else has seen, or that has no content when `holds_message` is false.
  void release(std::uint32_t block, bool holds_message);

 private:
  struct Block {
    void * memory = nullptr;
    std::size_t capacity = 0;
    bool adopted = false;
  };
  void discard(Block & block);

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> pending_;
  std::uint32_t max_blocks_;
  Destroy destroy_;
};

}  // namespace tandem
