// Taking from a lane, and releasing what was taken.
#include "delivery/lane.hpp"

#include <algorithm>

#include "process/process.hpp"
#include "system/clock.hpp"
#include "system/fence.hpp"
#include "system/prefetch.hpp"

namespace tandem {

bool Lane::has_data() {
  if (delivers_ && ack_ != nullptr && !is_closed()) [[unlikely]] {
    pass_others();
  }
  return ack_ != nullptr && !is_closed() &&
         !Numbers::is_before(slots_[cursor_ & mask_].seq.load(fenced(std::memory_order_acquire)), valid(cursor_));
}

std::int64_t Lane::next_stamp() const {
  return slots_[cursor_ & mask_].source_timestamp.load(std::memory_order_relaxed);
}

// The reader polls the slot itself, so an arriving message costs one cache line. Each turn of the loop ends it, moves the
// cursor, or sees that the publisher has moved on. The bound is for a publisher that overwrites without end.
bool Lane::take(Sample & sample, std::uint64_t & lost) {
  if (ack_ == nullptr || is_closed()) {
    return false;
  }
  const int attempts = delivers_ ? 4 : 1000;  // of whom delivers, each may go twice around the ring
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (delivers_) [[unlikely]] {
      pass_others();
    }
    const Slot & slot = slots_[cursor_ & mask_];
    const std::uint64_t seq = slot.seq.load(std::memory_order_acquire);  // T1
    const Slot & following = slots_[(cursor_ + 1) & mask_];
    const auto ahead = Numbers::distance(seq, valid(cursor_));
    if (ahead < 0) {
      prefetch_to_read(&following);
      return false;  // not yet
    }
    // A message is gone for all readers, but out of depth for this one alone, which the head tells. The head is read only
    // when there is more than one message, and only at the first attempt: a reader of small depth would otherwise chase a
    // fast publisher without ever taking.
    const bool is_gone = ahead > 0;
    const bool is_behind = attempt == 0 && !terms_.owed &&
                           !Numbers::is_before(following.seq.load(std::memory_order_acquire), valid(cursor_ + 1));
    if (is_gone && (((seq >> 1) - 1) & mask_) != (cursor_ & mask_)) {
      mark_publisher_broken("a slot of topic '" + terms_.topic + "' holds the sequence number of another one");
      return false;
    }
    if (is_gone || is_behind) {
      const std::uint64_t next = next_available(is_gone);
      if (next != cursor_) {
        if (!delivers_) {
          lost += next - cursor_;
          count(record_->lost, next - cursor_);
        }
        cursor_ = next;
        record_->cursor.store(next, std::memory_order_release);
        continue;
      }
    }
    const Outcome result = read(slot, seq, sample);
    if (result == Outcome::kDamaged) {
      return false;
    }
    if (result == Outcome::kOverwritten) {
      continue;
    }
    record_->cursor.store(++cursor_, fenced(std::memory_order_release));
    if (delivers_ && !(sample.address().subscription == terms_.self)) [[unlikely]] {
      sample = {};  // pass_others() has given up on a publisher that runs ahead
      continue;
    }
    if (may_skip_ && is_unwanted(sample)) [[unlikely]] {
      sample.release();
      continue;
    }
    return true;
  }
  return false;
}

/// Moves the cursor to a message for this subscription, or to where the next one will be. What lies between is for others,
/// or gone. Twice around the ring is enough, unless the publisher runs ahead: then it may end at another one's message.
void Lane::pass_others() {
  const std::uint64_t start = cursor_;
  for (std::uint64_t left = 2 * (mask_ + 1); left != 0; --left) {
    const Slot & slot = slots_[cursor_ & mask_];
    const std::uint64_t seq = slot.seq.load(std::memory_order_acquire);  // T1
    const auto ahead = Numbers::distance(seq, valid(cursor_));
    if (ahead < 0) {
      break;
    }
    const bool is_own = read_address(slot).subscription == terms_.self;
    if (ahead > 0) {
      cursor_ = next_available(true);
    } else if (slot.seq.load(std::memory_order_relaxed) == seq) {  // T4: the address is this message's
      if (is_own) {
        break;
      }
      ++cursor_;
    }
  }
  if (cursor_ != start) {
    record_->cursor.store(cursor_, fenced(std::memory_order_release));
  }
}

bool Lane::is_waited_for() const {
  if (!terms_.owed) {
    return false;
  }
  full_fence();  // S1
  return publisher_->waiting.load(fenced(std::memory_order_relaxed)) != 0;
}

/// The number of the first message that this lane may still take. It skips what is out of depth, and the message at the
/// cursor if that is gone: the publisher may have died before it stored its head.
std::uint64_t Lane::next_available(bool is_gone) const {
  const std::uint64_t head = publisher_->head.load(std::memory_order_acquire);
  const std::uint64_t back = delivers_ ? mask_ : std::min<std::uint64_t>(terms_.depth, mask_);
  return Numbers::later(cursor_ + (is_gone ? 1 : 0), head - back);
}

