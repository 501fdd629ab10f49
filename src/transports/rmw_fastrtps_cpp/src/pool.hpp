// A publisher's side of zero-copy: the samples that it lends, in the shared memory of a data-sharing writer.
#pragma once

#include <fastdds/dds/publisher/DataWriter.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "participant.hpp"
#include "segments.hpp"
#include "settings.hpp"

namespace rmw_fastrtps {

/// Lends blocks that no reader holds (board.hpp). Thread-safe.
class Pool {
 public:
  Pool(std::shared_ptr<Participant> participant, const tandem::MessageType & type);

  /// Stays closed when the writer's samples lie in no shared memory.
  void open(dds::DataWriter * writer);
  /// Before the writer is deleted; no loan is out.
  void close();
  bool is_open() const { return writer_ != nullptr; }

  /// A message; what an earlier one left there, or constructed. Null when none is free.
  void * borrow();
  /// The same beyond the number of loans, to be overwritten and published at once; not constructed.
  void * borrow_to_copy();
  void give_back(void * sample);
  /// One that was lent has been written, and is Fast DDS's again.
  void forget_published();

  void matched(const Gid & reader);
  void unmatched(const Gid & reader);

 private:
  struct Reader {
    std::uint32_t samples = 0;
    int where = -1;  ///< of the grant
  };

  void * take_free_locked();
  bool is_held_locked(const void * sample) const;
  void grant_locked(const Gid & gid, Reader & reader);

  const std::shared_ptr<Participant> participant_;
  const tandem::MessageType & type_;
  const PoolShare share_;
  dds::DataWriter * writer_ = nullptr;

  std::mutex mutex_;  ///< guards all below
  Mapping mapping_;
  std::uint32_t out_ = 0;      ///< loans that the user has
  std::uint32_t granted_ = 0;  ///< samples that readers may hold
  std::map<Gid, Reader> readers_;
  std::vector<std::shared_ptr<const BoardView>> boards_;  ///< of contexts that have, or had, readers
  std::vector<void *> parked_;                            ///< lent by Fast DDS, but held by readers
  std::vector<void *> known_;                             ///< constructed at least once
};

}  // namespace rmw_fastrtps
