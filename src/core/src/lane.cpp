#include "lane.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "fence.hpp"
#include "guard.hpp"
#include "log_later.hpp"
#include "prefetch.hpp"
#include "process.hpp"

namespace tandem {

std::shared_ptr<Lane> Lane::create(Process & process, std::shared_ptr<Peer> peer, const Entry & publisher,
                                   const Terms & terms) {
  if (!peer->map()) {
    return nullptr;
  }
  std::shared_ptr<Lane> lane(new Lane(process, std::move(peer), terms));
  Peer & owner = *lane->peer_;
  lane->publisher_ = owner.record<PublisherRecord>(publisher.record);
  if (lane->publisher_ == nullptr) {
    owner.mark_broken("a publisher's record lies outside its region");
    return nullptr;
  }
  // Each field is read once: a peer that lies could change it between the check and the use.
  const PublisherRecord & record = *lane->publisher_;
  const std::uint32_t ring_size = record.ring_size;
  const std::uint32_t max_blocks = record.max_blocks;
  const bool is_sound = is_plausible(ring_size, max_blocks);
  lane->max_blocks_ = max_blocks;
  lane->slots_ = is_sound ? owner.record<Slot>(record.slots, ring_size) : nullptr;
  lane->acks_ = is_sound ? owner.record<Ack>(record.acks, kMaxReaders) : nullptr;
  if (record.number != publisher.number) {
    return nullptr;  // it has closed since its directory was read, and its memory is used again
  }
  if (lane->slots_ == nullptr || lane->acks_ == nullptr) {
    if (owner.lists(publisher.number)) {
      owner.mark_broken("a publisher's record is damaged");
    }
    return nullptr;
  }
  guard::name_ring(owner.base(), lane->slots_, ring_size, terms.topic.c_str());
  lane->publisher_id_ = {owner.incarnation(), publisher.number};
  lane->mask_ = ring_size - 1;
  const std::size_t size = sizeof(LaneRecord) + lane->max_blocks_ / 64 * sizeof(std::atomic<std::uint64_t>);
  void * memory = allocate_shared_memory(size);
  if (memory == nullptr) {
    if (static RateLimiter line; line.is_due()) {
      log_later(LogLevel::kWarning,
                "topic '" + terms.topic + "': a publisher cannot be matched yet: " + process.heap().shortage(size));
    }
    return nullptr;
  }
  std::memset(memory, 0, size);
  lane->record_ = static_cast<LaneRecord *>(memory);
  lane->record_->terms = {terms.number,
                          terms.subscription,
                          owner.incarnation(),
                          publisher.number,
                          terms.depth,
                          terms.owed ? 1U : 0U,
                          static_cast<std::uint32_t>(lane->max_blocks_),
                          terms.held_quota};
  lane->record_->wait_set.store(terms.wait_set, std::memory_order_relaxed);
  // Behind all that an acknowledgement can name: it owes nothing yet, nor is it ahead.
  lane->record_->cursor.store(record.head.load(std::memory_order_acquire) - ring_size, std::memory_order_relaxed);
  return lane;
}

Lane::~Lane() {
  guard::forget_ring(slots_);
  if (record_ != nullptr && !process_.is_forked_away()) {
    deallocate(record_);
  }
}

std::uint64_t Lane::record_offset() const { return process_.region().offset_of(record_); }

bool Lane::look_for_ack() {
  for (std::uint32_t i = 0; i < kMaxReaders && ack_ == nullptr; ++i) {
    const Ack & ack = acks_[i];
    // A1: pairs with A0 in ReaderSet::add.
    // The line may be given to another reader meanwhile: only what stands between two equal looks belongs together.
    if (ack.lane.load(std::memory_order_acquire) != terms_.number) {
      continue;
    }
    const std::uint64_t incarnation = ack.incarnation.load(std::memory_order_acquire);
    const std::uint64_t first = ack.first.load(std::memory_order_acquire);
    const std::uint64_t quota = ack.quota.load(std::memory_order_acquire);
    if (incarnation == process_.incarnation() && ack.lane.load(std::memory_order_relaxed) == terms_.number) {
      cursor_ = first;
      quota_ = std::min<std::uint64_t>(quota, terms_.held_quota);
      record_->cursor.store(cursor_, std::memory_order_release);
      ack_ = &ack;
    }
  }
  return ack_ != nullptr;
}

void Lane::look_for_revocation() {
  if (ack_ == nullptr || is_closed() || ack_->quota.load(std::memory_order_acquire) != kRevoked ||  // A3
      ack_->lane.load(std::memory_order_relaxed) != terms_.number ||
      ack_->incarnation.load(std::memory_order_relaxed) != process_.incarnation()) {
    return;
  }
  close();
  log_later(LogLevel::kWarning,
            "topic '" + terms_.topic + "': process " + std::to_string(peer_->pid()) + " (" + peer_->executable() +
                ") has run out of room and found that this subscription holds more than the " +
                std::to_string(quota_ + 2) + " messages it may, so it uses them again. The subscription begins anew");
}

bool Lane::has_data() const {
  return ack_ != nullptr && !is_closed() &&
         !Numbers::is_before(slots_[cursor_ & mask_].seq.load(fenced(std::memory_order_acquire)), valid(cursor_));
}

std::int64_t Lane::next_stamp() const {
  return slots_[cursor_ & mask_].source_timestamp.load(std::memory_order_relaxed);
}

// The reader polls the slot itself, so that an arriving message costs one cache line. Each turn of the loop either ends
// it or moves the cursor or sees that the publisher has moved; the bound is for a publisher that laps without end.
bool Lane::take(Sample & sample, std::uint64_t & lost) {
  if (ack_ == nullptr || is_closed()) {
    return false;
  }
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const Slot & slot = slots_[cursor_ & mask_];
    const std::uint64_t seq = slot.seq.load(std::memory_order_acquire);  // T1
    const Slot & following = slots_[(cursor_ + 1) & mask_];
    const auto ahead = Numbers::distance(seq, valid(cursor_));
    if (ahead < 0) {
      prefetch_to_read(&following);
      return false;  // not yet
    }
    // "Gone" is common to all readers, the depth is one's own: the head is asked only when there is more than one message,
    // and once a take, or else a reader of little depth would run after a fast publisher without ever taking.
    const bool is_gone = ahead > 0;
    const bool is_behind = attempt == 0 && !terms_.owed &&
                           !Numbers::is_before(following.seq.load(std::memory_order_acquire), valid(cursor_ + 1));
    if (is_gone && (((seq >> 1) - 1) & mask_) != (cursor_ & mask_)) {
      break_with("a slot of topic '" + terms_.topic + "' holds the sequence number of another one");
      return false;
    }
    if (is_gone || is_behind) {
      const std::uint64_t next = skip(is_gone);
      if (next != cursor_) {
        lost += next - cursor_;
        count(record_->lost, next - cursor_);
        cursor_ = next;
        record_->cursor.store(next, std::memory_order_release);
        continue;
      }
    }
    const Look result = look(slot, seq, sample);
    if (result == Look::kRefused) {
      return false;
    }
    if (result == Look::kLapped) {
      continue;
    }
    record_->cursor.store(++cursor_, fenced(std::memory_order_release));
    return true;
  }
  return false;
}

