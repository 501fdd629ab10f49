// The reading side of a publisher's ring, for one subscription.
//
// Roles     the subscription's threads take, one at a time; any thread releases
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
#include <limits>
#include <memory>
#include <mutex>
#include <string>

#include "layout/layout.hpp"
#include "process/peer.hpp"
#include "system/process_lock.hpp"
#include "tandem/subscription.hpp"
#include "tandem/types.hpp"

namespace tandem {

class Process;

/// How far a subscription has come in what one publisher elsewhere has published, whoever passes it on here. Used under the
/// subscription's lock.
struct OriginProgress {
  std::int64_t newest = std::numeric_limits<std::int64_t>::min();  ///< stamp of the last message taken
  std::uint64_t lane = 0;                                          ///< number of the lane that has brought it
};

/// What a subscription keeps for one publisher: the cursor in its ring, and the blocks that the user holds.
///
/// "One thread at a time" means the subscription's threads: they hold its lock. release() and the short getters at the end
/// may be called by any thread. take() allocates nothing, locks nothing and makes no system call, unless the publisher's
/// file has grown or its memory is damaged.
class Lane {
 public:
  struct Terms {
    std::uint64_t number = 0;        ///< of this lane within the region
    std::uint64_t subscription = 0;  ///< number of its subscription
    std::uint32_t depth = 0;         ///< messages: those that are older than this are skipped
    bool owed = false;               ///< reliable and keep all on both sides: nothing may be lost
    std::uint32_t held_quota = 0;    ///< blocks that the subscription would like to hold
    std::uint32_t wait_set = 0;      ///< bell of the wait-set that the subscription is in, or kNoWaitSet
    std::size_t min_size = 0;        ///< bytes: a shorter message is damaged
    std::size_t alignment = 1;       ///< of a message; a power of two
    MessageFunctions functions;
    std::string topic;  ///< for log lines
    Addressing addressing = Addressing::kNone;
    EndpointId self;  ///< the subscription, as an address has it
    // Of the publisher, ns; 0: without a limit.
    std::int64_t lifespan = 0;
    std::int64_t lease = 0;
    bool asserts = false;  ///< its liveliness within the lease; else its process does by being there
    std::shared_ptr<OriginProgress> origin = nullptr;  ///< null: it passes nothing on
    std::uint32_t history = 0;  ///< messages that it may repeat of what another one has passed on
  };

  // ---- matching (lane_matching.cpp); one thread at a time

  /// nullptr when the publisher has closed, its record is damaged, or memory is short. A damaged record marks the peer as
  /// broken.
  static std::shared_ptr<Lane> create(Process & process, std::shared_ptr<Peer> peer, const Entry & publisher,
                                      const Terms & terms);
  ~Lane();
  Lane(const Lane &) = delete;
  Lane & operator=(const Lane &) = delete;

  /// Reads the publisher's acknowledgement if it is there. True once the lane may take.
  bool look_for_ack();
  bool is_acknowledged() const { return ack_ != nullptr; }
  /// Closes the lane, with a line in the log, if the publisher has revoked the acknowledgement.
  void look_for_revocation();
  /// Takes no more. Blocks that are held stay held.
  void close();
  void set_wait_set(std::uint32_t bell) { record_->wait_set.store(bell, std::memory_order_release); }

  // ---- taking; one thread at a time

  /// Takes the next message. False when there is none; `sample` then stays empty. Adds to `lost` the messages that it
  /// skips: they were overwritten, or are older than the depth.
  bool take(Sample & sample, std::uint64_t & lost);
  /// After take(): whether a publish waits for the room that it has made. The caller then rings the kSpaceBell of peer().
  bool is_waited_for() const;
  bool has_data();
  /// When the next message was published, ns of CLOCK_REALTIME. Valid only if has_data(). A hint: not checked against seq.
  std::int64_t next_stamp() const;
  /// Whether all is taken and no more will come: `publisher_gone` says that the publisher has closed or died.
  bool is_drained(bool publisher_gone) { return publisher_gone && !has_data(); }
  /// Whether the user holds more blocks than the quota.
  bool holds_too_many() { return held_at_most_ > quota_ && (held_at_most_ = held_count()) > quota_; }
  void count_copy() { count(record_->copied); }
  void count_loss() { count(record_->lost); }

  // ---- any thread

