#include "region_heap.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

namespace tandem {

// Class c holds blocks of class_size(c) bytes or more. Sizes are multiples of the alignment up to 1024, then sixteen
// steps to each doubling, so at most 6 % of a large block is unused.
std::size_t RegionHeap::class_of(std::size_t size) {
  const std::size_t units = size / kHeapAlignment;
  if (units < kStepsPerOctave) {
    return units;
  }
  const auto octave = static_cast<std::size_t>(std::bit_width(units)) - 5;  // units is 16 << octave or more
  return std::min(kStepsPerOctave * (octave + 1) + (units >> octave) - kStepsPerOctave, kClasses - 1);
}

std::size_t RegionHeap::class_size(std::size_t index) {
  if (index < kStepsPerOctave) {
    return index * kHeapAlignment;
  }
  const std::size_t octave = index / kStepsPerOctave - 1;
  return ((kStepsPerOctave + index % kStepsPerOctave) << octave) * kHeapAlignment;
}

RegionHeap::RegionHeap(Region & region) : region_(region) {
  best_fit_ = new (region.base() + kHeapOffset) BestFit(region.committed() - kHeapOffset, 0);
  const std::size_t bytes = region.reserved() / kHeapAlignment / 8;
  void * bits = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bits == MAP_FAILED) {
    std::abort();  // a few MiB of address space at start-up
  }
  starts_ = static_cast<std::uint8_t *>(bits);
}

RegionHeap::~RegionHeap() { munmap(starts_, region_.reserved() / kHeapAlignment / 8); }

std::size_t RegionHeap::unit_of(const void * memory) const { return region_.offset_of(memory) / kHeapAlignment; }

void * RegionHeap::allocate(std::size_t size) {
  if (size > region_.reserved()) {
    return nullptr;
  }
  size = std::max<std::size_t>(size, 1);
  std::size_t index = class_of(size);
  if (class_size(index) < size) {
    ++index;
  }
  std::scoped_lock lock(mutex_);
  void * memory = nullptr;
  std::size_t bytes = 0;
  if (index < kClasses && !cached_[index].empty()) {
    memory = cached_[index].back();
    cached_[index].pop_back();
    bytes = best_fit_->size(memory);
    cached_bytes_ -= bytes;
  } else {
    const std::size_t wanted = index < kClasses ? class_size(index) : size;
    memory = best_fit(wanted);
    if (memory == nullptr) {
      return_cached();
      memory = best_fit(wanted);
    }
    if (memory == nullptr) {
      return nullptr;
    }
    bytes = best_fit_->size(memory);
  }
  in_use_ += bytes;
  const std::size_t unit = unit_of(memory);
  starts_[unit / 8] |= static_cast<std::uint8_t>(1U << unit % 8);
  return memory;
}

void RegionHeap::deallocate(void * memory) {
  std::scoped_lock lock(mutex_);
  const std::size_t unit = unit_of(memory);
  starts_[unit / 8] &= static_cast<std::uint8_t>(~(1U << unit % 8));
  const std::size_t bytes = best_fit_->size(memory);
  in_use_ -= bytes;
  auto & list = cached_[class_of(bytes)];
  if (cached_bytes_ + bytes > kMaxCached || list.size() >= kMaxCachedBlocks) {
    best_fit_->deallocate(memory);
    return;
  }
  list.push_back(memory);
  cached_bytes_ += bytes;
}

void * RegionHeap::best_fit(std::size_t size) {
  if (void * memory = best_fit_->allocate(size)) {
    return memory;
  }
  const std::size_t before = region_.committed();
  const std::size_t headers = 4 * kHeapAlignment;
  if (!region_.commit(before + size + headers)) {
    return nullptr;
  }
  best_fit_->grow(region_.committed() - before);
  return best_fit_->allocate(size);
}

void RegionHeap::return_cached() {
  for (auto & list : cached_) {
    for (void * memory : list) {
      best_fit_->deallocate(memory);
    }
    list.clear();
  }
  cached_bytes_ = 0;
}

bool RegionHeap::is_live(const void * memory, std::size_t size) const {
  if (!region_.contains(memory) || region_.offset_of(memory) % kHeapAlignment != 0) {
    return false;
  }
  std::scoped_lock lock(mutex_);
  const std::size_t unit = unit_of(memory);
  return (starts_[unit / 8] >> unit % 8 & 1U) != 0 && best_fit_->size(memory) >= size;
}

std::size_t RegionHeap::in_use() const {
  std::scoped_lock lock(mutex_);
  return in_use_;
}

}  // namespace tandem
