// A second mapping of a peer's region, for readers that write to what they have received. It is private (MAP_PRIVATE) and
// read-only. The first write to a part of a message raises SIGSEGV; the guard makes a window around it writable, and the
// kernel copies the pages that are written. The owner and all other readers go on to see the page of the file. When the
// part is given back, so are the copies.
//
// Invariants
//   W1  Pages are writable, and copies exist, within open parts only. So whoever opens a part finds the peer's bytes.
//   W2  A part has its pages for itself: it begins at a page, in memory that the peer has allocated in whole pages, and it
//       is held. (A peer that lies about this spoils its own messages only.)
//   W3  A part is opened once at a time. It was one message's, and a view is one lane's.
// Orders
//   O1  release store of Part::begin, its fields before; acquire load in the signal handler
//   O2  release store of Part::is_claimed = false, all else before; acquire exchange by the next to claim it
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "system/file.hpp"

namespace tandem {

/// Thread-safe without locks.
class WritableView {
 public:
  /// `broken`: see guard::watch(). nullptr where it cannot work: no address space, no signal handler, or it is turned off.
  static std::unique_ptr<WritableView> create(const File & file, std::size_t size, std::atomic<bool> & broken);
  ~WritableView();
  WritableView(const WritableView &) = delete;
  WritableView & operator=(const WritableView &) = delete;

  /// `size` bytes at `offset` of the region, writable until they are given back. `keeper` holds their message until
  /// then. \return nullptr when the reader had better copy them.
  void * open(std::uint64_t offset, std::size_t size, std::shared_ptr<const void> keeper);
  /// Gives back what open() of any view returned. False when `memory` is nothing of the kind.
  static bool close(void * memory);
  /// From the signal handler: lets a write go on. False when it is not in an open part.
  bool allow_write(const std::byte * address);

 private:
  static constexpr std::size_t kParts = 32;
  static constexpr std::size_t kWindows = 64;  ///< of a part, at most
  static constexpr std::size_t kLeastWindow =
      std::size_t{256} * 1024;                   ///< bytes: a signal costs as much as a few pages
  static constexpr std::uint32_t kPatience = 2;  ///< parts rewritten in a row, before it copies
  static constexpr std::uint32_t kCopies = 62;   ///< parts copied, before it tries again
  struct Part {
    std::atomic<std::byte *> begin = nullptr;  ///< null: not open
    std::atomic<std::size_t> size = 0;         ///< whole pages
    std::atomic<std::uint64_t> written = 0;    ///< a bit for each window
    std::atomic<bool> is_claimed = false;
    std::shared_ptr<const void> keeper;
  };

  WritableView(const File & file, std::size_t size);
  Part * claim(const std::byte * begin);
  std::shared_ptr<const void> end(Part & part);
  void restore(std::byte * begin, std::size_t size);
  void learn(bool is_rewritten);

  const File & file_;  ///< its peer's, which lives longer
  const Mapping mapping_;
  std::array<Part, kParts> parts_;
  std::atomic<bool> is_spoilt_ = false;  ///< pages could not be restored
  std::atomic<std::uint32_t> rewritten_ = 0;
  std::atomic<std::uint32_t> to_copy_ = 0;
};

}  // namespace tandem