  /// Whether its publisher has to assert that it lives.
  bool has_lease() const { return terms_.asserts && terms_.lease != 0; }
  /// Whether its publisher was killed within a lease that is told of; see StatusBoard::kAfterlife.
  bool was_killed() const;
  std::int64_t lease() const { return terms_.lease; }
  /// How long its publisher still lives without asserting so again; 0 or less: it does not. `now` is of CLOCK_REALTIME.
  std::int64_t lease_left(std::int64_t now) const;
  /// Gives a held block back to the publisher.
  void release(std::uint32_t block);
  /// `size` bytes of a held message, at an address of this lane's own; see WritableView::open().
  void * open_writable(const void * part, std::size_t size, std::shared_ptr<const void> keeper);
  /// Blocks that the publisher lets this lane hold.
  std::uint64_t quota() const { return quota_; }
  bool holds_any() const { return held_count() != 0; }
  bool is_closed() const { return closed_.load(std::memory_order_acquire); }
  std::uint64_t number() const { return terms_.number; }
  EndpointId publisher() const { return publisher_id_; }
  bool peer_is_dead() const { return peer_->is_dead(); }
  const std::shared_ptr<Peer> & peer() const { return peer_; }
  /// Of the LaneRecord in this process's region.
  std::uint64_t record_offset() const;

  std::uint32_t directory_index TANDEM_GUARDED_BY(process_mutex) = 0;
  bool is_listed = false;  ///< for the subscription, under its lock

 private:
  enum class Outcome {
    kTaken,
    kOverwritten,  ///< the message was gone before it was held or copied
    kDamaged       ///< the publisher wrote what it must not; nothing more is taken from it
  };

  Lane(Process & process, std::shared_ptr<Peer> peer, const Terms & terms)
      : process_(process),
        peer_(std::move(peer)),
        terms_(terms),
        delivers_(terms.addressing == Addressing::kDelivered),
        may_skip_(terms.lifespan != 0 || terms.origin != nullptr),
        copy_below_(has_content_in_slot(terms) ? kInSlot + 1 : 0),
        repeats_left_(terms.history) {}

  static bool has_content_in_slot(const Terms & terms) {
    return terms.addressing == Addressing::kNone && terms.functions.is_sound == nullptr && terms.alignment <= 8;
  }
  void pass_others();

  bool map_publisher(const Entry & publisher);
  bool make_record();

  Outcome read(const Slot & slot, std::uint64_t expected, Sample & sample);
  Outcome copy(const Slot & slot, std::uint64_t expected, Sample & sample) const;
  Outcome hold(const Slot & slot, std::uint64_t expected, Sample & sample);
  bool is_sound(const void * message);
  bool is_unwanted(const Sample & sample);
  bool is_repeated(const Sample & sample);
  void mark_publisher_broken(const std::string & reason);
  std::uint64_t next_available(bool is_gone) const;
  std::uint64_t held_count() const;

  Process & process_;
  const std::shared_ptr<Peer> peer_;
  const Terms terms_;
  const bool delivers_;           ///< others' messages are passed over
  const bool may_skip_;           ///< and some of its own: is_unwanted() tells which
  const std::size_t copy_below_;  ///< messages of fewer bytes are copied out of their slot
  EndpointId publisher_id_;
  LaneRecord * record_ = nullptr;
  const PublisherRecord * publisher_ = nullptr;
  const Slot * slots_ = nullptr;
  const Ack * acks_ = nullptr;
  std::uint64_t mask_ = 0;  ///< size of the ring - 1
  std::uint64_t max_blocks_ = 0;
  std::uint64_t cursor_ = 0;  ///< number of the next message to take
  std::uint64_t quota_ = 0;
  const Ack * ack_ = nullptr;  ///< this lane's acknowledgement; null until it is there
  std::atomic<bool> closed_ = false;
  std::uint32_t repeats_left_;  ///< messages that may still be such as another publisher of the same origin has brought
  std::uint64_t held_at_most_ = 0;             ///< upper bound: blocks held at the last count, and those taken since
  std::atomic<std::uint64_t> held_words_ = 1;  ///< words of the bitmap that have ever had a bit
  std::once_flag view_made_;
  std::unique_ptr<WritableView> view_;  ///< made when first needed; null where there can be none
};

}  // namespace tandem
