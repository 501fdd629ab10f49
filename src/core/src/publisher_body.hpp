// The ring of a publisher, the writing side.
//
// Roles     one process writes (its threads exclude each other by a process-local mutex), any process reads
// Layout    layout.hpp: PublisherRecord, Slot[ring_size], Ack[kMaxReaders] in this region; LaneRecord in each reader's
// Invariants
//   I1  tail <= head <= tail + ring_size. Slots of tail .. head-1 are valid; every other slot is gone.
//   I2  A slot is gone before any of its other fields changes.
//   I3  A block is written again only after its slot was gone, a full fence has passed, and no acknowledged lane had its
//       bit set. A reader sets its bit before it looks at the slot again, so it either sees "gone" or is seen.
//   I4  tail never passes a message that an open lane with `owed` has not taken.
//   I5  A block is in one state of BlockPool at any time.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "biased_lock.hpp"
#include "block_pool.hpp"
#include "log_later.hpp"
#include "reader_set.hpp"
#include "tandem/participant.hpp"

namespace tandem {

class Domain;
class Process;

class PublisherBody {
 public:
  /// The number of each new publisher's first message. Tests set it so that numbers wrap around under their eyes.
  static inline std::atomic<std::uint64_t> first_number = 0;

  /// nullptr when the region is full. Not visible to anybody until its record is in the directory.
  static std::shared_ptr<PublisherBody> create(Process & process, const PublisherOptions & options, EndpointId id);
  ~PublisherBody();
  /// Bytes of the shared memory for its ring and acknowledgements.
  static std::size_t record_size(const Qos & qos);

  tl::expected<Loan, BorrowError> borrow(std::size_t size);
  tl::expected<std::uint64_t, PublishError> publish(Loan && loan, bool is_copy);
  tl::expected<std::uint64_t, PublishError> publish_copy(const void * data, std::size_t size);
  tl::expected<std::uint64_t, PublishError> publish_allocation(void * memory, std::size_t size);
  void drop(std::uint32_t block);

  const EndpointInfo & info() const { return info_; }
  std::size_t matched_count() const;
  std::uint64_t failed_borrows() const { return figures().failed_borrows.load(std::memory_order_relaxed); }
  std::uint64_t forgotten() const { return figures().forgotten.load(std::memory_order_relaxed); }
  std::uint64_t copied() const { return record_->copied.load(std::memory_order_relaxed); }
  std::string last_timeout() const;

  // For housekeeping.
  std::uint64_t record_offset() const;
  std::uint32_t max_blocks() const { return record_->max_blocks; }
  std::vector<TopicSnapshot::Reader> readers() const;
  bool add_reader(std::shared_ptr<Peer> peer, const LaneRecord * record, const LaneTerms & terms, bool wants_history);
  /// As ReaderSet::remove_if.
  template <class Predicate>
  bool remove_readers(Predicate gone) {
    const BiasedLock::Visit visit(mutex_);
    return readers_.remove_if(gone) != 0;
  }
  /// Gives memory back that it has for messages which nobody needs any more; `idle` says that some time has passed, and
  /// free blocks which were not used in it go as well.
  void trim(bool idle);
  /// Gives all memory back that no message needs; `at_any_cost` the oldest message as well, if it may be lost and is not
  /// history for late joiners. True if there was one.
  bool make_room(bool at_any_cost);
  void close();
  bool is_closed() const { return closed_.load(std::memory_order_relaxed); }
  /// Closed, and nobody reads it or has a loan of it any more.
  bool is_finished() const;
  std::shared_ptr<Domain> domain;  ///< the handle of the publisher that the user has; null once closed

 private:
  PublisherBody(Process & process, const PublisherOptions & options, EndpointId id, PublisherRecord * record);

  Slot & slot(std::uint64_t n) const { return slots_[n & (record_->ring_size - 1)]; }
  tl::expected<std::uint32_t, BorrowError> obtain(std::size_t size, bool & fresh);
  std::optional<std::uint32_t> find_block();
  void drop_culprits();
  bool forget_oldest();
  PublisherFigures & figures() const { return record_->figures; }
  void note_blocks();
  void reclaim_if_due();
  void reclaim();
  void advance_tail(std::uint64_t target);
  void collect();
  bool provide_at_any_cost(std::uint32_t block, std::size_t size, bool & fresh);
  void complain(std::size_t size);
  bool is_full() const;
  bool takes_too_much() const;
  bool wait_for_room(std::unique_lock<BiasedLock> & lock);
  void give_up(std::chrono::nanoseconds waited);
  bool enqueue(std::unique_lock<BiasedLock> & lock, std::uint32_t block, std::size_t size, std::int64_t timestamp,
               std::uint64_t & number);
  PublishError refusal() const { return is_closed() ? PublishError::kInvalidLoan : PublishError::kTimeout; }
  std::uint64_t history() const;
  bool is_shared(const void * message) const { return functions_.is_sound == nullptr || has_shared_parts(message); }
  bool has_shared_parts(const void * message) const;

  Process & process_;
  const EndpointInfo info_;
  const std::uint32_t max_loans_;
  const MessageFunctions functions_;
  PublisherRecord * const record_;
  Slot * const slots_;
  const std::uint64_t limit_;  ///< messages in the ring at most

  mutable BiasedLock mutex_;
  // Guarded by mutex_.
  ReaderSet readers_;
  BlockPool pool_;
  std::vector<std::uint32_t> slot_blocks_;  ///< block of each valid slot: our own memory, not the shared one
  std::vector<std::uint64_t> held_;         ///< scratch of collect()
  std::uint64_t head_;
  std::uint64_t tail_;
  std::uint32_t loans_ = 0;
  std::uint32_t waiting_ = 0;
  Seldom shortage_line_;
  Seldom timeout_line_;
  std::string last_timeout_;

  std::atomic<bool> closed_ = false;
};

}  // namespace tandem
