#include <algorithm>

#include "publisher.hpp"

namespace rmw_zenoh {

void Readers::count_locked() {
  count_.store(static_cast<std::size_t>(std::count_if(readers_.begin(), readers_.end(),
                                                      [](const auto & item) { return item.second.is_confirmed; })),
               std::memory_order_release);
  changed_.notify_all();
}

void Readers::hear(const Note & note) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = readers_.find(note.subscription);
  if (found == readers_.end()) {
    return;
  }
  Reader & reader = found->second;
  if (note.kind == Kind::kConfirm) {
    reader.is_confirmed = true;
    count_locked();
    return;
  }
  if (note.kind == Kind::kTaken) {
    reader.taken = std::max(reader.taken, note.sequence);
  }
  reader.received = std::max(reader.received, note.sequence);
  changed_.notify_all();
}

void Readers::add(const Gid & subscription, bool is_reliable, bool is_owed, std::uint64_t next) {
  const std::lock_guard<std::mutex> lock(mutex_);
  readers_.try_emplace(subscription, Reader{is_reliable, is_owed, false, next, 0});
}

void Readers::keep_only(const std::vector<RosterEntry> & matches) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(readers_, [&](const auto & item) {
    return std::none_of(matches.begin(), matches.end(),
                        [&](const RosterEntry & match) { return match.endpoint.gid == item.first; });
  });
  count_locked();
}

bool Readers::have_room_locked(std::uint64_t next, std::size_t capacity) const {
  return std::all_of(readers_.begin(), readers_.end(), [&](const auto & item) {
    const Reader & reader = item.second;
    return !reader.is_owed || !reader.is_confirmed || next - std::min(next, reader.taken) < capacity;
  });
}

bool Readers::have_room(std::uint64_t next, std::size_t capacity) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return have_room_locked(next, capacity);
}

bool Readers::wait_for_room(std::uint64_t next, std::size_t capacity, Clock::time_point end) {
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_until(lock, end, [&] { return have_room_locked(next, capacity); });
}

bool Readers::have_received_locked(std::uint64_t next) const {
  return std::all_of(readers_.begin(), readers_.end(), [next](const auto & item) {
    return !item.second.is_reliable || !item.second.is_confirmed || item.second.received >= next;
  });
}

bool Readers::have_received(std::uint64_t next) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return have_received_locked(next);
}

bool Readers::wait_until_received(std::uint64_t next, Clock::time_point end) {
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_until(lock, end, [&] { return have_received_locked(next); });
}

}  // namespace rmw_zenoh
