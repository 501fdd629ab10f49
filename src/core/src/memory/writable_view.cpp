#include "memory/writable_view.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "memory/guard.hpp"
#include "memory/page_heap.hpp"
#include "tandem/subscription.hpp"

namespace tandem {
namespace {

constexpr std::size_t whole_pages(std::size_t size) {
  return (size + PageHeap::kPage - 1) / PageHeap::kPage * PageHeap::kPage;
}

/// Of a part of so many bytes.
std::size_t window_size(std::size_t size, std::size_t windows, std::size_t least) {
  return std::max(least, whole_pages((size + windows - 1) / windows));
}

bool is_turned_off() {
  static const bool off = [] {
    const char * text = std::getenv("TANDEM_COPY_ON_WRITE");
    return text != nullptr && std::strcmp(text, "0") == 0;
  }();
  return off;
}

}  // namespace

WritableView::WritableView(const File & file, std::size_t size)
    : file_(file), mapping_(file, size, Mapping::Access::kPrivate) {}

std::unique_ptr<WritableView> WritableView::create(const File & file, std::size_t size, std::atomic<bool> & broken) {
  if (is_turned_off()) {
    return nullptr;
  }
  std::unique_ptr<WritableView> view(new (std::nothrow) WritableView(file, size));
  if (view == nullptr || !view->mapping_ || !guard::watch(view->mapping_.base(), size, false, &broken, view.get())) {
    return nullptr;
  }
  return view;
}

WritableView::~WritableView() {
  if (mapping_) {
    guard::unwatch(mapping_.base());
  }
}

void * WritableView::open(std::uint64_t offset, std::size_t size, std::shared_ptr<const void> keeper) {
  size = whole_pages(size);
  if (offset % PageHeap::kPage != 0 || is_spoilt_.load(std::memory_order_relaxed) || !guard::can_catch_writes()) {
    return nullptr;
  }
  if (const std::uint32_t left = to_copy_.load(std::memory_order_relaxed); left != 0) {
    to_copy_.store(left - 1, std::memory_order_relaxed);  // two threads may count once
    return nullptr;
  }
  std::byte * const begin = mapping_.base() + offset;
  Part * const part = claim(begin);
  if (part == nullptr) {
    return nullptr;
  }
  part->size.store(size, std::memory_order_relaxed);
  part->written.store(0, std::memory_order_relaxed);
  part->keeper = std::move(keeper);
  part->begin.store(begin, std::memory_order_release);  // O1
  return begin;
}

/// nullptr when all are in use, or one begins there already.
WritableView::Part * WritableView::claim(const std::byte * begin) {
  for (const Part & part : parts_) {
    if (part.begin.load(std::memory_order_relaxed) == begin) {
      return nullptr;  // W3: somebody asks twice for one message
    }
  }
  for (Part & part : parts_) {
    if (!part.is_claimed.load(std::memory_order_relaxed) &&
        !part.is_claimed.exchange(true, std::memory_order_acquire)) {
      return &part;
    }
  }
  return nullptr;
}

bool WritableView::allow_write(const std::byte * address) {
  for (Part & part : parts_) {
    std::byte * const begin = part.begin.load(std::memory_order_acquire);  // O1
    const std::size_t size = part.size.load(std::memory_order_relaxed);
    // Of a part that another thread is about to close, `size` may be the next one's. No other part has this address
    // (W2), so neither is taken for the one that is written to.
    if (begin == nullptr || address < begin || address >= begin + size) {
      continue;
    }
    const std::size_t window = window_size(size, kWindows, kLeastWindow);
    const std::size_t index = static_cast<std::size_t>(address - begin) / window;
    part.written.fetch_or(std::uint64_t{1} << index, std::memory_order_relaxed);
    const std::size_t length = std::min(window, size - index * window);
    return mprotect(begin + index * window, length, PROT_READ | PROT_WRITE) == 0;
  }
  return false;
}

bool WritableView::close(void * memory) {
  auto * const begin = static_cast<std::byte *>(memory);
  WritableView * const view = guard::view_at(begin);
  if (view == nullptr) {
    return false;
  }
  const auto part = std::find_if(view->parts_.begin(), view->parts_.end(), [&](const Part & candidate) {
    return candidate.begin.load(std::memory_order_relaxed) == begin;
  });
  if (part != view->parts_.end()) {
    // The view may go with the last message that it keeps: it is not touched after.
    const std::shared_ptr<const void> keeper = view->end(*part);
  }
  return true;
}

std::shared_ptr<const void> WritableView::end(Part & part) {
  std::byte * const begin = part.begin.load(std::memory_order_relaxed);
  const std::size_t size = part.size.load(std::memory_order_relaxed);
  const std::size_t window = window_size(size, kWindows, kLeastWindow);
  // Whoever wrote has told us in whatever way it gave us the memory.
  const std::uint64_t written = part.written.load(std::memory_order_relaxed);
  for (std::size_t first = 0; first < kWindows && written >> first != 0;) {
    first += static_cast<std::size_t>(std::countr_zero(written >> first));
    const auto count = static_cast<std::size_t>(std::countr_one(written >> first));
    restore(begin + first * window, std::min(count * window, size - first * window));
    first += count;
  }
  const std::size_t windows = (size + window - 1) / window;
  learn(static_cast<std::size_t>(std::popcount(written)) * 4 >= windows);
  std::shared_ptr<const void> keeper = std::move(part.keeper);
  part.begin.store(nullptr, std::memory_order_relaxed);
  part.is_claimed.store(false, std::memory_order_release);  // O2
  return keeper;
}

/// Drops what was written: W1.
void WritableView::restore(std::byte * begin, std::size_t size) {
  const int error = errno;
  const bool is_dropped = madvise(begin, size, MADV_DONTNEED) == 0 && mprotect(begin, size, PROT_READ) == 0;
  // Locked memory (mlockall) is not to be dropped; it is mapped anew.
  if (!is_dropped && mmap(begin, size, PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file_.get(),
                          begin - mapping_.base()) == MAP_FAILED) {
    is_spoilt_.store(true, std::memory_order_relaxed);
  }
  errno = error;
}

/// A page that the kernel copies at a write costs five times what it costs in a copy of all. Who writes to a quarter of
/// the windows, again and again, is better off with a copy.
void WritableView::learn(bool is_rewritten) {
  if (!is_rewritten) {
    rewritten_.store(0, std::memory_order_relaxed);
  } else if (rewritten_.fetch_add(1, std::memory_order_relaxed) + 1 >= kPatience) {
    to_copy_.store(kCopies, std::memory_order_relaxed);
  }
}

}  // namespace tandem
