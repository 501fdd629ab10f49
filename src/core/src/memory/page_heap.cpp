#include "memory/page_heap.hpp"

#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <bit>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace tandem {
namespace {

constexpr std::uint32_t kFirstPage = kHeapOffset / PageHeap::kPage;
constexpr std::uint32_t kPunchedAtOnce = 1024;  ///< pages: what takes the kernel less than a millisecond
constexpr std::uint32_t kLeastStep = 512;       ///< pages by which the file grows
constexpr std::uint32_t kGreatestStep = 4096;
constexpr std::size_t kKept = (std::size_t{64} << 20) / PageHeap::kPage;  ///< a few images and clouds

static_assert(kHeapOffset % PageHeap::kPage == 0);

}  // namespace

std::unique_ptr<PageHeap> PageHeap::create(Region & region) {
  const std::size_t pages = region.reserved() / kPage;
  const std::size_t bytes = pages * sizeof(Page) + (pages / 64 + 1) * sizeof(std::uint64_t);
  void * memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return nullptr;
  }
#if defined(__SANITIZE_ADDRESS__)
  __lsan_register_root_region(memory, bytes);  // the table refers to slabs
#endif
  return std::unique_ptr<PageHeap>(new PageHeap(region, static_cast<Page *>(memory), bytes));
}

PageHeap::PageHeap(Region & region, Page * table, std::size_t table_size)
    : region_(region),
      end_(static_cast<std::uint32_t>(region.reserved() / kPage)),
      table_(table),
      table_size_(table_size),
      committed_bits_(reinterpret_cast<std::uint64_t *>(table + end_)),
      committed_(kFirstPage) {
  insert(kFirstPage, end_ - kFirstPage);
}

PageHeap::~PageHeap() {
#if defined(__SANITIZE_ADDRESS__)
  __lsan_unregister_root_region(table_, table_size_);
#endif
  munmap(table_, table_size_);
}

// ---- free extents --------------------------------------------------------------------------------------------------

std::uint32_t PageHeap::bin_of(std::uint32_t pages) {
  const auto octave = static_cast<std::uint32_t>(std::bit_width(pages | 16U)) - 5;
  return 16 * octave + (pages >> octave);
}

void PageHeap::insert(std::uint32_t first, std::uint32_t pages) {
  const std::uint32_t bin = bin_of(pages);
  const std::uint32_t next = bins_[bin];
  table_[first + pages - 1] = {nullptr, pages, 0, 0, Kind::kFree};
  table_[first] = {nullptr, pages, next, 0, Kind::kFree};
  if (next != 0) {
    table_[next].previous = first;
  }
  bins_[bin] = first;
  filled_bins_[bin / 64] |= std::uint64_t{1} << bin % 64;
}

void PageHeap::remove(std::uint32_t first) {
  const Page extent = table_[first];
  const std::uint32_t bin = bin_of(extent.pages);
  if (extent.next != 0) {
    table_[extent.next].previous = extent.previous;
  }
  if (extent.previous != 0) {
    table_[extent.previous].next = extent.next;
  } else {
    bins_[bin] = extent.next;
    if (extent.next == 0) {
      filled_bins_[bin / 64] &= ~(std::uint64_t{1} << bin % 64);
    }
  }
  table_[first + extent.pages - 1] = {};
  table_[first] = {};
}

/// The first bin from `bin` on that is not empty; kBins when there is none.
std::uint32_t PageHeap::next_bin(std::uint32_t bin) const {
  std::uint64_t mask = ~std::uint64_t{0} << bin % 64;
  for (std::uint32_t word = bin / 64; word < filled_bins_.size(); ++word, mask = ~std::uint64_t{0}) {
    if ((filled_bins_[word] & mask) != 0) {
      return word * 64 + static_cast<std::uint32_t>(std::countr_zero(filled_bins_[word] & mask));
    }
  }
  return kBins;
}