/// Takes the message in `slot`, whose seq was `expected`.
inline Lane::Outcome Lane::read(const Slot & slot, std::uint64_t expected, Sample & sample) {
  // Acquire, here and below: T3 and T4 come after these loads, so no field of a later message passes for one of this.
  sample.size_ = slot.size.load(std::memory_order_acquire);
  sample.source_timestamp_ = slot.source_timestamp.load(std::memory_order_acquire);
  sample.sequence_ = cursor_;
  sample.publisher_ = publisher_id_;
  const Outcome result = sample.size_ < copy_below_ ? copy(slot, expected, sample) : hold(slot, expected, sample);
  if (result == Outcome::kDamaged) [[unlikely]] {
    mark_publisher_broken(
        "a message of topic '" + terms_.topic +
        "' lies outside its region, is shorter than its type, is in two places, or has parts that lie elsewhere");
  }
  return result;
}

/// Copies a small message out of its slot. Its block is neither read nor held.
inline Lane::Outcome Lane::copy(const Slot & slot, std::uint64_t expected, Sample & sample) const {
  for (std::size_t i = 0; i < sample.small_.size(); ++i) {
    sample.small_[i] = slot.content[i].load(std::memory_order_acquire);
  }
  if (slot.seq.load(std::memory_order_relaxed) != expected) {  // T4
    return Outcome::kOverwritten;
  }
  if (sample.size_ < terms_.min_size) [[unlikely]] {
    return Outcome::kDamaged;
  }
  sample.data_ = sample.small_.data();
  return Outcome::kTaken;
}

/// Holds the message's block, so that the publisher does not write it again.
inline Lane::Outcome Lane::hold(const Slot & slot, std::uint64_t expected, Sample & sample) {
  const std::uint64_t block = slot.block.load(std::memory_order_acquire);
  const std::uint64_t offset = slot.offset.load(std::memory_order_acquire);
  if (terms_.addressing != Addressing::kNone) [[unlikely]] {
    const Address address = read_address(slot);
    sample.is_addressed_ = true;
    sample.small_ = {address.subscription.incarnation, address.subscription.number, address.number};
  }
  const void * const data = (offset & (terms_.alignment - 1)) == 0 ? peer_->at(offset, sample.size_) : nullptr;
  prefetch_to_read(data);  // the reader wants it next; it arrives while the bit becomes visible
  bool is_held = false;
  if (block < max_blocks_) {
    const std::uint64_t bit = std::uint64_t{1} << block % 64;
    if (block / 64 >= held_words_.load(std::memory_order_relaxed)) {
      held_words_.store(block / 64 + 1, std::memory_order_relaxed);
    }
    // T2. An addition, which x86 has in one instruction, sets the bit: it is clear, unless the publisher is faulty.
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
      return Outcome::kTaken;
    }
  }
  if (is_held) {
    release(static_cast<std::uint32_t>(block));
  }
  return is_current ? Outcome::kDamaged : Outcome::kOverwritten;
}

bool Lane::is_unwanted(const Sample & sample) {
  return (terms_.lifespan != 0 && now_ns(CLOCK_REALTIME) - sample.source_timestamp_ > terms_.lifespan) ||
         (terms_.origin != nullptr && is_repeated(sample));
}

/// No publisher repeats itself: what follows its own message is new, also if the origin's clock was set back.
bool Lane::is_repeated(const Sample & sample) {
  OriginProgress & progress = *terms_.origin;
  if (progress.lane != terms_.number && sample.source_timestamp_ <= progress.newest && repeats_left_ != 0) {
    --repeats_left_;
    return true;
  }
  progress = {sample.source_timestamp_, terms_.number};
  return false;
}

/// The stamp is another's word: one of the future is as good as now.
std::int64_t Lane::lease_left(std::int64_t now) const {
  const std::int64_t asserted = publisher_->asserted.load(std::memory_order_relaxed);
  return terms_.lease - (asserted < now && asserted > 0 ? now - asserted : 0);
}

/// Nothing more is taken from any publisher of this process.
void Lane::mark_publisher_broken(const std::string & reason) {
  peer_->mark_broken(reason);
  closed_.store(true, std::memory_order_release);
  process_.wake_housekeeping();
}

/// Whether a message that owns further memory lies in its publisher's heap with all its parts. \pre it is held
bool Lane::is_sound(const void * message) {
  const MessageFunctions & type = terms_.functions;
  const auto check = [&](const Peer::Heap & heap) { return type.is_sound(type.type, message, heap.base, heap.size); };
  const Peer::Heap known = peer_->heap();
  bool sound = check(known);
  if (!sound) {
    // The parts may lie in memory that the owner has committed since. (Another lane may have asked meanwhile.)
    const Peer::Heap present = peer_->present_heap();
    sound = present.size > known.size && check(present);
  }
  return sound && !peer_->is_broken();  // the check reads zeros when the file has become shorter
}

std::uint64_t Lane::held_count() const {
  std::uint64_t count = 0;
  for (std::uint64_t word = 0; word < held_words_.load(std::memory_order_relaxed); ++word) {
    // Bit by bit: few are set, and std::popcount is a call where the processor's baseline has no instruction for it.
    for (std::uint64_t bits = record_->held[word].load(std::memory_order_acquire); bits != 0; bits &= bits - 1) {
      ++count;
    }
  }
  return count;
}

void * Lane::open_writable(const void * part, std::size_t size, std::shared_ptr<const void> keeper) {
  std::call_once(view_made_, [this] { view_ = peer_->make_writable_view(); });
  const std::byte * const bytes = static_cast<const std::byte *>(part);
  return view_ == nullptr ? nullptr
                          : view_->open(static_cast<std::uint64_t>(bytes - peer_->base()), size, std::move(keeper));
}

// A closed lane is destroyed once it holds nothing, so no member is touched after the bit is cleared.
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

}  // namespace tandem