bool Lane::is_waited_for() const {
  if (!terms_.owed) {
    return false;
  }
  full_fence();  // S1
  return publisher_->waiting.load(fenced(std::memory_order_relaxed)) != 0;
}

/// Where to go on: past all that fell out of the depth, and past the message at the cursor if that is gone, even if the
/// publisher died before it stored its head.
std::uint64_t Lane::skip(bool is_gone) const {
  const std::uint64_t head = publisher_->head.load(std::memory_order_acquire);
  const std::uint64_t back = std::min<std::uint64_t>(terms_.depth, mask_);
  return Numbers::later(cursor_ + (is_gone ? 1 : 0), head - back);
}

/// kLapped if the message was gone before it was taken for sure, kRefused if it is damaged.
inline Lane::Look Lane::look(const Slot & slot, std::uint64_t expected, Sample & sample) {
  // Acquire, here and below, so that T3 and T4 come after them: a field of a later message is not taken for one of this.
  sample.size_ = slot.size.load(std::memory_order_acquire);
  sample.source_timestamp_ = slot.source_timestamp.load(std::memory_order_acquire);
  sample.sequence_ = cursor_;
  sample.publisher_ = publisher_id_;
  const Look result = sample.size_ <= copied_size_ ? copy(slot, expected, sample) : hold(slot, expected, sample);
  if (result == Look::kRefused) [[unlikely]] {
    break_with(
        "a message of topic '" + terms_.topic +
        "' lies outside its region, is shorter than its type, is in two places, or has parts that lie elsewhere");
  }
  return result;
}

