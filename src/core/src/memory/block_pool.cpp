#include "memory/block_pool.hpp"

#include <utility>

#include "tandem/heap.hpp"

namespace tandem {

BlockPool::BlockPool(std::uint32_t max_blocks, const MessageFunctions & functions)
    : max_blocks_(max_blocks), functions_(functions) {
  if (functions.destroy != nullptr) {
    greatest_ = ~std::size_t{0};  // what its messages own is not known here
  }
  // Nothing grows under the lock. What is not used costs no memory.
  blocks_.reserve(max_blocks);
  free_.reserve(max_blocks);
  pending_.reserve(max_blocks);
  leftovers_.reserve(max_blocks);
}

BlockPool::~BlockPool() {
  for (const Block & block : blocks_) {
    destroy(block.memory);
  }
  for (void * memory : leftovers_) {
    destroy(memory);
  }
}

void BlockPool::destroy(void * memory) const {
  if (memory != nullptr && functions_.destroy != nullptr) {
    functions_.destroy(functions_.type, memory);
  }
  deallocate(memory);
}

std::uint32_t BlockPool::pop_free() {
  if (free_.empty()) {
    return kNoBlock;
  }
  const std::uint32_t block = free_.back();
  free_.pop_back();
  least_free_ = std::min(least_free_, free_.size());
  idle_ = std::min(idle_, free_.size());
  return block;
}

std::uint32_t BlockPool::add() {
  if (blocks_.size() >= max_blocks_) {
    return kNoBlock;
  }
  blocks_.emplace_back();
  return used() - 1;
}

void BlockPool::equip(std::uint32_t index, void * memory, std::size_t capacity) {
  blocks_[index] = {memory, capacity, false};
  greatest_ = std::max(greatest_, capacity);
}

void BlockPool::adopt(std::uint32_t index, void * memory) {
  set_aside(index);
  blocks_[index] = {memory, 0, true};
  greatest_ = ~std::size_t{0};
}

void BlockPool::release(std::uint32_t index) {
  if (blocks_[index].adopted) {
    set_aside(index);
  }
  free_.push_back(index);
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

void BlockPool::set_aside(std::uint32_t index) {
  if (void * const memory = std::exchange(blocks_[index], {}).memory; memory != nullptr) {
    leftovers_.push_back(memory);
  }
}

void BlockPool::mark_idle() {
  idle_ = least_free_;
  least_free_ = free_.size();
}

void * BlockPool::pop_leftover() {
  if (leftovers_.empty()) {
    return nullptr;
  }
  void * const memory = leftovers_.back();
  leftovers_.pop_back();
  return memory;
}

void * BlockPool::pop_unneeded() {
  void * memory = pop_leftover();
  while (memory == nullptr && idle_ > 0) {
    const std::uint32_t index = free_[--idle_];
    // A small one may stay: who publishes once an hour need not allocate.
    if (functions_.destroy != nullptr || blocks_[index].capacity > kSmall) {
      memory = std::exchange(blocks_[index], {}).memory;
    }
  }
  return memory;
}

void BlockPool::abandon() {
  blocks_.clear();
  leftovers_.clear();
}

}  // namespace tandem
