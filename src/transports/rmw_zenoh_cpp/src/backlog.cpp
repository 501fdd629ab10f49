#include "backlog.hpp"

#include <algorithm>
#include <utility>

namespace rmw_zenoh {

using namespace tandem::transport;  // NOLINT: all that this package implements

namespace {

/// Writers that are remembered for their gaps; of one that was forgotten a gap is not counted.
constexpr std::size_t kMostWriters = 4096;

}  // namespace

Backlog::Backlog(const Qos & qos, Depth depth, std::function<void()> on_data)
    : qos_(qos), depth_(depth), on_data_(std::move(on_data)) {}

void Backlog::push(Arrival && arrival) {
  Arrival overwritten;  // freed without the lock
  const std::lock_guard lock(mutex_);
  if (!on_data_) {
    return;
  }
  const Gid writer = arrival.writer;
  note_gap_locked(arrival);
  arrivals_.push_back(std::move(arrival));
  ++writers_[writer].kept;
  overwritten = drop_surplus_locked(writer);
  size_.store(arrivals_.size(), std::memory_order_release);
  on_data_();
}

bool Backlog::take(Arrival & arrival) {
  const std::lock_guard lock(mutex_);
  if (arrivals_.empty()) {
    return false;
  }
  arrival = std::move(arrivals_.front());
  arrivals_.pop_front();
  --writers_[arrival.writer].kept;
  size_.store(arrivals_.size(), std::memory_order_release);
  return true;
}

void Backlog::close() {
  std::deque<Arrival> dropped;
  const std::lock_guard lock(mutex_);
  on_data_ = nullptr;
  dropped.swap(arrivals_);
  size_.store(0, std::memory_order_release);
}

/// A writer's first message tells where it begins for us.
void Backlog::note_gap_locked(const Arrival & arrival) {
  if (writers_.size() >= kMostWriters && !writers_.contains(arrival.writer)) {
    std::erase_if(writers_, [](const auto & writer) { return writer.second.kept == 0; });
  }
  const auto [known, is_new] = writers_.try_emplace(arrival.writer, Writer{arrival.sequence + 1, 0});
  std::uint64_t & next = known->second.next;
  if (!is_new && arrival.sequence >= next) {
    lost_.fetch_add(arrival.sequence - next, std::memory_order_relaxed);
    next = arrival.sequence + 1;
  }
}

Arrival Backlog::drop_surplus_locked(const Gid & writer) {
  const bool counts_each = depth_ == Depth::kOfEachWriter;
  const std::size_t kept = counts_each ? writers_[writer].kept : arrivals_.size();
  if (qos_.history != History::kKeepLast || kept <= qos_.depth) {
    return {};
  }
  lost_.fetch_add(1, std::memory_order_relaxed);
  const auto oldest = std::find_if(arrivals_.begin(), arrivals_.end(),
                                   [&](const Arrival & one) { return !counts_each || one.writer == writer; });
  Arrival dropped = std::move(*oldest);
  arrivals_.erase(oldest);
  --writers_[dropped.writer].kept;
  return dropped;
}

}  // namespace rmw_zenoh
