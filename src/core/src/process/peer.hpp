// Another process as this one sees it: its region, read-only, checked before use, and its bells.
// The own region is a peer like any other, so that messages within a process take the same way.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "folder/folder.hpp"
#include "layout/layout.hpp"
#include "memory/writable_view.hpp"
#include "system/file.hpp"
#include "system/log_later.hpp"
#include "system/process_lock.hpp"
#include "tandem/types.hpp"

namespace tandem {

/// A consistent copy of one directory entry.
struct Entry {
  EntryKind kind = EntryKind::kFree;
  std::uint32_t domain = 0;
  std::uint64_t number = 0;
  std::uint64_t description = 0;
  std::uint32_t description_size = 0;
  bool closed = false;
  std::uint64_t record = 0;
  std::uint64_t version = 0;  ///< of the line, another one after each change
  bool changing = false;      ///< read while its owner changed it: nothing of it means anything
};

class Peer {
 public:
  /// Maps the header and the directory. nullptr with `reason` when the file is no valid region.
  static std::shared_ptr<Peer> open(const Folder & folder, std::uint64_t incarnation, std::string & reason);
  ~Peer();
  Peer(const Peer &) = delete;
  Peer & operator=(const Peer &) = delete;

  std::uint64_t incarnation() const { return incarnation_; }
  std::int32_t pid() const { return pid_; }
  const std::string & executable() const { return executable_; }
  /// Of its region.
  const std::string & path() const { return path_; }

  /// Asks the kernel (fcntl). Once dead, always dead. A broken peer counts as dead.
  bool probe();
  bool is_dead() const { return dead_.load(std::memory_order_relaxed) || is_broken(); }
  bool is_broken() const { return broken_.load(std::memory_order_relaxed); }
  /// Nothing more is read from it: its memory holds what no owner writes.
  void mark_broken(const std::string & why);

  std::uint64_t directory_version() const;
  /// A bit for each wait-set that sleeps or is about to.
  std::uint64_t sleeping(std::memory_order order) const { return header_->sleeping.load(order); }
  /// A bit for each wait-set that wants hints.
  std::uint64_t watching(std::memory_order order) const { return header_->watching.load(order); }
  /// Nobody hears it before look_for_bells() has found them.
  void ring_bell(std::uint32_t bell) const;
  /// Tells the wait-set of this bell which of its lanes has news.
  void leave_hint(std::uint32_t bell, std::uint32_t hint) const;
  /// Maps its bells if they are not: its owner mends what somebody has damaged.
  void look_for_bells(const Folder & folder) TANDEM_REQUIRES(process_mutex);
  /// Looked for before, and not to be heard now.
  bool has_lost_bells() const TANDEM_REQUIRES(process_mutex) { return wants_bells_ && !has_bells(); }

  /// Lines of the directory from here on have never been used.
  std::uint32_t directory_used() const;
  /// Of one line; another one after each change, odd during it.
  std::uint64_t line_version(std::uint32_t index) const { return line(index).version.load(std::memory_order_acquire); }
  Entry entry(std::uint32_t index) const;
  /// Whether the directory still has an entry of this number. An owner removes it before it uses the record's memory again,
  /// so what was read of the record before this question was the record if the answer is yes.
  bool lists(std::uint64_t number) const { return find(number).kind != EntryKind::kFree; }
  /// The entry of this number, as far as it can be read; else one of kFree.
  Entry find(std::uint64_t number) const;
  /// Bytes of a description, read with pread(2): the peer need not be mapped. Empty when it lies outside the file.
  std::string read_description(const Entry & entry) const;

  /// Maps the whole region. False when there is no address space.
  bool map();
  /// Another mapping of it, for one reader to write in; nullptr where there can be none. It must not outlive the peer.
  std::unique_ptr<WritableView> make_writable_view() { return WritableView::create(file_, reserved_, broken_); }
  /// `size` bytes at `offset`, or nullptr if they do not lie inside the mapped file. Costs a system call only when the
  /// file has grown since the last look.
  const std::byte * at(std::uint64_t offset, std::uint64_t size) {
    const std::uint64_t known = known_size_.load(std::memory_order_relaxed);
    if (size <= known && offset <= known - size && offset >= kHeapOffset) [[likely]] {
      return base_ + offset;
    }
    return at_grown(offset, size);
  }
  template <class T>
  const T * record(std::uint64_t offset, std::uint64_t count = 1) {
    if (offset % alignof(T) != 0 || count > (std::uint64_t{1} << 32)) {
      return nullptr;
    }
    return reinterpret_cast<const T *>(at(offset, count * sizeof(T)));
  }
  const std::byte * base() const { return base_; }
  /// Where its messages lie, as far as the file is known to reach. Mapped.
  struct Heap {
    const std::byte * base;
    std::size_t size;
  };
  Heap heap() const { return heap_of(known_size_.load(std::memory_order_relaxed)); }
  /// The same after a look at the file.
  Heap present_heap() { return heap_of(look_at_size()); }

 private:
  Peer() = default;
  const DirectoryEntry & line(std::uint32_t index) const {
    return reinterpret_cast<const DirectoryEntry *>(front_.base() + kDirectoryOffset)[index];
  }
  bool has_bells() const { return !bells_broken_.load(std::memory_order_acquire); }
  Heap heap_of(std::uint64_t size) const { return {base_ + kHeapOffset, size > kHeapOffset ? size - kHeapOffset : 0}; }
  std::uint64_t look_at_size();
  const std::byte * at_grown(std::uint64_t offset, std::uint64_t size);

  std::uint64_t incarnation_ = 0;
  std::int32_t pid_ = 0;
  std::string executable_;
  std::string path_;
  File file_;
  Mapping front_;  ///< header and directory
  Mapping whole_;  ///< everything, once matched
  Mapping bells_;
  const RegionHeader * header_ = nullptr;
  const std::byte * base_ = nullptr;
  std::uint64_t reserved_ = 0;
  RateLimiter unmapped_line_;
  std::atomic<std::uint64_t> known_size_ = 0;
  std::atomic<bool> dead_ = false;
  std::atomic<bool> broken_ = false;
  std::atomic<bool> bells_broken_ = true;  ///< or not there
  std::atomic<bool> is_break_told_ = false;
  bool wants_bells_ TANDEM_GUARDED_BY(process_mutex) = false;
};

#if defined(__SANITIZE_THREAD__)
/// Set for the thread sanitizer, which must see both sides of a message at one address.
extern std::atomic<std::byte *> own_region_base;
extern std::atomic<std::uint64_t> own_incarnation;
#endif

}  // namespace tandem
