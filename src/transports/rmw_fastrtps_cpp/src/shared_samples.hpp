// Messages of fixed size in the shared memory of a data-sharing writer: who lends them, and who reads them in place.
//
// Fast DDS lets a writer use a sample's memory again while readers still look at it. Locks of the file that the samples lie
// in keep our writers from that; the kernel takes them back from a process that ends. Each is a lock of one byte:
//
//   a sample's own offset          shared: a reader looks at the sample
//   kPlaces + 0 .. kMostHeld - 1   exclusive: a reader may look at one sample for each place that it has
//   kPlaces + kMostHeld            exclusive: the writer heeds all this; it has those of the places that it does not grant too
//
// Invariants:
//   H1  A reader looks at a sample in place only if it has seen the writer's lock, which is there before the first sample.
//   H2  Reader: locks the sample, then Fast DDS looks whether it is still the same. Writer: Fast DDS voids the sample, then
//       looks for locks. The kernel orders the two calls, so one of the two sees the other: either the reader drops the
//       sample, or the writer leaves it alone.
//   H3  A writer has a sample for each place, beside those of its history.
#pragma once

#include <fastdds/dds/publisher/DataWriter.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "settings.hpp"
#include "tandem/kit/chunk.hpp"

namespace rmw_fastrtps {

/// Where Fast DDS has a writer's samples mapped in this process.
struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::uint64_t file = 0;  ///< inode
  std::string path;

  bool contains(const void * address) const {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    return begin <= value && value < end;
  }
};

/// The file of a writer's samples, mapped once more: Fast DDS unmaps its own when the writer goes. Thread-safe.
class SampleFile : public std::enable_shared_from_this<SampleFile> {
 public:
  using Chunk = tandem::transport::Chunk;

  /// \return null when the file is gone, or is another one by now.
  static std::shared_ptr<SampleFile> open(const Mapping & mapping);
  ~SampleFile();
  SampleFile(const SampleFile &) = delete;
  SampleFile & operator=(const SampleFile &) = delete;

  /// Of the writer: heeds locks from here on, and lets readers have `places`.
  void heed(std::uint32_t places);
  bool is_held(const void * sample) const;
  /// Of a reader: asks the writer for places.
  void ask_for_places();
  /// The message at `sample`, which stays as it is until the chunk ends; null when the reader has no place for it.
  std::unique_ptr<Chunk> hold(const void * sample, std::size_t size);

 private:
  class Held;
  SampleFile(Mapping mapping, int descriptor, std::byte * memory)
      : mapping_(std::move(mapping)), descriptor_(descriptor), memory_(memory) {}
  std::uint64_t offset_of(const void * sample) const {
    return reinterpret_cast<std::uintptr_t>(sample) - mapping_.begin;
  }
  bool lock(short kind, std::uint64_t first, std::uint64_t count = 1) const;
  bool is_locked(std::uint64_t byte) const;

  const Mapping mapping_;
  const int descriptor_;
  std::byte * const memory_;
  std::uint32_t places_ = 0;
  std::atomic<std::uint32_t> held_{0};
};

/// Files of the writers that a reader hears.
class SampleFiles {
 public:
  /// Writers have come or gone; addresses of one that has gone may be another's by now. Thread-safe.
  void look_again() { is_stale_ = true; }
  /// As SampleFile::hold(). Called with the reader locked.
  std::unique_ptr<tandem::transport::Chunk> hold(const void * sample, std::size_t size);

 private:
  struct Entry {
    Mapping mapping;
    std::shared_ptr<SampleFile> file;  ///< once a message came from there
  };
  std::atomic<bool> is_stale_{true};
  std::vector<Entry> entries_;
};

/// What a writer lends of its samples: those that no reader holds. Thread-safe. The writer outlives it.
class LentSamples {
 public:
  /// Is closed when the writer's samples lie in no shared memory.
  LentSamples(dds::DataWriter & writer, const PoolShare & share);
  /// No sample is out.
  ~LentSamples();
  LentSamples(const LentSamples &) = delete;
  LentSamples & operator=(const LentSamples &) = delete;
  bool is_open() const { return file_ != nullptr; }

  /// Null when none is free, or, for a user, when he has as many as he may. `is_fresh`: it was never lent before.
  void * lend(bool to_user, bool & is_fresh);
  /// It was written, or else is not needed.
  void take_back(void * sample, bool is_written);

 private:
  dds::DataWriter & writer_;
  const PoolShare share_;
  std::shared_ptr<SampleFile> file_;
  std::mutex mutex_;            ///< guards what follows
  std::uint32_t out_ = 0;       ///< that are lent
  std::vector<void *> parked_;  ///< lent by Fast DDS, but held by readers
  std::set<void *> known_;      ///< lent before
};

}  // namespace rmw_fastrtps
