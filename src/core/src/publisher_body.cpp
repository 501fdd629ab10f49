#include "publisher_body.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "clock.hpp"
#include "fence.hpp"
#include "futex.hpp"
#include "process.hpp"

namespace tandem {
namespace {

constexpr std::uint32_t kLeastRing = 256;
constexpr std::uint32_t kSpareBlocks = 1792;  ///< beyond the ring's: for what readers keep and for loans

std::uint32_t ring_size_of(const Qos & qos) {
  const std::uint32_t depth = qos.history == History::kKeepAll ? kKeepAllDepth : qos.depth;
  return std::max(kLeastRing, std::bit_ceil(depth + 1));
}

/// By whole words: memory of the heap comes in multiples of 16 bytes.
void write_content(Slot & slot, const void * message, std::size_t size) {
  const auto * bytes = static_cast<const std::byte *>(message);
  for (std::size_t at = 0; at < size; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + at, 8);
    slot.content[at / 8].store(word, std::memory_order_relaxed);
  }
}

PublishError publish_error(BorrowError error) {
  return error == BorrowError::kNoMemory ? PublishError::kNoMemory : PublishError::kPoolExhausted;
}

}  // namespace

std::size_t PublisherBody::record_size(const Qos & qos) {
  return sizeof(PublisherRecord) + ring_size_of(qos) * sizeof(Slot) + kMaxReaders * sizeof(Ack);
}

std::shared_ptr<PublisherBody> PublisherBody::create(Process & process, const PublisherOptions & options,
                                                     EndpointId id) {
  const std::uint32_t ring_size = ring_size_of(options.qos);
  const std::size_t slots = sizeof(PublisherRecord);
  const std::size_t acks = slots + ring_size * sizeof(Slot);
  const std::size_t size = record_size(options.qos);
  void * memory = allocate_shared_memory(size);
  if (memory == nullptr) {
    return nullptr;
  }
  std::memset(memory, 0, size);
  auto * record = static_cast<PublisherRecord *>(memory);
  const std::uint64_t offset = process.region().offset_of(memory);
  record->number = id.number;
  record->ring_size = ring_size;
  record->max_blocks = ring_size + kSpareBlocks;
  record->slots = offset + slots;
  record->acks = offset + acks;
  return std::shared_ptr<PublisherBody>(new PublisherBody(process, options, id, record));
}

PublisherBody::PublisherBody(Process & process, const PublisherOptions & options, EndpointId id,
                             PublisherRecord * record)
    : process_(process),
      info_{id, EndpointKind::kPublisher, options.topic, options.type, options.qos, options.node},
      max_loans_(options.max_loans),
      functions_(options.functions),
      record_(record),
      slots_(process.region().at<Slot>(record->slots)),
      limit_(options.qos.history == History::kKeepAll ? kKeepAllDepth : record->ring_size),
      readers_(process.region().at<Ack>(record->acks), record->max_blocks),
      pool_(record->max_blocks, options.functions),
      slot_blocks_(record->ring_size),
      held_(record->max_blocks / 64),
      head_(first_number),
      tail_(first_number) {
  for (std::uint64_t n = head_ - record->ring_size; n != head_; ++n) {
    slot(n).seq.store(gone(n), std::memory_order_relaxed);
  }
  record->head.store(head_, std::memory_order_relaxed);
}

PublisherBody::~PublisherBody() {
  if (process_.is_forked_away()) {
    pool_.abandon();
    return;
  }
  for (; tail_ != head_; ++tail_) {
    pool_.release(slot_blocks_[tail_ & (record_->ring_size - 1)]);
  }
  pool_.release_pending();
  deallocate(record_);
}

std::uint64_t PublisherBody::record_offset() const { return process_.region().offset_of(record_); }

// ---- publishing ----------------------------------------------------------------------------------------------------

tl::expected<Loan, BorrowError> PublisherBody::borrow(std::size_t size) {
  tl::expected<Loan, BorrowError> loan;
  if (process_.is_forked_away()) {
    loan = tl::make_unexpected(BorrowError::kNoMemory);
    return loan;
  }
  std::scoped_lock lock(mutex_);
  const auto block = obtain(std::max<std::size_t>(size, 1), loan->fresh_);
  if (!block) {
    loan = tl::make_unexpected(block.error());
    return loan;
  }
  loan->publisher_ = this;
  loan->data_ = pool_.memory(*block);
  loan->size_ = size;
  loan->block_ = *block;
  return loan;
}

void PublisherBody::drop(std::uint32_t block) {
  if (process_.is_forked_away()) {
    return;
  }
  std::unique_lock lock(mutex_);
  --loans_;
  pool_.release(block);
  if (is_closed() && loans_ == 0) {
    Process & process = process_;  // this object may be gone once the lock is open
    lock.unlock();
    process.wake_housekeeping();
  }
}

