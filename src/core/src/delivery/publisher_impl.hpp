// The ring of a publisher, the writing side.
//
// Roles     one process writes (its threads exclude each other by a process-local mutex), any process reads
// Layout    layout.hpp: PublisherRecord, Slot[ring_size], Ack[kMaxReaders] in this region; LaneRecord in each reader's
// Invariants
//   I1  tail <= head <= tail + ring_size. Slots of tail .. head-1 are valid, but for I4; every other slot is gone.
//   I2  A slot is gone before any of its other fields changes.
//   I3  A block is written again only after its slot was gone, a full fence has passed, and no acknowledged lane had its
//       bit set. A reader sets its bit before it looks at the slot again, so it either sees "gone" or is seen.
//   I4  tail never passes a message that an open lane with `owed` has not taken. Where messages are delivered to one
//       subscription each (Addressing::kDelivered), slots behind tail are gone one by one, when the lane of their
//       subscription has taken them. Others are given up once the oldest has waited for max_blocking_time, if the ring or
//       the memory is full.
//   I5  A block is in one state of BlockPool at any time.
//   I6  No system call is made, and no memory asked for, while the lock is held: a real-time thread may want to publish.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "delivery/publisher_memory.hpp"
#include "delivery/reader_set.hpp"
#include "system/biased_lock.hpp"
#include "system/log_later.hpp"
#include "tandem/participant.hpp"

namespace tandem {

class Domain;
class Process;

class PublisherImpl final : private Lender {
 public:
  /// nullptr when the region is full. Not visible to anybody until its record is in the directory.
  static std::shared_ptr<PublisherImpl> create(Process & process, const PublisherOptions & options, EndpointId id);
  ~PublisherImpl();
  /// Bytes of the shared memory for its ring and acknowledgements.
  static std::size_t record_size(const Qos & qos);

  tl::expected<Loan, BorrowError> borrow(std::size_t size);
  tl::expected<std::uint64_t, PublishError> publish(Loan && loan, Content content, const Address & address = {});
  tl::expected<std::uint64_t, PublishError> publish_copy(const void * data, std::size_t size,
                                                         const Address & address = {});
  tl::expected<std::uint64_t, PublishError> publish_allocation(void * memory, std::size_t size,
                                                               const Address & address = {});

  const EndpointInfo & info() const { return info_; }
  std::size_t matched_count() const;
  std::uint64_t failed_borrows() const { return figures().failed_borrows.load(std::memory_order_relaxed); }
  std::uint64_t forgotten() const { return figures().forgotten.load(std::memory_order_relaxed); }
  std::uint64_t copied() const { return record_->copied.load(std::memory_order_relaxed); }
  std::string last_timeout() const;
  void assert_liveliness();
  Status status() const;
  void set_status_listener(StatusBoard::Listener listener);
  const std::shared_ptr<StatusBoard> board = std::make_shared<StatusBoard>();

  // For housekeeping.
  std::uint64_t record_offset() const;
  std::uint32_t max_blocks() const { return record_->max_blocks; }
  std::vector<TopicSnapshot::Reader> readers() const;
  bool add_reader(std::shared_ptr<Peer> peer, const LaneRecord * record, const LaneTerms & terms, bool wants_history);
  /// As ReaderSet::remove_if.
  template <class Predicate>
  bool remove_readers(Predicate gone) {
    const BiasedLock::UnbiasedLock lock(mutex_);
    return readers_.remove_if(mutex_, gone) != 0;
  }
  /// Gives memory back that it has for messages which nobody needs any more; `idle` says that some time has passed, and
  /// free blocks which were not used in it go as well.
  void trim(bool idle);
  /// Gives all memory back that no message needs; `may_drop_messages` the oldest message as well, if it may be lost and is not
  /// history for late joiners. True if there was one.
  bool make_room(bool may_drop_messages);
  void close();
  bool is_closed() const { return closed_.load(std::memory_order_relaxed); }
  /// Closed, and nobody reads it or has a loan of it any more.
  bool is_finished() const;
  std::shared_ptr<Domain> domain;  ///< the handle of the publisher that the user has; null once closed

 private:
  PublisherImpl(Process & process, const PublisherOptions & options, EndpointId id, PublisherRecord * record);

  void take_back(void * data, std::uint32_t block) noexcept override;
  PublisherFigures & figures() const { return record_->figures; }
  bool is_full() const TANDEM_REQUIRES(mutex_);
  bool takes_too_much() const TANDEM_REQUIRES(mutex_);
  bool wait_for_room() TANDEM_REQUIRES(mutex_);
  void give_up(std::chrono::nanoseconds waited) TANDEM_REQUIRES(mutex_);
  bool delivers() const { return addressing_ == Addressing::kDelivered; }
  std::chrono::nanoseconds time_left(std::chrono::steady_clock::time_point deadline) const TANDEM_REQUIRES(mutex_);
  void drop_unread() TANDEM_REQUIRES(mutex_);
  PublishError refusal() const { return is_closed() ? PublishError::kInvalidLoan : PublishError::kTimeout; }
  std::uint64_t enqueue(std::uint32_t block, std::size_t size, std::int64_t timestamp, const Address & address,
                        bool & sleepers) TANDEM_REQUIRES(mutex_);
  /// The stamp of the message that is published now.
  std::int64_t next_timestamp() const;
  void ring_sleepers(const Address & address);
  /// Whom a message is for; null: all.
  const EndpointId * addressee(const Address & address) const { return delivers() ? &address.subscription : nullptr; }
  bool is_shared(const void * message) const { return functions_.is_sound == nullptr || has_shared_parts(message); }
  bool has_shared_parts(const void * message) const;

  Process & process_;
  const EndpointInfo info_;
  const MessageFunctions functions_;
  const Addressing addressing_;
  const bool is_manual_;  ///< its liveliness is
  const std::function<std::int64_t()> source_timestamp_;
  PublisherRecord * const record_;
  const std::uint64_t limit_;  ///< messages in the ring at most

  mutable BiasedLock mutex_;
  ReaderSet readers_ TANDEM_GUARDED_BY(mutex_);
  PublisherMemory memory_ TANDEM_GUARDED_BY(mutex_);
  std::uint32_t waiting_ TANDEM_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<const std::string> last_timeout_ TANDEM_GUARDED_BY(mutex_);
  RateLimiter shortage_limiter_;
  RateLimiter timeout_limiter_;
  std::atomic<bool> closed_ = false;
};

}  // namespace tandem
