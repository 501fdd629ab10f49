// A subscription's way to one publisher: the reading side of the ring.
//
// Roles     the subscription's threads take (they exclude each other), any thread releases
// Layout    layout.hpp: LaneRecord in this region; PublisherRecord, Slot[], Ack[] in the publisher's
// Orders    T1 acquire load of slot.seq        pairs with P1: the fields are those of message n
//           T2 seq_cst RMW of held, then T3 seq_cst load of slot.seq
//                                             against "gone", fence R2, bitmaps: one of the two sees the other (I3)
//           T4 load of slot.seq after a copy    pairs with R2: the copy is of message n, or "gone" is seen
//           S1 fence after the cursor          pairs with S0: a publisher that waits sees the cursor or is rung
//           A1 acquire load of ack.lane        pairs with A0: the other fields belong to it
//           A3 acquire load of ack.quota       pairs with A2: the publisher does not count this lane's bits any more
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "layout.hpp"
#include "peer.hpp"
#include "process_lock.hpp"
#include "tandem/subscription.hpp"
#include "tandem/types.hpp"

namespace tandem {

class Process;

class Lane {
 public:
  struct Terms {
    std::uint64_t number = 0;
    std::uint64_t subscription = 0;
    std::uint32_t depth = 0;
    bool owed = false;
    std::uint32_t held_quota = 0;
    std::uint32_t wait_set = 0;
    std::size_t min_size = 0;
    std::size_t alignment = 1;
    MessageFunctions functions;
    std::string topic;  ///< for the line that a write to a received message ends with
  };

  /// nullptr when the publisher's record is damaged or memory is short; the former breaks the peer.
  static std::shared_ptr<Lane> create(Process & process, std::shared_ptr<Peer> peer, const Entry & publisher,
                                      const Terms & terms);
  ~Lane();
  Lane(const Lane &) = delete;
  Lane & operator=(const Lane &) = delete;

  // One thread at a time: the subscription guards its lanes by its lock.
  /// False when there is nothing, and `sample` stays empty.
  bool take(Sample & sample, std::uint64_t & lost);
  /// After take(): whether a publish waits for the room that it has made. Then ring the kSpaceBell of peer().
  bool is_waited_for() const;
  bool has_data() const;
  /// When the next message was published, ns of CLOCK_REALTIME, if has_data(): a hint, read without its guarantees.
  std::int64_t next_stamp() const;
  /// Takes up the acknowledgement when it is there. True once the lane may take.
  bool look_for_ack();
  bool is_acknowledged() const { return ack_ != nullptr; }
  /// Closes the lane, with a line, if the publisher has revoked the acknowledgement.
  void look_for_revocation();
  /// Nothing is there and nothing will come: the publisher has closed or died.
  bool is_drained(bool publisher_gone) const { return publisher_gone && !has_data(); }
  /// Takes no more; blocks that are held stay so.
  void close();
  void count_copy() { count(record_->copied); }
  void count_loss() { count(record_->lost); }
  void set_wait_set(std::uint32_t bell) { record_->wait_set.store(bell, std::memory_order_release); }

  // Any thread.
  void release(std::uint32_t block);
  /// One thread at a time, as above. Whether more is held than the quota.
  bool holds_too_many() { return held_at_most_ > quota_ && (held_at_most_ = held_count()) > quota_; }
  std::uint64_t quota() const { return quota_; }
  bool holds_any() const { return held_count() != 0; }
  bool is_closed() const { return closed_.load(std::memory_order_acquire); }
  std::uint64_t number() const { return terms_.number; }
  EndpointId publisher() const { return publisher_id_; }
  bool peer_is_dead() const { return peer_->is_dead(); }
  const std::shared_ptr<Peer> & peer() const { return peer_; }
  std::uint64_t record_offset() const;

  std::uint32_t directory_index TANDEM_GUARDED_BY(process_mutex) = 0;
  bool is_listed = false;  ///< the subscription's note: it guards its lanes by its lock

 private:
  Lane(Process & process, std::shared_ptr<Peer> peer, const Terms & terms)
      : process_(process),
        peer_(std::move(peer)),
        terms_(terms),
        copied_size_(terms.functions.is_sound == nullptr && terms.alignment <= 8 ? kInSlot : 0) {}
  std::uint64_t held_count() const;
  enum class Look { kTaken, kLapped, kRefused };
  Look look(const Slot & slot, std::uint64_t expected, Sample & sample);
  Look copy(const Slot & slot, std::uint64_t expected, Sample & sample) const;
  Look hold(const Slot & slot, std::uint64_t expected, Sample & sample);
  bool is_sound(const void * message);
  void break_with(const std::string & reason);
  std::uint64_t skip(bool is_gone) const;

  Process & process_;
  const std::shared_ptr<Peer> peer_;
  const Terms terms_;
  const std::size_t copied_size_;  ///< messages of at most so many bytes are read in their slot
  EndpointId publisher_id_;
  LaneRecord * record_ = nullptr;
  const PublisherRecord * publisher_ = nullptr;
  const Slot * slots_ = nullptr;
  const Ack * acks_ = nullptr;
  std::uint64_t mask_ = 0;
  std::uint64_t max_blocks_ = 0;
  std::uint64_t cursor_ = 0;
  std::uint64_t quota_ = 0;
  const Ack * ack_ = nullptr;  ///< ours, once it is there
  std::atomic<bool> closed_ = false;
  std::uint64_t held_at_most_ = 0;             ///< taken since they were counted, and what was held then
  std::atomic<std::uint64_t> held_words_ = 1;  ///< words of the bitmap that have ever had a bit
};

}  // namespace tandem
