// How a lane begins and ends: its record, and the publisher's acknowledgement.
#include <algorithm>
#include <chrono>
#include <cstring>

#include "delivery/lane.hpp"
#include "memory/guard.hpp"
#include "process/process.hpp"
#include "system/log_later.hpp"
#include "tandem/status.hpp"

namespace tandem {

std::shared_ptr<Lane> Lane::create(Process & process, std::shared_ptr<Peer> peer, const Entry & publisher,
                                   const Terms & terms) {
  if (!peer->map()) {
    return nullptr;
  }
  std::shared_ptr<Lane> lane(new Lane(process, std::move(peer), terms));
  return lane->map_publisher(publisher) && lane->make_record() ? lane : nullptr;
}

/// Finds the publisher's record, ring and acknowledgements in its region, and checks that they lie inside it.
bool Lane::map_publisher(const Entry & publisher) {
  publisher_ = peer_->record<PublisherRecord>(publisher.record);
  if (publisher_ == nullptr) {
    peer_->mark_broken("a publisher's record lies outside its region");
    return false;
  }
  // Each field is read once: a faulty peer could change it between the check and the use.
  const std::uint32_t ring_size = publisher_->ring_size;
  const std::uint32_t max_blocks = publisher_->max_blocks;
  if (is_plausible(ring_size, max_blocks)) {
    slots_ = peer_->record<Slot>(publisher_->slots, ring_size);
    acks_ = peer_->record<Ack>(publisher_->acks, kMaxReaders);
  }
  if (publisher_->number != publisher.number) {
    return false;  // the publisher has closed since its directory was read, and its memory is used again
  }
  if (slots_ == nullptr || acks_ == nullptr) {
    if (peer_->lists(publisher.number)) {
      peer_->mark_broken("a publisher's record is damaged");
    }
    return false;
  }
  guard::name_ring(peer_->base(), slots_, ring_size, terms_.topic.c_str());
  publisher_id_ = {peer_->incarnation(), publisher.number};
  mask_ = ring_size - 1;
  max_blocks_ = max_blocks;
  return true;
}

/// Allocates this lane's record, which the publisher reads.
bool Lane::make_record() {
  const std::size_t size = sizeof(LaneRecord) + max_blocks_ / 64 * sizeof(std::atomic<std::uint64_t>);
  void * const memory = allocate_shared_memory(size);
  if (memory == nullptr) {
    if (static RateLimiter line; line.is_due()) {
      log_later(LogLevel::kWarning,
                "topic '" + terms_.topic + "': a publisher cannot be matched yet: " + process_.heap().shortage(size));
    }
    return false;
  }
  std::memset(memory, 0, size);
  record_ = static_cast<LaneRecord *>(memory);
  record_->terms = {terms_.number,
                    terms_.subscription,
                    publisher_id_.incarnation,
                    publisher_id_.number,
                    terms_.depth,
                    terms_.owed ? 1U : 0U,
                    static_cast<std::uint32_t>(max_blocks_),
                    terms_.held_quota};
  record_->wait_set.store(terms_.wait_set, std::memory_order_relaxed);
  // One ring behind the head: before every message that an acknowledgement can name, so this lane holds up nothing.
  const std::uint64_t head = publisher_->head.load(std::memory_order_acquire);
  record_->cursor.store(head - (mask_ + 1), std::memory_order_relaxed);
  return true;
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
    // The publisher may give this Ack to another reader meanwhile. The fields belong together only if `lane` is the same
    // before and after they are read.
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

bool Lane::was_killed() const {
  if (!peer_is_dead() || peer_->is_broken() || !is_acknowledged() || terms_.lease == 0 ||
      std::chrono::nanoseconds(terms_.lease) >= StatusBoard::kAfterlife) {
    return false;
  }
  const Entry left = peer_->find(publisher_id_.number);  // who leaves by itself closes it first
  return left.kind == EntryKind::kPublisher && !left.closed;
}

void Lane::close() {
  closed_.store(true, std::memory_order_release);
  record_->closed.store(1, std::memory_order_release);
}

}  // namespace tandem
