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
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tandem {

inline constexpr std::size_t kCacheLine = 64;
inline constexpr std::uint64_t kRegionMagic = 0x314d45444e4154;  // "TANDEM1"
inline constexpr std::uint32_t kLayoutVersion = 1;
inline constexpr std::uint32_t kDirectoryEntries = 16384;  ///< endpoints, nodes and lanes
inline constexpr std::uint32_t kBells = 64;
inline constexpr std::uint32_t kHousekeepingBell = 0;  ///< wakes a process's housekeeping
inline constexpr std::uint32_t kSpaceBell = 1;         ///< wakes publishers that wait for a slow reader
inline constexpr std::uint32_t kFirstWaitSetBell = 2;
inline constexpr std::uint32_t kNoWaitSet = kBells;
inline constexpr std::uint32_t kMaxReaders = 512;  ///< acknowledged lanes of one publisher

struct RegionHeader {
  // Written once, before the region gets its name.
  std::uint64_t magic;
  std::uint32_t version;
  std::int32_t pid;
  std::uint64_t incarnation;
  std::uint64_t reserved_size;
  char executable[224];
  // Written by housekeeping and by calls that create or destroy endpoints.
  alignas(kCacheLine) std::atomic<std::uint64_t> directory_version;
  std::atomic<std::uint32_t> directory_used;  ///< entries from here on have never been used
  // Written by waiting threads: bit b is set while the wait-set of bell b sleeps or is about to.
  alignas(kCacheLine) std::atomic<std::uint64_t> sleeping;
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

/// One message in a ring. `seq` is valid(n) while message n can be taken and gone(n) once it can not.
struct alignas(kCacheLine) Slot {
  std::atomic<std::uint64_t> seq;
  std::atomic<std::uint64_t> block;
  std::atomic<std::uint64_t> offset;
  std::atomic<std::uint64_t> size;
  std::atomic<std::int64_t> source_timestamp;
};

constexpr std::uint64_t valid(std::uint64_t n) { return 2 * n + 2; }
constexpr std::uint64_t gone(std::uint64_t n) { return 2 * n + 3; }

/// The publisher's word to one lane: from `first` on, messages are yours; hold at most `quota` of them. A lane that has
/// no acknowledgement may not take.
struct Ack {
  std::atomic<std::uint64_t> lane;  ///< number of the lane; 0: free. Written last.
  std::atomic<std::uint64_t> incarnation;
  std::atomic<std::uint64_t> first;
  std::atomic<std::uint64_t> quota;
};

struct PublisherRecord {
  // Written once.
  std::uint64_t number;
  std::uint32_t ring_size;   ///< a power of two
  std::uint32_t max_blocks;  ///< a multiple of 64
  std::uint64_t slots;       ///< offset of Slot[ring_size]
  std::uint64_t acks;        ///< offset of Ack[kMaxReaders]
  // Written by publish.
  alignas(kCacheLine) std::atomic<std::uint64_t> head;     ///< number of messages published: for joiners and tools
  alignas(kCacheLine) std::atomic<std::uint32_t> waiting;  ///< publishers that wait for space
};

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
  // Written by take and release.
  alignas(kCacheLine) std::atomic<std::uint64_t> cursor;  ///< next message to take
  std::atomic<std::uint64_t> held[];
};

struct BellPage {
  struct alignas(kCacheLine) Bell {
    std::atomic<std::uint32_t> word;
  };
  Bell bells[kBells];
};

struct Roster {
  std::atomic<std::uint64_t> version;
};

inline constexpr std::size_t kDirectoryOffset = 4096;
inline constexpr std::size_t kHeapOffset = kDirectoryOffset + kDirectoryEntries * sizeof(DirectoryEntry);

static_assert(sizeof(RegionHeader) <= kDirectoryOffset);
static_assert(sizeof(DirectoryEntry) == 64 && sizeof(Slot) == 64 && sizeof(Ack) == 32);
static_assert(offsetof(PublisherRecord, head) == 64 && offsetof(PublisherRecord, waiting) == 128);
static_assert(std::is_trivially_copyable_v<LaneTerms> && sizeof(LaneTerms) == 48);
static_assert(offsetof(LaneRecord, cursor) == 64 && offsetof(LaneRecord, held) == 72);
static_assert(sizeof(BellPage) == 4096);
static_assert(std::is_standard_layout_v<RegionHeader> && std::is_standard_layout_v<PublisherRecord>);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace tandem
