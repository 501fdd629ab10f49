// What processes leave in shared memory when they die: for tools that look into a crash.
//
// A region's memory lasts as long as anybody has its file open. Who keeps the files of living processes open can therefore read,
// after one has died, what lies in its rings, although others have removed its names meanwhile. Nobody is joined, disturbed
// or waited for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tandem/inspect.hpp"

namespace tandem::inspection {

/// A region that is kept open. Used by one thread at a time.
class KeptRegion {
 public:
  /// A message of a publisher.
  struct Message {
    std::uint64_t number = 0;  ///< from 0
    std::int64_t time = 0;     ///< ns since the epoch, when it was published
    const void * memory = nullptr;
    std::size_t size = 0;  ///< without what its sequences and strings hold
  };

  ~KeptRegion();
  KeptRegion(const KeptRegion &) = delete;
  KeptRegion & operator=(const KeptRegion &) = delete;

  /// Whether its process lives: one system call.
  bool is_alive() const;
  /// As inspect() tells it. Of a process that has ended in good order it has neither nodes nor subscriptions, and only
  /// publishers that are closed.
  Region read() const;
  /// The messages in a publisher's ring, the oldest first: each as it was published. Only of a process that is dead: a
  /// living one uses the memory again. They are valid as long as this object. What is damaged is left out.
  /// \return nothing if the region cannot be mapped.
  std::vector<Message> messages(const Publisher & publisher);
  /// What messages lie in, with all their parts: for is_well_formed().
  const void * memory() const;
  std::size_t memory_size() const;

 private:
  friend class RegionKeeper;
  struct Impl;
  explicit KeptRegion(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

/// Keeps the regions of all processes of a domain. Used by one thread at a time.
class RegionKeeper {
 public:
  /// `directory` as in Options.
  RegionKeeper(const std::string & directory, std::uint32_t domain);
  ~RegionKeeper();
  RegionKeeper(const RegionKeeper &) = delete;
  RegionKeeper & operator=(const RegionKeeper &) = delete;

  /// Looks who has come, and who has died since the last call: the caller has those regions. One system call for each process and
  /// some for each that has come. Processes that come and go between two calls are not noticed.
  std::vector<std::unique_ptr<KeptRegion>> look();

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::inspection
