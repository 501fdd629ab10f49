// The acknowledged lanes of one publisher: what readers are still owed, what they hold, and who sleeps.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fence.hpp"
#include "layout.hpp"
#include "matcher.hpp"
#include "peer.hpp"

namespace tandem {

/// Used under its publisher's mutex.
class ReaderSet {
 public:
  /// `acks` are kMaxReaders entries of the publisher's region; `max_blocks` is its ring's.
  ReaderSet(Ack * acks, std::uint32_t max_blocks) : acks_(acks), max_blocks_(max_blocks) {}

  void list(std::vector<TopicSnapshot::Reader> & readers) const;
  /// Writes the acknowledgement: from message `first` on. False when kMaxReaders are matched.
  bool add(std::shared_ptr<Peer> peer, const LaneRecord * record, const LaneTerms & terms, std::uint64_t first);
  /// Withdraws the acknowledgement of readers that are dead, or have closed their lane and hold nothing, or for which
  /// `gone(peer, lane)` is true. \return how many.
  template <class Predicate>
  std::size_t remove_if(Predicate gone) {
    std::size_t kept = 0;
    for (Reader & reader : readers_) {
      if (reader.peer->is_dead() || is_finished(reader) || gone(*reader.peer, reader.terms.number)) {
        acks_[reader.ack].lane.store(0, std::memory_order_release);
      } else {
        std::swap(readers_[kept++], reader);
      }
    }
    const std::size_t removed = readers_.size() - kept;
    readers_.resize(kept);
    count_wakers();
    return removed;
  }
  /// Asks the kernel who is still alive.
  std::size_t remove_dead();
  /// Revokes the acknowledgement of readers that hold more than was granted: their blocks do not count any more, and
  /// their process is told. \return how many.
  std::size_t revoke_hoarders();

  /// Those that take, without those that have closed and only keep messages.
  std::size_t open_count() const;
  bool empty() const { return readers_.empty(); }

  /// The first message that a reader is owed: from its cursor for those that may lose nothing, for others at most
  /// min(depth, budget) back from `head`. `head` when nobody is owed anything.
  std::uint64_t floor(std::uint64_t head, std::uint64_t budget) const;
  /// The same for those alone that may lose nothing.
  std::uint64_t owed_floor(std::uint64_t head) const;
  /// Who of those has most left to take, as half a sentence for people.
  std::string slowest(std::uint64_t head) const;
  /// Union of the held bitmaps over blocks below `used`; `held` is as long as the bitmap.
  void collect_held(std::uint32_t used, std::vector<std::uint64_t> & held) const;
  /// After the publisher's full fence: tells readers' wait-sets which lane has news, and rings those that sleep.
  void wake() const {
    for (const Peer * peer : wakers_) {
      // W1: after the fence W0 of publish; pairs with W2, W3 in WaitSetBody::sleep.
      if (peer->watching(fenced(std::memory_order_relaxed)) != 0) {
        tell();
        return;
      }
    }
  }

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
  void tell() const;

  Ack * acks_;
  std::uint32_t max_blocks_;
  std::vector<Reader> readers_;
  std::vector<Peer *> wakers_;  ///< each reader process once
};

}  // namespace tandem