/// The smallest free extent of at least `pages`, of equal ones the lowest; 0 when there is none.
std::uint32_t PageHeap::find(std::uint32_t pages) const {
  for (std::uint32_t bin = next_bin(bin_of(pages)); bin < kBins; bin = next_bin(bin + 1)) {
    std::uint32_t best = 0;
    for (std::uint32_t extent = bins_[bin]; extent != 0; extent = mark(extent).next) {
      const std::uint32_t size = mark(extent).pages;
      if (size >= pages && (best == 0 || size < mark(best).pages || (size == mark(best).pages && extent < best))) {
        best = extent;
      }
    }
    if (best != 0) {
      return best;
    }
  }
  return 0;
}

std::uint32_t PageHeap::take_free(std::uint32_t pages) {
  const std::uint32_t first = find(pages);
  if (first != 0) {
    use(first, first, pages);
  }
  return first;
}

/// Makes some pages of a free extent a used one; the others stay free.
void PageHeap::use(std::uint32_t extent, std::uint32_t first, std::uint32_t pages) {
  const std::uint32_t end = extent + mark(extent).pages;
  remove(extent);
  if (first > extent) {
    insert(extent, first - extent);
  }
  if (end > first + pages) {
    insert(first + pages, end - first - pages);
  }
  table_[first] = {nullptr, pages, 0, 0, Kind::kUsed};
  free_committed_ -= count_committed(first, pages);
  idle_ = std::min(idle_, free_committed_);
}

/// Lengthens a used extent by what is free behind it, `most` pages. \return by how many.
std::uint32_t PageHeap::extend(std::uint32_t first, std::uint32_t most) {
  const std::uint32_t next = first + mark(first).pages;
  if (most == 0 || next >= end_ || mark(next).kind != Kind::kFree) {
    return 0;
  }
  const std::uint32_t more = std::min(most, mark(next).pages);
  use(next, next, more);
  table_[next] = {};
  table_[first].pages += more;
  return more;
}

/// Shortens a used extent to its first pages and frees the others.
void PageHeap::cut(std::uint32_t first, std::uint32_t pages) {
  const std::uint32_t rest = mark(first).pages - pages;
  if (rest != 0) {
    table_[first].pages = pages;
    table_[first + pages] = {nullptr, rest, 0, 0, Kind::kUsed};
    give_back(first + pages);
  }
}

void PageHeap::give_back(std::uint32_t first) {
  std::uint32_t pages = mark(first).pages;
  table_[first] = {};
  free_committed_ += count_committed(first, pages);
  if (const std::uint32_t after = first + pages; after < end_ && mark(after).kind == Kind::kFree) {
    pages += mark(after).pages;
    remove(after);
  }
  if (mark(first - 1).kind == Kind::kFree) {
    const std::uint32_t before = mark(first - 1).pages;
    remove(first - before);
    first -= before;
    pages += before;
  }
  insert(first, pages);
}

