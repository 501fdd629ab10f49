// What lies in shared memory, byte by byte.
//
//   <incarnation>.region   written by its owner alone, mapped read-only by everybody else
//     0         RegionHeader
//     4096      DirectoryEntry[kDirectoryEntries]
//     kHeapOffset  the heap: PublisherRecord + Slot[] + Ack[], LaneRecord, descriptions, messages
//   <incarnation>.bell     BellPage, written by anybody: hints only
//   roster                 Roster, written by anybody: a hint only
//
// Everything that another process may read while it changes is an atomic. Offsets count from the region's start.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "layout/sequence.hpp"
#include "tandem/types.hpp"

namespace tandem {

inline constexpr std::size_t kCacheLine = 64;
inline constexpr std::uint64_t kRegionMagic = 0x314d45444e4154;  // "TANDEM1"
inline constexpr std::uint32_t kLayoutVersion = 7;
inline constexpr std::uint32_t kDirectoryEntries = 16384;  ///< endpoints, nodes and lanes
inline constexpr std::uint32_t kMaxDescription = 16384;    ///< bytes of an endpoint's or a node's
inline constexpr std::uint32_t kBells = 64;
inline constexpr std::uint32_t kHousekeepingBell = 0;  ///< wakes a process's housekeeping
inline constexpr std::uint32_t kSpaceBell = 1;         ///< wakes publishers that wait for a slow reader
inline constexpr std::uint32_t kFirstWaitSetBell = 2;
inline constexpr std::uint64_t kGraphWatcher = std::uint64_t{1} << kHousekeepingBell;  ///< in RegionHeader::watching
inline constexpr std::uint32_t kNoWaitSet = kBells;
inline constexpr std::uint32_t kMaxReaders = 512;  ///< acknowledged lanes of one publisher

struct RegionHeader {
  // Written once, before the region gets its name. These 256 bytes are the same in every version there will ever be, so
  // that each can tell whose region it is that it cannot read.
  std::uint64_t magic;
  std::uint32_t version;
  std::int32_t pid;
  std::uint64_t incarnation;
  std::uint64_t reserved_size;
  std::int64_t created;         ///< ns of CLOCK_REALTIME
  std::uint64_t pid_namespace;  ///< the inode of /proc/self/ns/pid: where `pid` means anything; 0: unknown
  char executable[208];
  // Written by housekeeping and by calls that create or destroy endpoints.
  alignas(kCacheLine) std::atomic<std::uint64_t> directory_version;
  std::atomic<std::uint32_t> directory_used;  ///< entries from here on have never been used
  // Written by waiting threads: bit b is set while the wait-set of bell b sleeps or is about to.
  alignas(kCacheLine) std::atomic<std::uint64_t> sleeping;
  /// Bit b is set while the wait-set of bell b exists, and wants hints; kGraphWatcher once changes of the graph are asked for.
  std::atomic<std::uint64_t> watching;
  // For tools. Written by housekeeping, every second or two.
  alignas(kCacheLine) std::atomic<std::int64_t> last_housekeeping;  ///< when it last was, ns of CLOCK_MONOTONIC
  std::atomic<std::uint64_t> heap_in_use;                           ///< HeapStatistics
  std::atomic<std::uint64_t> heap_committed;
};

enum class EntryKind : std::uint32_t { kFree, kNode, kPublisher, kSubscription, kLane };

/// One line of the directory. `version` is odd while the owner changes the entry (a sequence lock).
struct alignas(kCacheLine) DirectoryEntry {
  std::atomic<std::uint64_t> version;
  std::atomic<std::uint32_t> kind;
  std::atomic<std::uint32_t> domain;
  std::atomic<std::uint64_t> number;       ///< identity within the region, never used again
  std::atomic<std::uint64_t> description;  ///< offset of its description; of a lane: the publisher's incarnation
  std::atomic<std::uint32_t> description_size;
  std::atomic<std::uint32_t> closed;  ///< a publisher that only waits for its readers to drain
  std::atomic<std::uint64_t> record;  ///< offset of the PublisherRecord or LaneRecord
};

inline constexpr std::size_t kInSlot = 24;  ///< bytes of the greatest message that a slot repeats

/// One message in a ring. `seq` is valid(n) while message n can be taken and gone(n) once it can not. A message of at most
/// kInSlot bytes stands here as well as in its block: who copies it from here need not hold the block.
struct alignas(kCacheLine) Slot {
  std::atomic<std::uint64_t> seq;
  std::atomic<std::uint64_t> block;
  std::atomic<std::uint64_t> offset;
  std::atomic<std::uint64_t> size;
  std::atomic<std::int64_t> source_timestamp;
  std::atomic<std::uint64_t> content[kInSlot / 8];
};

/// The numbers of messages. They wrap around: compare them by its functions alone.
using Numbers = Sequence<std::uint64_t>;
constexpr std::uint64_t valid(std::uint64_t n) { return Numbers::valid(n); }
constexpr std::uint64_t gone(std::uint64_t n) { return Numbers::gone(n); }

/// The publisher's word to one lane: from `first` on, messages are yours; hold at most `quota` of them. A lane that has
/// no acknowledgement may not take. One whose quota has become kRevoked may take no more, and what it holds is used again.
struct Ack {
  std::atomic<std::uint64_t> lane;  ///< number of the lane; 0: free. Written last.
  std::atomic<std::uint64_t> incarnation;
  std::atomic<std::uint64_t> first;
  std::atomic<std::uint64_t> quota;
};
inline constexpr std::uint64_t kRevoked = ~std::uint64_t{0};

/// What a publisher tells tools. It alone counts.
struct PublisherFigures {
  // Counted when it happens, which is seldom.
  std::atomic<std::uint64_t> failed_borrows;
  std::atomic<std::uint64_t> timeouts;   ///< publishes that a slow reader kept waiting for max_blocking_time
  std::atomic<std::uint64_t> forgotten;  ///< messages of keep-all history
  // Noted by housekeeping every other second, and at a failed borrow. used = free + loaned + in the ring + kept by readers.
  std::atomic<std::uint32_t> blocks_used;
  std::atomic<std::uint32_t> blocks_free;
  std::atomic<std::uint32_t> blocks_loaned;
  std::atomic<std::uint32_t> blocks_in_ring;
  std::atomic<std::uint32_t> blocks_kept;  ///< by readers, of messages that are gone
};

/// On a topic with Addressing `content` is the message's address instead.
inline void write_address(Slot & slot, const Address & address) {
  slot.content[0].store(address.subscription.incarnation, std::memory_order_relaxed);
  slot.content[1].store(address.subscription.number, std::memory_order_relaxed);
  slot.content[2].store(address.number, std::memory_order_relaxed);
}
/// Acquire: a look at `seq` that follows tells whether it is one message's.
inline Address read_address(const Slot & slot) {
  return {{slot.content[0].load(std::memory_order_acquire), slot.content[1].load(std::memory_order_acquire)},
          slot.content[2].load(std::memory_order_acquire)};
}

struct PublisherRecord {
  // Written once.
  std::uint64_t number;
  std::uint32_t ring_size;   ///< a power of two
  std::uint32_t max_blocks;  ///< a multiple of 64
  std::uint64_t slots;       ///< offset of Slot[ring_size]
  std::uint64_t acks;        ///< offset of Ack[kMaxReaders]
  // Written by publish.
  alignas(kCacheLine) std::atomic<std::uint64_t> head;     ///< number of the next message: for joiners and tools
  std::atomic<std::uint64_t> copied;                       ///< of these, those that the user kept: for tools
  std::atomic<std::int64_t> asserted;                      ///< when a manual liveliness was, ns of CLOCK_REALTIME
  alignas(kCacheLine) std::atomic<std::uint32_t> waiting;  ///< publishers that wait for space
  alignas(kCacheLine) PublisherFigures figures;
};

inline constexpr std::uint32_t kMaxRing = 1U << 14;  ///< more than kMaxDepth and kKeepAllDepth
/// Whether a PublisherRecord can be what its owner wrote.
constexpr bool is_plausible(std::uint32_t ring_size, std::uint32_t max_blocks) {
  return std::has_single_bit(ring_size) && ring_size <= kMaxRing && max_blocks % 64 == 0 && max_blocks > ring_size &&
         max_blocks <= 2 * kMaxRing;
}

/// Identity and wishes of a lane.
struct LaneTerms {
  std::uint64_t number;
  std::uint64_t subscription;
  std::uint64_t publisher_incarnation;
  std::uint64_t publisher;
  std::uint32_t depth;
  std::uint32_t owed;  ///< reliable keep-all on both sides: nothing may be lost
  std::uint32_t max_blocks;
  std::uint32_t held_quota;  ///< blocks that the reader would like to keep
};

/// A subscription's side of one publisher. `held` has a bit for each of the publisher's blocks.
struct LaneRecord {
  LaneTerms terms;  ///< written once
  // Written seldom.
  std::atomic<std::uint32_t> wait_set;  ///< bell of the wait-set that the subscription is in, or kNoWaitSet
  std::atomic<std::uint32_t> closed;    ///< takes no more; only `held` counts
  // For tools. Written by take, when it happens.
  alignas(kCacheLine) std::atomic<std::uint64_t> lost;  ///< messages that were overwritten before they were taken
  std::atomic<std::uint64_t> copied;                    ///< messages beyond the quota
  // Written by take and release.
  alignas(kCacheLine) std::atomic<std::uint64_t> cursor;  ///< next message to take
  std::atomic<std::uint64_t> held[];
};

/// Adds to a figure of which the caller is the only writer.
inline void count(std::atomic<std::uint64_t> & figure, std::uint64_t more = 1) {
  figure.store(figure.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

/// Beside each bell: which lanes have news. Publishers set bits, the wait-set clears them.
inline constexpr std::uint32_t kHintWords = 7;
inline constexpr std::uint32_t kHints = kHintWords * 64 - 1;  ///< lanes share them
inline constexpr std::uint32_t kEveryLane = kHints;           ///< one bit for all: the wait-set's lanes have changed
constexpr std::uint32_t hint_of(std::uint64_t lane) { return static_cast<std::uint32_t>(lane % kHints); }

struct BellPage {
  struct alignas(kCacheLine) Bell {
    std::atomic<std::uint32_t> word;
    std::atomic<std::uint64_t> hints[kHintWords];
  };
  Bell bells[kBells];
};

/// Sets a hint that is not set yet. Between the fence behind what it tells of and the look at who sleeps.
inline void leave_hint(BellPage::Bell & bell, std::uint32_t hint) {
  std::atomic<std::uint64_t> & word = bell.hints[hint / 64];
  const std::uint64_t bit = std::uint64_t{1} << hint % 64;
  if ((word.load(std::memory_order_seq_cst) & bit) == 0) {
    word.fetch_or(bit, std::memory_order_seq_cst);
  }
}

struct Roster {
  std::atomic<std::uint64_t> version;     ///< bumped when anybody's directory changes
  std::atomic<std::uint64_t> population;  ///< bumped when somebody comes, goes or is removed
};

inline constexpr std::uint64_t kGreatestRegion = std::uint64_t{1} << 40;  ///< address space, as TANDEM_REGION_SIZE
inline constexpr std::size_t kDirectoryOffset = 4096;
inline constexpr std::size_t kHeapOffset = kDirectoryOffset + kDirectoryEntries * sizeof(DirectoryEntry);

static_assert(offsetof(RegionHeader, magic) == 0 && offsetof(RegionHeader, version) == 8);
static_assert(offsetof(RegionHeader, pid) == 12 && offsetof(RegionHeader, incarnation) == 16);
static_assert(offsetof(RegionHeader, reserved_size) == 24 && offsetof(RegionHeader, executable) == 48);
static_assert(offsetof(RegionHeader, directory_version) == 256 && sizeof(RegionHeader) <= kDirectoryOffset);
static_assert(sizeof(DirectoryEntry) == 64 && sizeof(Slot) == 64 && sizeof(Ack) == 32);
static_assert(offsetof(PublisherRecord, head) == 64 && offsetof(PublisherRecord, waiting) == 128);
static_assert(sizeof(PublisherFigures) <= kCacheLine && offsetof(PublisherRecord, figures) == 192);
static_assert(std::is_trivially_copyable_v<LaneTerms> && sizeof(LaneTerms) == 48);
static_assert(offsetof(LaneRecord, cursor) == 128 && offsetof(LaneRecord, held) == 136);
static_assert(sizeof(BellPage::Bell) == kCacheLine && offsetof(BellPage::Bell, hints) == 8 && sizeof(BellPage) == 4096);
static_assert(std::is_standard_layout_v<RegionHeader> && std::is_standard_layout_v<PublisherRecord>);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace tandem
