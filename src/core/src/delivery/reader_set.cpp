#include "delivery/reader_set.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "system/fence.hpp"
#include "system/log_later.hpp"

namespace tandem {
namespace {

/// A reader's cursor: where it was told to begin until it has taken that up. Garbage ahead of the head owes nothing.
std::uint64_t cursor_of(const LaneRecord & record, std::uint64_t first, std::uint64_t head) {
  return Numbers::earlier(Numbers::later(record.cursor.load(fenced(std::memory_order_acquire)), first), head);
}

bool is_closed(const LaneRecord & record) { return record.closed.load(std::memory_order_acquire) != 0; }

}  // namespace

void ReaderSet::list(std::vector<TopicSnapshot::Reader> & readers) const {
  for (const Reader & reader : readers_) {
    readers.push_back({reader.peer->incarnation(), reader.terms.number, reader.terms.subscription,
                       reader.peer->is_dead() || is_finished(reader), is_open(reader)});
  }
}

void ReaderSet::reserve(BiasedLock & lock) {
  reserve_unlocked(lock, readers_, readers_.size() + 1);
  reserve_unlocked(lock, wakers_, readers_.size() + 1);
}

bool ReaderSet::add(std::shared_ptr<Peer> peer, const LaneRecord * record, const LaneTerms & terms,
                    std::uint64_t first) {
  std::uint32_t index = 0;
  while (index < kMaxReaders && acks_[index].lane.load(std::memory_order_relaxed) != 0) {
    ++index;
  }
  if (index == kMaxReaders) {
    return false;
  }
  // Half of the blocks beyond the ring's are shared out as asked for, the rest sparingly: who gets less copies sooner.
  const std::uint64_t spare = max_blocks_ / 4;
  std::uint64_t granted = 0;
  for (const Reader & reader : readers_) {
    granted += reader.terms.held_quota + 1;
  }
  LaneTerms agreed = terms;
  agreed.held_quota = static_cast<std::uint32_t>(
      granted + terms.held_quota < spare ? terms.held_quota : std::min<std::uint64_t>(terms.held_quota, 1));
  const std::uint64_t incarnation = peer->incarnation();
  readers_.push_back(Reader{std::move(peer), record, agreed, index, first});
  count_wakers();
  Ack & ack = acks_[index];
  // The incarnation after what it is to see: the lane before on this line may have had the same number.
  ack.first.store(first, std::memory_order_release);
  ack.quota.store(agreed.held_quota, std::memory_order_release);
  ack.incarnation.store(incarnation, std::memory_order_release);
  ack.lane.store(terms.number, std::memory_order_release);  // A0: pairs with A1 in Lane::look_for_ack
  return true;
}

std::size_t ReaderSet::open_count() const {
  return static_cast<std::size_t>(
      std::count_if(readers_.begin(), readers_.end(), [](const Reader & reader) { return is_open(reader); }));
}

std::size_t ReaderSet::remove_dead(BiasedLock & lock) {
  Calls probes(lock, readers_.size());
  for (const Reader & reader : readers_) {
    probes.add({reader.peer});
  }
  probes.finish(lock, [](const Call & call) { call.peer->probe(); });
  return remove_if(lock, [](const Peer &, std::uint64_t) { return false; });
}

// A reader holds its quota, one message that it is just copying, and one that it is just taking, whose cursor is not
// stored yet. More than that is proof.
std::size_t ReaderSet::revoke_over_quota(BiasedLock & lock) {
  Calls revoked(lock, readers_.size());
  for (Reader & reader : readers_) {
    // (The memory of a lane that has closed may be in use for something else: to revoke that one does no harm.)
    const std::uint64_t held = reader.revoked ? 0 : sure_count(reader);
    if (held <= std::uint64_t{reader.terms.held_quota} + 2) {
      continue;
    }
    reader.revoked = true;
    acks_[reader.ack].quota.store(kRevoked,
                                  std::memory_order_release);  // A2: pairs with A3 in Lane::look_for_revocation
    revoked.add({reader.peer, 0, held, reader.terms.held_quota});
  }
  const std::size_t count = revoked.size();
  revoked.finish(lock, [](const Call & call) {
    call.peer->ring_bell(kHousekeepingBell);
    log_later(LogLevel::kWarning, "process " + std::to_string(call.peer->pid()) + " (" + call.peer->executable() +
                                      ") holds " + std::to_string(call.held) +
                                      " messages of one publisher, but is granted " + std::to_string(call.granted) +
                                      ": its subscription begins anew (" + call.peer->path() + ")");
  });
  return count;
}

/// How many blocks the reader holds for sure; 0 when it takes meanwhile. A word that is counted may lose a bit which comes
/// again in a later word, so a sum over words counts only between two equal looks at the cursor. R4: whoever sees the bit
/// of a message sees the cursor of the message before it: take stores it before its next exchange (T2).
std::uint64_t ReaderSet::sure_count(const Reader & reader) {
  const std::uint64_t cursor = reader.record->cursor.load(std::memory_order_acquire);
  std::uint64_t count = 0;
  for (std::uint32_t word = 0; word < reader.terms.max_blocks / 64; ++word) {
    count += static_cast<std::uint64_t>(std::popcount(reader.record->held[word].load(std::memory_order_acquire)));
  }
  return reader.record->cursor.load(std::memory_order_relaxed) == cursor ? count : 0;
}

bool ReaderSet::is_open(const Reader & reader) { return !reader.revoked && !is_closed(*reader.record); }

bool ReaderSet::is_finished(const Reader & reader) {
  const std::uint32_t words = reader.terms.max_blocks / 64;
  return is_closed(*reader.record) &&
         std::all_of(reader.record->held, reader.record->held + words,
                     [](const auto & word) { return word.load(std::memory_order_acquire) == 0; });
}

std::uint64_t ReaderSet::floor(std::uint64_t head, std::uint64_t budget) const {
  std::uint64_t floor = head;
  for (const Reader & reader : readers_) {
    if (!is_open(reader)) {
      continue;
    }
    const std::uint64_t cursor = cursor_of(*reader.record, reader.first, head);
    const std::uint64_t back = std::min<std::uint64_t>(reader.terms.depth, budget);
    floor = Numbers::earlier(floor, reader.terms.owed != 0 ? cursor : Numbers::later(cursor, head - back));
  }
  return floor;
}

std::uint64_t ReaderSet::owed_floor(std::uint64_t head) const {
  std::uint64_t floor = head;
  for (const Reader & reader : readers_) {
    if (reader.terms.owed != 0 && is_open(reader)) {
      floor = Numbers::earlier(floor, cursor_of(*reader.record, reader.first, head));
    }
  }
  return floor;
}

ReaderSet::SlowestReader ReaderSet::slowest(std::uint64_t head) const {
  const Reader * slowest = nullptr;
  std::uint64_t floor = head;
  for (const Reader & reader : readers_) {
    const bool counts = reader.terms.owed != 0 && is_open(reader);
    const std::uint64_t cursor = cursor_of(*reader.record, reader.first, head);
    if (counts && (slowest == nullptr || Numbers::is_before(cursor, floor))) {
      slowest = &reader;
      floor = cursor;
    }
  }
  return slowest == nullptr ? SlowestReader{} : SlowestReader{slowest->peer, head - floor};
}

std::shared_ptr<Peer> ReaderSet::peer_of(const EndpointId & subscription) const {
  const auto found = std::find_if(readers_.begin(), readers_.end(),
                                  [&](const Reader & reader) { return is_meant(reader, &subscription); });
  return found == readers_.end() ? nullptr : found->peer;
}

bool ReaderSet::is_awaited(const EndpointId & subscription, std::uint64_t n, std::uint64_t head) const {
  return std::any_of(readers_.begin(), readers_.end(), [&](const Reader & reader) {
    return is_meant(reader, &subscription) && is_open(reader) &&
           !Numbers::is_before(n, cursor_of(*reader.record, reader.first, head));
  });
}

void ReaderSet::collect_held(std::uint32_t used, std::vector<std::uint64_t> & held) const {
  const std::uint32_t words = (used + 63) / 64;
  std::fill_n(held.begin(), words, 0);
  for (const Reader & reader : readers_) {
    for (std::uint32_t word = 0; word < words && !reader.revoked; ++word) {
      // R3: acquire pairs with the release in Lane::release: what the reader read, it read before we write again.
      held[word] |= reader.record->held[word].load(fenced(std::memory_order_acquire));
    }
  }
}

bool ReaderSet::leave_hints(const EndpointId * to) const {
  for (const Reader & reader : readers_) {
    if (!is_meant(reader, to)) {
      continue;
    }
    const std::uint32_t bell = reader.record->wait_set.load(std::memory_order_acquire);
    if (bell < kBells && (reader.peer->watching(fenced(std::memory_order_relaxed)) >> bell & 1) != 0) {
      reader.peer->leave_hint(bell, hint_of(reader.terms.number));  // N1: pairs with N2 in WaitSetImpl::collect
    }
  }
  // After the hints: who has not seen them is seen here to sleep.
  return std::any_of(wakers_.begin(), wakers_.end(),
                     [&](const Peer * peer) { return is_peer_of(*peer, to) && sleepers(*peer, to) != 0; });
}

/// The bells of this process on which a reader that is meant sleeps.
std::uint64_t ReaderSet::sleepers(const Peer & peer, const EndpointId * to) const {
  const std::uint64_t sleeping = peer.sleeping(std::memory_order_seq_cst);
  std::uint64_t bells = 0;
  if (sleeping != 0) [[unlikely]] {
    for (const Reader & reader : readers_) {
      if (reader.peer.get() != &peer || !is_meant(reader, to)) {
        continue;
      }
      const std::uint32_t bell = reader.record->wait_set.load(std::memory_order_acquire);
      if (bell < kBells) {
        bells |= sleeping & std::uint64_t{1} << bell;
      }
    }
  }
  return bells;
}

/// Who has woken since notify() looks at its hints before it sleeps again.
void ReaderSet::ring_sleepers(BiasedLock & lock, const EndpointId * to) {
  Calls calls(lock, wakers_.size());
  for (const Peer * peer : wakers_) {
    if (const std::uint64_t bells = is_peer_of(*peer, to) ? sleepers(*peer, to) : 0; bells != 0) {
      const auto reader =
          std::find_if(readers_.begin(), readers_.end(), [&](const Reader & one) { return one.peer.get() == peer; });
      calls.add({reader->peer, bells});
    }
  }
  calls.finish(lock, [](const Call & call) {
    for (std::uint64_t bells = call.bells; bells != 0; bells &= bells - 1) {
      call.peer->ring_bell(static_cast<std::uint32_t>(std::countr_zero(bells)));
    }
  });
}

void ReaderSet::count_wakers() {
  wakers_.clear();
  for (const Reader & reader : readers_) {
    if (std::find(wakers_.begin(), wakers_.end(), reader.peer.get()) == wakers_.end()) {
      wakers_.push_back(reader.peer.get());
    }
  }
}

}  // namespace tandem