tl::expected<std::uint64_t, PublishError> PublisherBody::publish(Loan && loan, bool is_copy) {
  if (!loan || loan.publisher_ != this || is_closed() || process_.is_forked_away()) {
    loan.drop();
    return tl::make_unexpected(PublishError::kInvalidLoan);
  }
  if (!is_shared(loan.data_)) {
    return tl::make_unexpected(PublishError::kNotShared);
  }
  const std::int64_t timestamp = now_ns(CLOCK_REALTIME);
  std::uint64_t number = 0;
  std::unique_lock lock(mutex_);
  const bool is_published = enqueue(lock, loan.block_, loan.size_, timestamp, number);
  --loans_;
  if (!is_published) {
    pool_.release(loan.block_);
  } else if (is_copy) {
    count(record_->copied);
  }
  lock.unlock();
  loan.data_ = nullptr;
  if (!is_published) {
    return tl::make_unexpected(refusal());
  }
  return number;
}

tl::expected<std::uint64_t, PublishError> PublisherBody::publish_copy(const void * data, std::size_t size) {
  auto loan = borrow(size);
  if (!loan) {
    return tl::make_unexpected(publish_error(loan.error()));
  }
  std::memcpy(loan->data(), data, size);
  return publish(std::move(*loan), true);
}

tl::expected<std::uint64_t, PublishError> PublisherBody::publish_allocation(void * memory, std::size_t size) {
  if (!is_shared_allocation(memory, size) || is_closed() || process_.is_forked_away()) {
    return tl::make_unexpected(PublishError::kInvalidLoan);
  }
  if (!is_shared(memory)) {
    return tl::make_unexpected(PublishError::kNotShared);
  }
  const std::int64_t timestamp = now_ns(CLOCK_REALTIME);
  std::unique_lock lock(mutex_);
  bool fresh = false;
  const auto block = obtain(0, fresh);
  if (!block) {
    return tl::make_unexpected(publish_error(block.error()));
  }
  pool_.adopt(*block, memory);
  std::uint64_t number = 0;
  const bool is_published = enqueue(lock, *block, size, timestamp, number);
  --loans_;
  if (!is_published) {
    pool_.disown(*block);
    pool_.release(*block);
    return tl::make_unexpected(refusal());
  }
  return number;
}

/// Whether readers can see all of the message. A message that was made before a fork(2), say, refers to memory elsewhere.
bool PublisherBody::has_shared_parts(const void * message) const {
  const Region & region = process_.region();
  return functions_.is_sound(functions_.type, message, region.base() + kHeapOffset, region.committed() - kHeapOffset);
}

/// False, see refusal(), when there is no room in time. (Not an expected: what is written in pieces and read as a whole at
/// once waits for the pieces.)
bool PublisherBody::enqueue(std::unique_lock<BiasedLock> & lock, std::uint32_t block, std::size_t size,
                            std::int64_t timestamp, std::uint64_t & number) {
  if (is_full() && !wait_for_room(lock)) {
    return false;
  }
  const std::uint64_t n = head_;
  Slot & slot = this->slot(n);
  // I2: by I1 message n - ring_size was marked gone, and collect() has put a fence behind that.
  slot.block.store(block, std::memory_order_relaxed);
  slot.offset.store(process_.region().offset_of(pool_.memory(block)), std::memory_order_relaxed);
  slot.size.store(size, std::memory_order_relaxed);
  slot.source_timestamp.store(timestamp, std::memory_order_relaxed);
  if (size <= kInSlot) {
    write_content(slot, pool_.memory(block), size);
  }
  slot_blocks_[n & (record_->ring_size - 1)] = block;
  slot.seq.store(valid(n), fenced(std::memory_order_release));  // P1: pairs with T1 in Lane::take
  head_ = n + 1;
  record_->head.store(head_, std::memory_order_release);
  full_fence();  // W0: the slot before the sleeping flags; pairs with W3
  readers_.wake();
  // The message is on its way: time to make the next borrow short.
  reclaim_if_due();
  pool_.prefetch_next();
  number = n;
  return true;
}

// ---- housekeeping --------------------------------------------------------------------------------------------------

std::size_t PublisherBody::matched_count() const {
  if (process_.is_forked_away()) {
    return 0;
  }
  const BiasedLock::Visit visit(mutex_);
  return readers_.open_count();
}

std::vector<TopicSnapshot::Reader> PublisherBody::readers() const {
  std::vector<TopicSnapshot::Reader> readers;
  readers.reserve(kMaxReaders);  // not under the lock: somebody may want to publish
  const BiasedLock::Visit visit(mutex_);
  readers_.list(readers);
  return readers;
}

bool PublisherBody::add_reader(std::shared_ptr<Peer> peer, const LaneRecord * record, const LaneTerms & terms,
                               bool wants_history) {
  const BiasedLock::Visit visit(mutex_);
  const std::uint64_t depth = std::min<std::uint64_t>(history(), terms.depth);
  const std::uint64_t first = wants_history ? Numbers::later(tail_, head_ - depth) : head_;
  return readers_.add(std::move(peer), record, terms, first);
}

void PublisherBody::close() {
  const BiasedLock::Visit visit(mutex_);
  closed_.store(true, std::memory_order_relaxed);
  if (waiting_ != 0) {
    ring(process_.region().bells().bells[kSpaceBell].word);
  }
}

bool PublisherBody::is_finished() const {
  const BiasedLock::Visit visit(mutex_);
  return is_closed() && readers_.empty() && loans_ == 0;
}

}  // namespace tandem
