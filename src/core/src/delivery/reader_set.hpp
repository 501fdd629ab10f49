// The acknowledged lanes of one publisher: what readers are still owed, what they hold, and who sleeps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <utility>
#include <vector>

#include "layout/layout.hpp"
#include "layout/matcher.hpp"
#include "process/peer.hpp"
#include "system/biased_lock.hpp"
#include "system/fence.hpp"

namespace tandem {

/// Used under its publisher's lock. Functions that get it give it up while they ask the kernel or for memory.
class ReaderSet {
 public:
  /// `acks` are kMaxReaders entries of the publisher's region; `max_blocks` is its ring's.
  ReaderSet(Ack * acks, std::uint32_t max_blocks) : acks_(acks), max_blocks_(max_blocks) {}

  void list(std::vector<TopicSnapshot::Reader> & readers) const;
  /// Makes room for one more: call it right before add().
  void reserve(BiasedLock & lock) TANDEM_REQUIRES(lock);
  /// Writes the acknowledgement: from message `first` on. False when kMaxReaders are matched.
  bool add(std::shared_ptr<Peer> peer, const LaneRecord * record, const LaneTerms & terms, std::uint64_t first);
  /// Withdraws the acknowledgement of readers that are dead, or have closed their lane and hold nothing, or for which
  /// `gone(peer, lane)` is true. \return how many.
  template <class Predicate>
  std::size_t remove_if(BiasedLock & lock, Predicate gone) TANDEM_REQUIRES(lock) {
    Calls removed(lock, readers_.size());
    std::size_t kept = 0;
    for (Reader & reader : readers_) {
      if (reader.peer->is_dead() || is_finished(reader) || gone(*reader.peer, reader.terms.number)) {
        acks_[reader.ack].lane.store(0, std::memory_order_release);
        removed.add({std::move(reader.peer)});
      } else {
        std::swap(readers_[kept++], reader);
      }
    }
    readers_.resize(kept);
    count_wakers();
    const std::size_t count = removed.size();
    removed.finish(lock, [](const Call &) {});  // who unmaps a peer asks the kernel
    return count;
  }
  /// Asks the kernel who is still alive.
  std::size_t remove_dead(BiasedLock & lock) TANDEM_REQUIRES(lock);
  /// Revokes the acknowledgement of readers that hold more than was granted: their blocks do not count any more, and
  /// their process is told. \return how many.
  std::size_t revoke_over_quota(BiasedLock & lock) TANDEM_REQUIRES(lock);

  /// Those that take, without those that have closed and only keep messages.
  std::size_t open_count() const;
  bool empty() const { return readers_.empty(); }

  /// The first message that a reader is owed: from its cursor for those that may lose nothing, for others at most
  /// min(depth, budget) back from `head`. `head` when nobody is owed anything.
  std::uint64_t floor(std::uint64_t head, std::uint64_t budget) const;
  /// The same for those alone that may lose nothing.
  std::uint64_t owed_floor(std::uint64_t head) const;
  struct SlowestReader {
    std::shared_ptr<Peer> peer;  ///< null when nobody is behind
    std::uint64_t behind = 0;    ///< messages
  };
  /// Who of those has most left to take.
  SlowestReader slowest(std::uint64_t head) const;
  /// The process of this reader; null when there is no such.
  std::shared_ptr<Peer> peer_of(const EndpointId & subscription) const;
  /// Whether this subscription takes, and has not taken message `n` yet.
  bool is_awaited(const EndpointId & subscription, std::uint64_t n, std::uint64_t head) const;
  /// Union of the held bitmaps over blocks below `used`; `held` is as long as the bitmap.
  void collect_held(std::uint32_t used, std::vector<std::uint64_t> & held) const;
  /// After the publisher's full fence: tells readers' wait-sets which lane has news. True when some of them sleep:
  /// ring_sleepers() is to be called then, as soon as the publisher has given up its lock.
  /// `to` is the only subscription that is meant, here and below; null: all.
  bool notify(const EndpointId * to = nullptr) const {
    for (const Peer * peer : wakers_) {
      // W1: after the fence W0 of publish; pairs with W2, W3 in WaitSetImpl::sleep.
      if (peer->watching(fenced(std::memory_order_relaxed)) != 0) {
        return leave_hints(to);
      }
    }
    return false;
  }
  /// Rings the bells of all readers that sleep.
  void ring_sleepers(BiasedLock & lock, const EndpointId * to = nullptr) TANDEM_REQUIRES(lock);

 private:
  struct Reader {
    std::shared_ptr<Peer> peer;
    const LaneRecord * record = nullptr;
    LaneTerms terms{};
    std::uint32_t ack = 0;
    std::uint64_t first = 0;  ///< the first message it is owed
    bool revoked = false;     ///< it stays here until its lane is gone, or it would be acknowledged again
  };
  /// Takes, and is owed messages.
  static bool is_open(const Reader & reader);
  static bool is_finished(const Reader & reader);
  static std::uint64_t sure_count(const Reader & reader);
  void count_wakers();
  static bool is_meant(const Reader & reader, const EndpointId * to) {
    return is_peer_of(*reader.peer, to) && (to == nullptr || reader.terms.subscription == to->number);
  }
  /// Whether it may have a reader that is meant.
  static bool is_peer_of(const Peer & peer, const EndpointId * to) {
    return to == nullptr || peer.incarnation() == to->incarnation;
  }
  bool leave_hints(const EndpointId * to) const;
  std::uint64_t sleepers(const Peer & peer, const EndpointId * to) const;

  /// What is to be done for a reader's process without the lock.
  struct Call {
    std::shared_ptr<Peer> peer;
    std::uint64_t bells = 0;  ///< to be rung: a bit for each
    std::uint64_t held = 0;
    std::uint32_t granted = 0;
  };
  /// Up to some fifty of them lie on the stack, so that a publisher that wakes readers allocates nothing.
  class Calls {
   public:
    Calls(BiasedLock & lock, std::size_t room) TANDEM_REQUIRES(lock) {
      const BiasedLock::ScopedUnlock unlock(lock);
      list_.reserve(room);
    }
    void add(Call && call) { list_.push_back(std::move(call)); }
    std::size_t size() const { return list_.size(); }
    /// Does `call` for each without the lock, and lets go of them.
    template <class Function>
    void finish(BiasedLock & lock, Function call) TANDEM_REQUIRES(lock) {
      const BiasedLock::ScopedUnlock unlock(lock);
      std::for_each(list_.begin(), list_.end(), call);
      list_.clear();
    }

   private:
    alignas(std::max_align_t) std::byte few_[2048];
    std::pmr::monotonic_buffer_resource memory_{few_, sizeof few_};
    std::pmr::vector<Call> list_{&memory_};
  };

  Ack * acks_;
  std::uint32_t max_blocks_;
  std::vector<Reader> readers_;
  std::vector<Peer *> wakers_;  ///< each reader process once
};

}  // namespace tandem
