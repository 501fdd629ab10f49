// The shared memory of this process: one file, mapped writable here and read-only everywhere else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "folder/folder.hpp"
#include "layout/layout.hpp"
#include "system/file.hpp"

namespace tandem {

class Region {
 public:
  /// Makes the file without a name, locks it and fills in the header: it becomes visible by Folder::give_name only.
  static Result<std::unique_ptr<Region>, JoinError> create(const RootFolder & root);

  ~Region();
  std::uint64_t incarnation() const { return header().incarnation; }
  RegionHeader & header() const { return *reinterpret_cast<RegionHeader *>(base()); }
  DirectoryEntry * directory() const { return reinterpret_cast<DirectoryEntry *>(base() + kDirectoryOffset); }
  BellPage & bells() const { return *reinterpret_cast<BellPage *>(bells_.base()); }
  const File & file() const { return file_; }
  const File & bell_file() const { return bell_file_; }
  /// Descriptions of the files that have nothing to do with their locks: others may be handed them. The region's is
  /// read-only.
  const File & view() const { return view_; }
  const File & bell_view() const { return bell_view_; }
  /// For where there is no /proc: once the files have names, the views can be opened by them.
  void provide_views(const std::string & region_path, const std::string & bell_path);

  std::byte * base() const { return memory_.base(); }
  std::size_t reserved() const { return memory_.size(); }
  /// The length of the file: all that was ever committed lies below. Thread-safe.
  std::size_t committed() const { return committed_.load(std::memory_order_relaxed); }
  /// Sees that these bytes of the file have memory, so that touching them is no fault. False when there is none: then
  /// none of them has. Whole pages. Thread-safe.
  bool commit(std::size_t offset, std::size_t size);
  /// The errno of the last commit; 0 when it succeeded.
  int refusal() const { return refusal_.load(std::memory_order_relaxed); }
  /// Gives the memory of these bytes back to the kernel. Whole pages. Thread-safe.
  void decommit(std::size_t offset, std::size_t size);

  bool contains(const void * address) const {
    const auto * byte = static_cast<const std::byte *>(address);
    return byte >= base() && byte < base() + reserved();
  }
  std::uint64_t offset_of(const void * address) const {
    return static_cast<std::uint64_t>(static_cast<const std::byte *>(address) - base());
  }
  template <class T>
  T * at(std::uint64_t offset) const {
    return reinterpret_cast<T *>(base() + offset);
  }

  /// False from when somebody has shortened their file until they are mended: other memory stands in.
  bool has_bells() const { return !bells_broken_.load(std::memory_order_acquire); }
  /// Mends the bells where somebody has shortened their file. Who sleeps on what stood in is woken.
  void restore_bells();

  /// In a forked child: replaces the shared memory by a private copy and lets go of the lock.
  void make_private();

 private:
  Region() = default;
  void fill_header();

  File file_;
  File view_;
  Mapping memory_;
  File bell_file_;
  File bell_view_;
  Mapping bells_;
  std::atomic<bool> bells_broken_ = false;  ///< somebody shortened the file: wake-ups come late then
  std::atomic<std::size_t> committed_ = 0;
  std::atomic<int> refusal_ = 0;
};

}  // namespace tandem
