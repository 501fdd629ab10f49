#include "region_heap.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace tandem {

/// Pages with objects of one size side by side. `free` has a bit for each object, `free_words` one for each word of it.
struct Slab {
  static constexpr std::size_t kLeastBytes = std::size_t{64} << 10;
  static constexpr std::size_t kLeastObjects = 8;

  std::uint32_t first_page;
  std::uint32_t size_class;
  std::uint32_t objects;
  std::uint32_t live = 0;
  Slab * next = nullptr;  ///< in the list of its class, while it has room
  Slab * previous = nullptr;
  std::uint64_t free_words = 0;
  std::uint64_t free[64] = {};

  bool is_free(std::uint32_t object) const { return (free[object / 64] >> object % 64 & 1) != 0; }
  void set_free(std::uint32_t object) {
    free[object / 64] |= std::uint64_t{1} << object % 64;
    free_words |= std::uint64_t{1} << object / 64;
  }
  /// The lowest one. \pre live < objects
  std::uint32_t pop() {
    const auto word = static_cast<std::uint32_t>(std::countr_zero(free_words));
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(free[word]));
    free[word] &= free[word] - 1;
    if (free[word] == 0) {
      free_words &= free_words - 1;
    }
    return word * 64 + bit;
  }
};

std::unique_ptr<RegionHeap> RegionHeap::create(Region & region) {
  auto pages = PageHeap::create(region);
  return pages ? std::unique_ptr<RegionHeap>(new RegionHeap(region, std::move(pages))) : nullptr;
}

RegionHeap::RegionHeap(Region & region, std::unique_ptr<PageHeap> pages) : region_(region), pages_(std::move(pages)) {}

RegionHeap::~RegionHeap() {
  // Full slabs are in no list: they are found by their pages.
  for (std::uint32_t page = 0; page < region_.reserved() / PageHeap::kPage; ++page) {
    if (Slab * slab = pages_->slab_at(page); slab != nullptr && slab->first_page == page) {
      remove_slab(slab);
    }
  }
}

// Sixteen classes 16 bytes apart, then eight to each doubling. A multiple of 64 bytes is in a class of such a multiple.
std::uint32_t RegionHeap::class_of(std::size_t size) {
  if (size <= 256) {
    return static_cast<std::uint32_t>((size - 1) / 16);
  }
  const auto octave = static_cast<std::uint32_t>(std::bit_width(size - 1)) - 9;
  return 8 + 8 * octave + static_cast<std::uint32_t>((size - 1) >> (octave + 5));
}

std::size_t RegionHeap::size_of_class(std::uint32_t size_class) {
  if (size_class < 16) {
    return std::size_t{16} * (size_class + 1);
  }
  const std::uint32_t octave = (size_class - 16) / 8;
  return std::size_t{9 + (size_class - 16) % 8} << (octave + 5);
}

void * RegionHeap::allocate(std::size_t size, std::size_t alignment) {
  if (size > region_.reserved()) {
    return nullptr;
  }
  size = (std::max<std::size_t>(size, 1) + alignment - 1) & ~(alignment - 1);
  PageHeap::Lock lock(mutex_);
  if (size <= kGreatestSmall) {
    return allocate_object(class_of(size), lock);
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
  const std::scoped_lock lock(mutex_);
  const Place place = find(memory);
  in_use_ -= place.size;
  if (place.slab != nullptr) {
    free_object(*place.slab, place.number);
  } else if (place.size != 0) {
    pages_->give_back(place.number);
  }
  return place.size != 0;
}

RegionHeap::Place RegionHeap::find(const void * memory) const {
  if (!region_.contains(memory)) {
    return {};
  }
  const std::uint64_t offset = region_.offset_of(memory);
  const auto page = static_cast<std::uint32_t>(offset / PageHeap::kPage);
  Slab * const slab = std::as_const(*pages_).slab_at(page);
  if (slab == nullptr) {
    return offset % PageHeap::kPage == 0 ? Place{pages_->size_of(page) * PageHeap::kPage, nullptr, page} : Place{};
  }
  const auto within = static_cast<std::uint32_t>(offset - slab->first_page * PageHeap::kPage);
  const auto size = static_cast<std::uint32_t>(size_of_class(slab->size_class));
  const std::uint32_t object = within / size;
  if (object * size != within || object >= slab->objects || slab->is_free(object)) {
    return {};
  }
  return {size, slab, object};
}

bool RegionHeap::is_live(const void * memory, std::size_t size) const {
  std::scoped_lock lock(mutex_);
  const std::size_t found = find(memory).size;
  return found != 0 && found >= size;
}

void RegionHeap::trim() {
  PageHeap::Lock lock(mutex_);
  for (Slab * slab : with_room_) {
    while (slab != nullptr) {
      Slab * const next = slab->next;
      if (slab->live == 0) {
        remove_slab(slab);
      }
      slab = next;
    }
  }
  pages_->trim(lock);
}

void RegionHeap::shed() {
  PageHeap::Lock lock(mutex_);
  pages_->shed(lock);
}

HeapStatistics RegionHeap::statistics() const {
  std::scoped_lock lock(mutex_);
  return {region_.reserved(), pages_->committed(), in_use_};
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

void * RegionHeap::allocate_object(std::uint32_t size_class, PageHeap::Lock & lock) {
  Slab * slab = with_room_[size_class];
  if (slab == nullptr) {
    slab = add_slab(size_class, lock);
    if (slab == nullptr) {
      return nullptr;
    }
  }
  const std::uint32_t object = slab->pop();
  if (++slab->live == slab->objects) {
    unlink(slab);
  }
  const std::size_t size = size_of_class(size_class);
  in_use_ += size;
  return region_.base() + slab->first_page * PageHeap::kPage + object * size;
}

void RegionHeap::free_object(Slab & slab, std::uint32_t object) {
  if (slab.live == slab.objects) {
    link(&slab);
  }
  slab.set_free(object);
  --slab.live;
  // The last one of its class stays until trim(): who allocates and frees by turns does not make a slab each time.
  if (slab.live == 0 && (slab.next != nullptr || slab.previous != nullptr)) {
    remove_slab(&slab);
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
  link(slab);
  return slab;
}

/// Frees its pages, and itself.
void RegionHeap::remove_slab(Slab * slab) {
  if (slab->live < slab->objects) {
    unlink(slab);
  }
  const std::uint32_t first = slab->first_page;
  for (std::uint32_t page = first; page < first + pages_->size_of(first); ++page) {
    pages_->slab_at(page) = nullptr;
  }
  pages_->give_back(first);
  delete slab;
}

void RegionHeap::link(Slab * slab) {
  Slab *& head = with_room_[slab->size_class];
  slab->previous = nullptr;
  slab->next = head;
  if (head != nullptr) {
    head->previous = slab;
  }
  head = slab;
}

void RegionHeap::unlink(Slab * slab) {
  if (slab->next != nullptr) {
    slab->next->previous = slab->previous;
  }
  (slab->previous != nullptr ? slab->previous->next : with_room_[slab->size_class]) = slab->next;
  slab->next = nullptr;
  slab->previous = nullptr;
}

}  // namespace tandem
