#include "delivery/publisher_impl.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "process/process.hpp"
#include "system/clock.hpp"
#include "system/fence.hpp"
#include "system/futex.hpp"
#include "system/log_later.hpp"

namespace tandem {
namespace {

constexpr std::uint32_t kLeastRing = 256;
constexpr std::uint32_t kSpareBlocks = 1792;  ///< beyond the ring's: for what readers keep and for loans

std::uint32_t ring_size_of(const Qos & qos) {
  const std::uint32_t depth = qos.history == History::kKeepAll ? kKeepAllDepth : qos.depth;
  return std::max(kLeastRing, std::bit_ceil(depth + 1));
}

std::uint64_t limit_of(const PublisherOptions & options, std::uint32_t ring_size) {
  if (options.qos.history == History::kKeepAll) {
    return options.max_samples;
  }
  // A lane that is a whole ring behind goes on at the slot after its own: see Lane::next_available().
  return options.addressing == Addressing::kDelivered ? ring_size - 1 : ring_size;
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

std::size_t PublisherImpl::record_size(const Qos & qos) {
  return sizeof(PublisherRecord) + ring_size_of(qos) * sizeof(Slot) + kMaxReaders * sizeof(Ack);
}

std::shared_ptr<PublisherImpl> PublisherImpl::create(Process & process, const PublisherOptions & options,
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
  return std::shared_ptr<PublisherImpl>(new PublisherImpl(process, options, id, record));
}

PublisherImpl::PublisherImpl(Process & process, const PublisherOptions & options, EndpointId id,
                             PublisherRecord * record)
    : process_(process),
      info_{id,           EndpointKind::kPublisher, options.topic,    options.type, options.qos,
            options.node, options.origin,           options.user_data},
      functions_(options.functions),
      addressing_(options.addressing),
      is_manual_(options.qos.liveliness == Liveliness::kManualByTopic),
      source_timestamp_(options.source_timestamp),
      record_(record),
      limit_(limit_of(options, record->ring_size)),
      readers_(process.region().at<Ack>(record->acks), record->max_blocks),
      memory_(*record, process.region().at<Slot>(record->slots), readers_, options) {
  const std::uint64_t head = memory_.head();
  for (std::uint64_t n = head - record->ring_size; n != head; ++n) {
    memory_.slot(n).seq.store(gone(n), std::memory_order_relaxed);
  }
  record->head.store(head, std::memory_order_relaxed);
  assert_liveliness();
}

PublisherImpl::~PublisherImpl() {
  if (process_.is_forked_away()) {
    memory_.abandon();
  } else {
    deallocate(record_);
  }
}

/// Nothing is ordered by it: who looks wants to know how long ago it was.
void PublisherImpl::assert_liveliness() {
  if (is_manual_ && !process_.is_forked_away()) {
    record_->asserted.store(now_ns(CLOCK_REALTIME), std::memory_order_relaxed);
  }
}

Status PublisherImpl::status() const { return process_.is_forked_away() ? Status() : board->status(); }

void PublisherImpl::set_status_listener(StatusBoard::Listener listener) {
  if (!process_.is_forked_away()) {
    board->set_listener(std::move(listener));
  }
}

std::uint64_t PublisherImpl::record_offset() const { return process_.region().offset_of(record_); }

// ---- publishing ----------------------------------------------------------------------------------------------------

tl::expected<Loan, BorrowError> PublisherImpl::borrow(std::size_t size) {
  tl::expected<Loan, BorrowError> loan;
  if (process_.is_forked_away()) {
    loan = tl::make_unexpected(BorrowError::kNoMemory);
    return loan;
  }
  const std::size_t wanted = std::max<std::size_t>(size, 1);
  BorrowError error{};
  {
    const Guard lock(mutex_);
    bool is_fresh = false;
    const std::uint32_t block = memory_.allocate(mutex_, wanted, is_fresh, error);
    if (block != kNoBlock) [[likely]] {
      *loan = Loan(*this, memory_.memory(block), size, block, is_fresh);
      return loan;
    }
  }
  loan = tl::make_unexpected(error);
  if (error == BorrowError::kNoMemory && shortage_limiter_.is_due()) {
    log_later(LogLevel::kError, "topic '" + info_.topic + "': " + process_.heap().shortage(wanted));
  }
  return loan;
}

void PublisherImpl::take_back(void *, std::uint32_t block) noexcept {
  if (process_.is_forked_away()) {
    return;
  }
  Process & process = process_;  // this object may be gone once the lock is given up
  bool is_last = false;
  {
    const Guard lock(mutex_);
    memory_.free(block);
    is_last = is_closed() && memory_.loans() == 0;
  }
  if (is_last) {
    process.wake_housekeeping();
  }
}

tl::expected<std::uint64_t, PublishError> PublisherImpl::publish(Loan && loan, Content content,
                                                                 const Address & address) {
  if (!loan || loan.lender() != this || is_closed() || process_.is_forked_away()) {
    loan.drop();
    return tl::make_unexpected(PublishError::kInvalidLoan);
  }
  if (!is_shared(loan.data())) {
    return tl::make_unexpected(PublishError::kNotShared);
  }
  const std::int64_t timestamp = next_timestamp();
  std::uint64_t number = 0;
  bool sleepers = false;
  loan.release();
  {
    const Guard lock(mutex_);
    if (is_full() && !wait_for_room()) {
      memory_.free(loan.block());
      return tl::make_unexpected(refusal());
    }
    number = enqueue(loan.block(), loan.size(), timestamp, address, sleepers);
    if (content == Content::kCopied) {
      count(record_->copied);
    }
  }
  if (sleepers) [[unlikely]] {
    ring_sleepers(address);
  }
  return number;
}

tl::expected<std::uint64_t, PublishError> PublisherImpl::publish_copy(const void * data, std::size_t size,
                                                                      const Address & address) {
  auto loan = borrow(size);
  if (!loan) {
    return tl::make_unexpected(publish_error(loan.error()));
  }
  copy_message(loan->data(), data, size);
  return publish(std::move(*loan), Content::kCopied, address);
}

tl::expected<std::uint64_t, PublishError> PublisherImpl::publish_allocation(void * memory, std::size_t size,
                                                                            const Address & address) {
  if (!is_shared_allocation(memory, size) || is_closed() || process_.is_forked_away()) {
    return tl::make_unexpected(PublishError::kInvalidLoan);
  }
  if (!is_shared(memory)) {
    return tl::make_unexpected(PublishError::kNotShared);
  }
  const std::int64_t timestamp = next_timestamp();
  std::uint64_t number = 0;
  bool sleepers = false;
  {
    const Guard lock(mutex_);
    bool fresh = false;
    BorrowError error{};
    const std::uint32_t block = memory_.allocate(mutex_, 0, fresh, error);
    if (block == kNoBlock) {
      return tl::make_unexpected(publish_error(error));
    }
    if (is_full() && !wait_for_room()) {
      memory_.free(block);
      return tl::make_unexpected(refusal());
    }
    memory_.adopt(block, memory);
    number = enqueue(block, size, timestamp, address, sleepers);
  }
  if (sleepers) [[unlikely]] {
    ring_sleepers(address);
  }
  return number;
}

std::int64_t PublisherImpl::next_timestamp() const {
  const std::int64_t first = source_timestamp_ ? source_timestamp_() : 0;
  return first != 0 ? first : now_ns(CLOCK_REALTIME);
}

/// Whether readers can see all of the message. A message that was made before a fork(2), say, refers to memory elsewhere.
bool PublisherImpl::has_shared_parts(const void * message) const {
  const Region & region = process_.region();
  return functions_.is_sound(functions_.type, message, region.base() + kHeapOffset, region.committed() - kHeapOffset);
}

/// There is room in the ring. `sleepers` tells whether ring_sleepers() is to be called once the lock is given up.
std::uint64_t PublisherImpl::enqueue(std::uint32_t block, std::size_t size, std::int64_t timestamp,
                                     const Address & address, bool & sleepers) {
  const std::uint64_t n = memory_.head();
  Slot & slot = memory_.slot(n);
  // I2: by I1 message n - ring_size was marked gone, and PublisherMemory::collect() has put a fence behind that.
  slot.block.store(block, std::memory_order_relaxed);
  slot.offset.store(process_.region().offset_of(memory_.memory(block)), std::memory_order_relaxed);
  slot.size.store(size, std::memory_order_relaxed);
  slot.source_timestamp.store(timestamp, std::memory_order_relaxed);
  if (addressing_ != Addressing::kNone) [[unlikely]] {
    write_address(slot, address);
  } else if (size <= kInSlot) {
    write_content(slot, memory_.memory(block), size);
  }
  slot.seq.store(valid(n), fenced(std::memory_order_release));  // P1: pairs with T1 in Lane::take
  memory_.enter(block);
  if (is_manual_) [[unlikely]] {
    record_->asserted.store(now_ns(CLOCK_REALTIME), std::memory_order_relaxed);
  }
  record_->head.store(n + 1, std::memory_order_release);
  full_fence();  // W0: the slot before the sleeping flags; pairs with W3
  sleepers = readers_.notify(addressee(address));
  // The message is on its way: time to make the next borrow short.
  memory_.prepare_next();
  return n;
}

void PublisherImpl::ring_sleepers(const Address & address) {
  const BiasedLock::UnbiasedLock lock(mutex_);
  readers_.ring_sleepers(mutex_, addressee(address));
}

// ---- housekeeping --------------------------------------------------------------------------------------------------

std::size_t PublisherImpl::matched_count() const {
  if (process_.is_forked_away()) {
    return 0;
  }
  const BiasedLock::UnbiasedLock lock(mutex_);
  return readers_.open_count();
}

std::vector<TopicSnapshot::Reader> PublisherImpl::readers() const {
  std::vector<TopicSnapshot::Reader> readers;
  readers.reserve(kMaxReaders);  // not under the lock: somebody may want to publish
  const BiasedLock::UnbiasedLock lock(mutex_);
  readers_.list(readers);
  return readers;
}

bool PublisherImpl::add_reader(std::shared_ptr<Peer> peer, const LaneRecord * record, const LaneTerms & terms,
                               bool wants_history) {
  const BiasedLock::UnbiasedLock lock(mutex_);
  readers_.reserve(mutex_);
  const std::uint64_t head = memory_.head();
  const std::uint64_t depth = std::min<std::uint64_t>(memory_.history(), terms.depth);
  std::uint64_t first = wants_history ? Numbers::later(memory_.tail(), head - depth) : head;
  if (delivers()) {
    first = memory_.tail();  // a message that is still there may be for this reader already
  }
  return readers_.add(std::move(peer), record, terms, first);
}

void PublisherImpl::trim(bool idle) {
  const BiasedLock::UnbiasedLock lock(mutex_);
  memory_.trim(mutex_, idle ? PublisherMemory::Trim::kIdle : PublisherMemory::Trim::kLeftovers);
}

bool PublisherImpl::make_room(bool may_drop_messages) {
  const BiasedLock::UnbiasedLock lock(mutex_);
  return memory_.trim(mutex_, may_drop_messages ? PublisherMemory::Trim::kOldest : PublisherMemory::Trim::kAll);
}

void PublisherImpl::close() {
  bool is_waiting = false;
  {
    const BiasedLock::UnbiasedLock lock(mutex_);
    closed_.store(true, std::memory_order_relaxed);
    is_waiting = waiting_ != 0;
  }
  if (is_waiting) {
    ring(process_.region().bells().bells[kSpaceBell].word);
  }
}

bool PublisherImpl::is_finished() const {
  const BiasedLock::UnbiasedLock lock(mutex_);
  return is_closed() && readers_.empty() && memory_.loans() == 0;
}

}  // namespace tandem