/// Copies a small message out of its slot: no line of its block is read, and nothing is held.
inline Lane::Look Lane::copy(const Slot & slot, std::uint64_t expected, Sample & sample) const {
  for (std::size_t i = 0; i < sample.small_.size(); ++i) {
    sample.small_[i] = slot.content[i].load(std::memory_order_acquire);
  }
  if (slot.seq.load(std::memory_order_relaxed) != expected) {  // T4
    return Look::kLapped;
  }
  if (sample.size_ < terms_.min_size) [[unlikely]] {
    return Look::kRefused;
  }
  sample.data_ = sample.small_.data();
  return Look::kTaken;
}

/// Marks the message's block as held.
inline Lane::Look Lane::hold(const Slot & slot, std::uint64_t expected, Sample & sample) {
  const std::uint64_t block = slot.block.load(std::memory_order_acquire);
  const std::uint64_t offset = slot.offset.load(std::memory_order_acquire);
  const void * const data = (offset & (terms_.alignment - 1)) == 0 ? peer_->at(offset, sample.size_) : nullptr;
  prefetch_to_read(data);  // the reader wants it next: on its way while the bit becomes visible
  bool is_held = false;
  if (block < max_blocks_) {
    const std::uint64_t bit = std::uint64_t{1} << block % 64;
    if (block / 64 >= held_words_.load(std::memory_order_relaxed)) {
      held_words_.store(block / 64 + 1, std::memory_order_relaxed);
    }
    // T2. An exchange-and-add, which x86 has in one instruction: the bit is clear, or the publisher lies.
    is_held = (record_->held[block / 64].fetch_add(bit, std::memory_order_seq_cst) & bit) == 0;
    if (!is_held) {
      record_->held[block / 64].fetch_sub(bit, std::memory_order_seq_cst);
    }
  }
  const bool is_current = slot.seq.load(std::memory_order_seq_cst) == expected;  // T3
  if (is_held && is_current && data != nullptr && sample.size_ >= terms_.min_size) [[likely]] {
    if (terms_.functions.is_sound == nullptr || is_sound(data)) [[likely]] {
      ++held_at_most_;
      sample.data_ = data;
      sample.lane_ = this;
      sample.block_ = static_cast<std::uint32_t>(block);
      return Look::kTaken;
    }
  }
  if (is_held) {
    release(static_cast<std::uint32_t>(block));
  }
  return is_current ? Look::kRefused : Look::kLapped;
}

/// The publisher is marked broken: nothing more is taken from it.
void Lane::break_with(const std::string & reason) {
  peer_->mark_broken(reason);
  closed_.store(true, std::memory_order_release);
  process_.wake_housekeeping();
}

/// Whether a message that is held and owns further memory can be handed out.
bool Lane::is_sound(const void * message) {
  const MessageFunctions & type = terms_.functions;
  const auto check = [&](const Peer::Heap & heap) { return type.is_sound(type.type, message, heap.base, heap.size); };
  const Peer::Heap known = peer_->heap();
  bool sound = check(known);
  if (!sound) {
    // Its parts may lie in what the owner has committed meanwhile. (Another lane may have asked since the check.)
    const Peer::Heap present = peer_->present_heap();
    sound = present.size > known.size && check(present);
  }
  return sound && !peer_->is_broken();  // when the file has become shorter, the check has read zeros
}

std::uint64_t Lane::held_count() const {
  std::uint64_t count = 0;
  for (std::uint64_t word = 0; word < held_words_.load(std::memory_order_relaxed); ++word) {
    // Few bits are set in many words; and a count of bits is a call where the processor's baseline has no instruction.
    for (std::uint64_t bits = record_->held[word].load(std::memory_order_acquire); bits != 0; bits &= bits - 1) {
      ++count;
    }
  }
  return count;
}

// A closed lane is destroyed once it holds nothing: nothing of it is touched after the bit is clear.
void Lane::release(std::uint32_t block) {
  if (process_.is_forked_away()) {
    return;
  }
  Process & process = process_;
  const bool closed = is_closed();
  const std::uint64_t bit = std::uint64_t{1} << block % 64;
  record_->held[block / 64].fetch_sub(bit, std::memory_order_release);  // pairs with R3 in ReaderSet::collect_held
  if (closed) {
    process.wake_housekeeping();
  }
}

void Lane::close() {
  closed_.store(true, std::memory_order_release);
  record_->closed.store(1, std::memory_order_release);
}

}  // namespace tandem