std::uint32_t PageHeap::take(std::uint32_t pages, Lock & lock) {
  for (;;) {
    const std::uint32_t first = take_free(pages);
    if (first != 0 && commit(first, pages, lock)) [[likely]] {
      return first;
    }
    if (first != 0) {
      give_back(first);
    }
    // Memory is short: perhaps ours lies elsewhere, or is just on its way from or to the kernel.
    if (at_kernel_ != 0) {
      lock.unlock();
      const timespec moment{0, 50'000};
      nanosleep(&moment, nullptr);
      lock.lock();
    } else if (first == 0 || punch_one(committed_, lock) == 0) {
      return 0;
    }
  }
}

// ---- memory --------------------------------------------------------------------------------------------------------

/// Calls `function` with each word of the bits of these pages and the mask of those that are meant.
template <class Function>
void PageHeap::for_words(std::uint32_t first, std::uint32_t pages, Function function) const {
  const std::size_t end = std::size_t{first} + pages;
  for (std::size_t page = first; page < end;) {
    const std::size_t next = std::min((page / 64 + 1) * 64, end);
    function(committed_bits_[page / 64], ~std::uint64_t{0} >> (64 - (next - page)) << page % 64);
    page = next;
  }
}

std::uint32_t PageHeap::count_committed(std::uint32_t first, std::uint32_t pages) const {
  int count = 0;
  for_words(first, pages, [&](std::uint64_t word, std::uint64_t mask) { count += std::popcount(word & mask); });
  return static_cast<std::uint32_t>(count);
}

void PageHeap::set_committed(std::uint32_t first, std::uint32_t pages, bool committed) {
  committed_ -= count_committed(first, pages);
  committed_ += committed ? pages : 0;
  for_words(first, pages,
            [committed](std::uint64_t & word, std::uint64_t mask) { word = committed ? word | mask : word & ~mask; });
}

/// Sees that a used extent has memory.
bool PageHeap::commit(std::uint32_t first, std::uint32_t pages, Lock & lock) {
  if (count_committed(first, pages) == pages) [[likely]] {
    return true;
  }
  const auto file_end = static_cast<std::uint32_t>(region_.committed() / kPage);
  if (first + pages > file_end) {
    // The file grows ahead of its use, since a reader has to ask for its length each time.
    const std::uint32_t ahead = extend(first, std::clamp(file_end / 8, kLeastStep, kGreatestStep));
    const bool done = ahead != 0 && commit_unlocked(first, pages + ahead, lock);
    cut(first, pages);
    if (done) {
      return true;
    }
  }
  return commit_unlocked(first, pages, lock);
}

bool PageHeap::commit_unlocked(std::uint32_t first, std::uint32_t pages, Lock & lock) {
  ++at_kernel_;
  lock.unlock();
  const bool done = region_.commit(first * kPage, pages * kPage);
  lock.lock();
  --at_kernel_;
  set_committed(first, pages, done);
  return done;
}

void PageHeap::trim(Lock & lock) {
  give_to_kernel(idle_, lock);
  idle_ = free_committed_;
}

void PageHeap::shed(Lock & lock) {
  const std::size_t kept = std::max(kKept, (committed_ - free_committed_) / 4);
  if (free_committed_ > kept) [[unlikely]] {
    give_to_kernel(free_committed_ - kept + kPunchedAtOnce, lock);  // and some, or the next call is here again
  }
}

/// Punches free pages out of the file, largest extents first, those at their ends: they are the last to be used again.
void PageHeap::give_to_kernel(std::size_t limit, Lock & lock) {
  while (limit > 0) {
    const std::uint32_t punched = punch_one(limit, lock);
    if (punched == 0) {
      return;
    }
    limit -= std::min<std::size_t>(punched, limit);
  }
}

/// \return how many pages; 0 when no free page has memory.
std::uint32_t PageHeap::punch_one(std::size_t limit, Lock & lock) {
  const std::uint32_t first = take_committed(limit);
  if (first == 0) {
    return 0;
  }
  const std::uint32_t pages = mark(first).pages;
  ++at_kernel_;
  lock.unlock();
  region_.decommit(first * kPage, pages * kPage);
  lock.lock();
  --at_kernel_;
  set_committed(first, pages, false);
  give_back(first);
  return pages;
}

/// Pages with memory at the end of a free extent, `limit` at the most: they become a used extent. \return the first; 0 when
/// there are none.
std::uint32_t PageHeap::take_committed(std::size_t limit) {
  const auto is_committed = [this](std::uint32_t page) { return (committed_bits_[page / 64] >> page % 64 & 1) != 0; };
  for (std::uint32_t bin = kBins; bin-- > 0;) {
    for (std::uint32_t extent = bins_[bin]; extent != 0; extent = mark(extent).next) {
      std::uint32_t end = extent + mark(extent).pages;
      while (end > extent && !is_committed(end - 1)) {
        // Word by word through what has none, as most of the last extent has.
        end = end % 64 == 0 && committed_bits_[end / 64 - 1] == 0 ? std::max(extent, end - 64) : end - 1;
      }
      if (end == extent) {
        continue;
      }
      const auto most = static_cast<std::uint32_t>(std::min<std::size_t>({end - extent, limit, kPunchedAtOnce}));
      std::uint32_t first = end - 1;
      while (first > end - most && is_committed(first - 1)) {
        --first;
      }
      use(extent, first, end - first);
      return first;
    }
  }
  return 0;
}

}  // namespace tandem
