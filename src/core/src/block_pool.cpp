#include "block_pool.hpp"

#include <algorithm>

#include "tandem/heap.hpp"

namespace tandem {

BlockPool::BlockPool(std::uint32_t max_blocks, const MessageFunctions & functions)
    : max_blocks_(max_blocks), functions_(functions) {
  if (functions.destroy != nullptr) {
    greatest_ = ~std::size_t{0};  // what its messages own is not known here
  }
  const std::size_t usual = std::min<std::size_t>(max_blocks, 1024);
  blocks_.reserve(usual);  // so that the steady state allocates nothing
  free_.reserve(usual);
  pending_.reserve(usual);
  leftovers_.reserve(usual);
}

BlockPool::~BlockPool() {
  for (Block & block : blocks_) {
    discard(block);
  }
  for (void * memory : leftovers_) {
    give_back(memory);
  }
}

void BlockPool::discard(Block & block) {
  give_back(block.memory);
  block = Block{};
}

void BlockPool::give_back(void * memory) {
  if (memory != nullptr && functions_.destroy != nullptr) {
    functions_.destroy(functions_.type, memory);
  }
  deallocate(memory);
}

/// Two, since a borrow adds at most one in the long run.
void BlockPool::free_two() {
  for (int i = 0; i < 2 && !leftovers_.empty(); ++i) {
    void * memory = leftovers_.back();
    leftovers_.pop_back();
    give_back(memory);
  }
}

std::optional<std::uint32_t> BlockPool::pop_free() {
  if (free_.empty()) {
    return std::nullopt;
  }
  const std::uint32_t block = free_.back();
  free_.pop_back();
  least_free_ = std::min(least_free_, free_.size());
  idle_ = std::min(idle_, free_.size());
  return block;
}

std::optional<std::uint32_t> BlockPool::add() {
  if (blocks_.size() >= max_blocks_) {
    return std::nullopt;
  }
  blocks_.emplace_back();
  return used() - 1;
}

bool BlockPool::provide(std::uint32_t index, std::size_t size, bool & fresh) {
  Block & block = blocks_[index];
  fresh = block.memory == nullptr || block.capacity < size;
  if (!fresh) {
    return true;
  }
  discard(block);
  block.memory = allocate_shared_memory(size);
  block.capacity = block.memory != nullptr ? size : 0;
  greatest_ = std::max(greatest_, size);
  return block.memory != nullptr;
}

void BlockPool::adopt(std::uint32_t index, void * memory) {
  Block & block = blocks_[index];
  discard(block);
  block.memory = memory;
  block.adopted = true;
  greatest_ = ~std::size_t{0};
}

void BlockPool::trim() {
  for (const std::uint32_t block : free_) {
    discard(blocks_[block]);
  }
  while (!leftovers_.empty()) {
    free_some();
  }
}

void BlockPool::mark_idle() {
  idle_ = least_free_;
  least_free_ = free_.size();
}

bool BlockPool::free_one() {
  if (!leftovers_.empty()) {
    void * memory = leftovers_.back();
    leftovers_.pop_back();
    give_back(memory);
    return true;
  }
  while (idle_ > 0) {
    Block & block = blocks_[free_[--idle_]];
    // A small one may stay: who publishes once an hour need not allocate.
    const bool is_worth_it = functions_.destroy != nullptr || block.capacity > kSmall;
    if (block.memory != nullptr && is_worth_it) {
      discard(block);
      return true;
    }
  }
  return false;
}

void BlockPool::release(std::uint32_t index) {
  Block & block = blocks_[index];
  if (block.adopted) {
    leftovers_.push_back(block.memory);
    block = Block{};
  }
  free_.push_back(index);
}

void BlockPool::abandon() {
  blocks_.clear();
  leftovers_.clear();
}

void BlockPool::release_pending() {
  for (const std::uint32_t block : pending_) {
    release(block);
  }
  pending_.clear();
}

void BlockPool::collect(const std::vector<std::uint64_t> & held) {
  std::size_t kept = 0;
  for (const std::uint32_t block : pending_) {
    if ((held[block / 64] >> block % 64 & 1) != 0) {
      pending_[kept++] = block;
    } else {
      release(block);
    }
  }
  pending_.resize(kept);
}

}  // namespace tandem
