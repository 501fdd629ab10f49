#include "memory/region_heap.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "memory/thread_cache.hpp"

namespace tandem {

std::unique_ptr<RegionHeap> RegionHeap::create(Region & region) {
  auto pages = PageHeap::create(region);
  auto map = PieceMap::create(region);
  if (pages == nullptr || !map) {
    if (map) {
      map->destroy();
    }
    return nullptr;
  }
  return std::unique_ptr<RegionHeap>(new RegionHeap(region, std::move(pages), *map));
}

RegionHeap::RegionHeap(Region & region, std::unique_ptr<PageHeap> pages, const PieceMap & map)
    : region_(region), pages_(std::move(pages)), map_(map) {}

RegionHeap::~RegionHeap() {
  // Full slabs are in no list, so all slabs are found by their pages.
  for (std::uint32_t page = 0; page < region_.reserved() / PageHeap::kPage; ++page) {
    if (Slab * slab = pages_->slab_at(page); slab != nullptr && slab->first_page == page) {
      remove_slab(slab);
    }
  }
  map_.destroy();
}

void * RegionHeap::allocate(std::size_t size, std::size_t alignment) {
  if (size > region_.reserved()) {
    return nullptr;
  }
  size = aligned_size(size, alignment);
  PageHeap::Lock lock(mutex_);
  if (size <= kGreatestSmall) {
    const std::uint32_t size_class = class_of(size);
    void * const object = take_object(size_class, lock);
    if (object != nullptr) {
      map_.at(object)->store(PieceMap::kind_of(size_class), std::memory_order_relaxed);
    }
    return object;
  }
  const auto pages = static_cast<std::uint32_t>((size + PageHeap::kPage - 1) / PageHeap::kPage);
  const std::uint32_t first = pages_->take(pages, lock);
  if (first == 0) {
    return nullptr;
  }
  in_use_ += pages * PageHeap::kPage;
  return region_.base() + first * PageHeap::kPage;
}

bool RegionHeap::deallocate(void * memory) {
  const std::lock_guard lock(mutex_);
  if (map_.class_at(memory)) {
    map_.at(memory)->store(0, std::memory_order_relaxed);
    give_back_object(memory);
    return true;
  }
  const std::size_t size = pages_size(memory);
  if (size != 0) {
    in_use_ -= size;
    pages_->give_back(page_of(memory));
  }
  return size != 0;
}

std::uint32_t RegionHeap::page_of(const void * memory) const {
  return static_cast<std::uint32_t>(region_.offset_of(memory) / PageHeap::kPage);
}

/// The size of the pages that were allocated at `memory`; 0 when none were.
std::size_t RegionHeap::pages_size(const void * memory) const {
  if (!region_.contains(memory) || region_.offset_of(memory) % PageHeap::kPage != 0) {
    return 0;
  }
  const std::uint32_t page = page_of(memory);
  return std::as_const(*pages_).slab_at(page) == nullptr ? pages_->size_of(page) * PageHeap::kPage : 0;
}

bool RegionHeap::is_live(const void * memory, std::size_t size) const {
  if (const auto size_class = map_.class_at(memory)) {
    return size_of_class(*size_class) >= size;
  }
  const std::lock_guard lock(mutex_);
  const std::size_t found = pages_size(memory);
  return found != 0 && found >= size;
}

void RegionHeap::trim() {
  PageHeap::Lock lock(mutex_);
  for (const SlabList & list : with_room_) {
    for (Slab *slab = list.first(), *next = nullptr; slab != nullptr; slab = next) {
      next = slab->next;
      if (slab->live == 0) {
        remove_slab(slab);
      }
    }
  }
  pages_->trim(lock);
}

void RegionHeap::shed() {
  PageHeap::Lock lock(mutex_);
  pages_->shed(lock);
}

HeapStatistics RegionHeap::statistics() const {
  const std::lock_guard lock(mutex_);
  std::size_t cached = 0;
  for (const ThreadCache * cache = caches_; cache != nullptr; cache = cache->next) {
    cached += cache->bytes();
  }
  // An object that goes from one thread's cache to another's meanwhile may be counted twice.
  return {region_.reserved(), pages_->committed(), in_use_ - std::min(in_use_, cached)};
}

std::string RegionHeap::shortage(std::size_t size) const {
  const HeapStatistics now = statistics();
  const auto mebibytes = [](std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
  const int error = region_.refusal();
  return "no memory for " + std::to_string(size) + " bytes: of this process's shared memory of " +
         mebibytes(now.reserved) + ", " + mebibytes(now.in_use) + " are in use" +
         (error == 0
              ? ". Raise TANDEM_REGION_SIZE (MiB)"
              : ", and more was refused: " + error_text(error) + ". " + remedy(error, "the shared memory directory"));
}

// ---- slabs ---------------------------------------------------------------------------------------------------------

/// Takes the lowest free object of the first slab with room; adds a slab if there is none. Null when memory is short.
void * RegionHeap::take_object(std::uint32_t size_class, PageHeap::Lock & lock) {
  Slab * slab = with_room_[size_class].first();
  if (slab == nullptr) {
    slab = add_slab(size_class, lock);
    if (slab == nullptr) {
      return nullptr;
    }
  }
  const std::uint32_t object = slab->pop();
  ++slab->live;
  if (slab->is_full()) {
    with_room_[size_class].remove(slab);
  }
  const std::size_t size = size_of_class(size_class);
  in_use_ += size;
  return region_.base() + slab->first_page * PageHeap::kPage + object * size;
}

/// Puts an object back into its slab. Does nothing when it is there already: two threads may have freed it at once.
void RegionHeap::give_back_object(const void * memory) {
  Slab * const slab = pages_->slab_at(page_of(memory));
  if (slab == nullptr) {
    return;
  }
  const auto within = static_cast<std::uint32_t>(region_.offset_of(memory) - slab->first_page * PageHeap::kPage);
  const auto size = static_cast<std::uint32_t>(size_of_class(slab->size_class));
  const std::uint32_t object = within / size;
  if (slab->is_free(object)) {
    return;
  }
  SlabList & list = with_room_[slab->size_class];
  if (slab->is_full()) {
    list.push_front(slab);
  }
  slab->set_free(object);
  --slab->live;
  in_use_ -= size;
  // The last slab of its class stays until trim(), so a program that allocates and frees by turns adds no slab each time.
  if (slab->live == 0 && !list.has_one()) {
    remove_slab(slab);
  }
}

Slab * RegionHeap::add_slab(std::uint32_t size_class, PageHeap::Lock & lock) {
  const std::size_t size = size_of_class(size_class);
  const std::size_t bytes = std::max(Slab::kLeastBytes, Slab::kLeastObjects * size);
  const auto pages = static_cast<std::uint32_t>(bytes / PageHeap::kPage);
  auto * slab = new (std::nothrow) Slab;
  const std::uint32_t first = slab != nullptr ? pages_->take(pages, lock) : 0;
  if (first == 0) {
    delete slab;
    return nullptr;
  }
  slab->first_page = first;
  slab->size_class = size_class;
  slab->objects = static_cast<std::uint32_t>(bytes / size);
  for (std::uint32_t object = 0; object < slab->objects; ++object) {
    slab->set_free(object);
  }
  for (std::uint32_t page = first; page < first + pages; ++page) {
    pages_->slab_at(page) = slab;
  }
  with_room_[size_class].push_front(slab);
  return slab;
}

/// Gives its pages back and deletes it.
void RegionHeap::remove_slab(Slab * slab) {
  if (!slab->is_full()) {
    with_room_[slab->size_class].remove(slab);
  }
  const std::uint32_t first = slab->first_page;
  for (std::uint32_t page = first; page < first + pages_->size_of(first); ++page) {
    pages_->slab_at(page) = nullptr;
  }
  pages_->give_back(first);
  delete slab;
}

// ---- caches of threads ---------------------------------------------------------------------------------------------

void RegionHeap::add(ThreadCache & cache) {
  const std::lock_guard lock(mutex_);
  cache.next = caches_;
  if (caches_ != nullptr) {
    caches_->previous = &cache;
  }
  caches_ = &cache;
}

void RegionHeap::remove(ThreadCache & cache) {
  const std::lock_guard lock(mutex_);
  if (cache.next != nullptr) {
    cache.next->previous = cache.previous;
  }
  (cache.previous != nullptr ? cache.previous->next : caches_) = cache.next;
}

std::uint32_t RegionHeap::take(std::uint32_t size_class, void ** objects, std::uint32_t most) {
  PageHeap::Lock lock(mutex_);
  std::uint32_t count = 0;
  do {
    objects[count] = take_object(size_class, lock);
    count += objects[count] != nullptr ? 1 : 0;
  } while (count != 0 && count < most && with_room_[size_class].first() != nullptr);
  return count;
}

void RegionHeap::give_back(void * const * objects, std::uint32_t count) {
  const std::lock_guard lock(mutex_);
  std::for_each_n(objects, count, [this](const void * object) { give_back_object(object); });
}

}  // namespace tandem
