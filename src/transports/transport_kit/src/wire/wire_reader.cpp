#include "wire/wire_reader.hpp"

#include <algorithm>
#include <limits>

namespace tandem::transport {
namespace {

/// What a publisher that has gone has sent may come for so long.
constexpr auto kAftermath = std::chrono::seconds(1);
/// A publisher that has not answered by then is told of.
constexpr auto kSilence = std::chrono::seconds(5);

}  // namespace

// --- the subscription ------------------------------------------------------------------------------------------------

WireReader::WireReader(std::shared_ptr<WireBus> bus, const MessageType & type, RosterEntry entry,
                       std::function<void()> on_data)
    : bus_(std::move(bus)),
      type_(type),
      entry_(std::move(entry)),
      queue_(std::make_shared<ArrivalQueue>(type, entry_.endpoint, *bus_, std::move(on_data))) {
  bus_->add(*this);
}

WireReader::~WireReader() {
  bus_->remove(*this);
  board->set_listener(nullptr);
  queue_->close();
  std::vector<std::shared_ptr<Link>> links;
  {
    const std::lock_guard<std::mutex> lock(queue_->mutex);
    links.swap(queue_->links);
  }
  for (const auto & link : links) {
    close(link);
  }
}

void WireReader::wait_with(Waiter * waiter) noexcept {
  auto * const poll_waiter = dynamic_cast<PollWaiter *>(waiter);
  const auto * const table_waiter = dynamic_cast<TableWaiter *>(waiter);
  queue_->wait_with(table_waiter != nullptr ? table_waiter->number : 0);
  queue_->wait_in(poll_waiter != nullptr ? poll_waiter->poller() : bus_->poller(), poll_waiter != nullptr);
}

std::size_t WireReader::matched() const {
  const std::lock_guard<std::mutex> lock(queue_->mutex);
  return static_cast<std::size_t>(std::count_if(queue_->links.begin(), queue_->links.end(),
                                                [this](const auto & link) { return is_connected(*link); }));
}

StatusBoard::Counterparts WireReader::connected() const {
  StatusBoard::Counterparts all;
  const std::lock_guard<std::mutex> lock(queue_->mutex);
  for (const auto & link : queue_->links) {
    if (is_connected(*link)) {
      all.push_back(counterpart(link->publisher));
    }
  }
  return all;
}

/// The queue's mutex is held.
bool WireReader::is_connected(Link & link) const {
  return !link.gone_ && queue_->is_admitted(link) && !ArrivalQueue::end_of(link);
}

/// \return whether it is left at that; false: it is to be tried again soon.
bool WireReader::open(const RosterEntry & publisher) {
  const Gid & theirs = publisher.endpoint.gid;
  if (!bus_->connections_of(theirs)) {
    return false;  // just come, or just gone
  }
  Connection * const row = bus_->connections()->take_row();
  if (row == nullptr) {
    if (!std::exchange(has_warned_, true)) {
      warn(bus_->name(), entry_.endpoint.topic,
           "no connection to a publisher: this process has " + std::to_string(ConnectionTable::kRows) +
               " connections already, or /dev/shm is full");
    }
    return true;  // it would not help to ask again
  }
  const Qos & qos = entry_.endpoint.qos;
  auto link = std::make_shared<Link>(queue_, *bus_, theirs, row, must_wait(publisher.endpoint, entry_.endpoint),
                                     publisher.endpoint.qos.lifespan);
  row->publisher = theirs;
  row->subscription = gid();
  row->history = qos.durability == Durability::kVolatile ? 0
                 : qos.history == History::kKeepAll      ? std::numeric_limits<std::uint64_t>::max()
                                                         : qos.depth;
  row->received.store(0, std::memory_order_relaxed);
  row->taken.store(0, std::memory_order_relaxed);
  row->end.store(Connection::kNoEnd, std::memory_order_relaxed);
  std::unique_ptr<Receiver> receiver;
  try {
    receiver = bus_->wire().open_receiver({type_, entry_, publisher, link});
  } catch (const Error & error) {
    if (silent_.insert(theirs).second) {
      warn(bus_->name(), entry_.endpoint.topic, error.what());
    }
    return true;
  }
  if (!receiver) {
    return false;
  }
  {
    const std::lock_guard<std::mutex> lock(queue_->mutex);
    link->receiver_ = std::move(receiver);
    queue_->links.push_back(link);
    queue_->watch(link);
    row->waiter.store(queue_->waiter(), std::memory_order_relaxed);
  }
  // Pairs with ConnectionTable::find().
  row->status.store(ConnectionStatus{ConnectionState::kConnected, link->generation_, 0}.word(),
                    std::memory_order_release);
  bus_->call(theirs);
  return true;
}

void WireReader::close(const std::shared_ptr<Link> & link) {
  std::shared_ptr<Receiver> receiver;  // ends without the lock, which its callbacks take
  {
    const std::lock_guard<std::mutex> lock(queue_->mutex);
    queue_->forget(*link);
    receiver = std::move(link->receiver_);
    queue_->count_missing(*link);
    std::exchange(link->row_, nullptr)
        ->status.store(ConnectionStatus{ConnectionState::kFree, link->generation_, 0}.word(),
                       std::memory_order_release);
  }
  bus_->call(link->publisher);
  if (link->theirs_) {
    link->theirs_->progress().ring();
  }
}

/// Connections that are broken, or whose publishers have been gone for long enough and from whom nothing can be taken.
std::vector<std::shared_ptr<Link>> WireReader::ended(const std::vector<RosterEntry> & matches,
                                                     Clock::time_point & next) {
  std::vector<std::shared_ptr<Link>> result;
  const auto time = Clock::now();
  const std::lock_guard<std::mutex> lock(queue_->mutex);
  std::erase_if(queue_->links, [&](const std::shared_ptr<Link> & link) {
    if (find(matches, link->publisher) != nullptr) {
      link->gone_.reset();
      if (link->is_broken_) {
        result.push_back(link);
      }
      return link->is_broken_;
    }
    if (!link->gone_) {
      link->gone_ = time;
      queue_->ring();  // it may have been killed between a message and the wake-up
    }
    const bool is_over = time >= *link->gone_ + kAftermath;
    const bool has_ended = is_over && !(queue_->is_admitted(*link) && link->receiver_->has_data());
    if (has_ended) {
      result.push_back(link);
    } else if (!is_over) {
      next = std::min(next, *link->gone_ + kAftermath);
    }
    return has_ended;
  });
  return result;
}

/// \return when there may be more to tell.
Clock::time_point WireReader::tell_of_silent(const std::vector<RosterEntry> & matches) {
  auto next = Clock::time_point::max();
  const std::lock_guard<std::mutex> lock(queue_->mutex);
  for (const auto & link : queue_->links) {
    const RosterEntry * const match = find(matches, link->publisher);
    if (match == nullptr || queue_->is_admitted(*link) || silent_.count(link->publisher) > 0) {
      continue;
    }
    if (Clock::now() < link->since_ + kSilence) {
      next = std::min(next, link->since_ + kSilence);
      continue;
    }
    silent_.insert(link->publisher);
    bus_->call(link->publisher);
    warn(bus_->name(), entry_.endpoint.topic,
         "the publisher of node '" + match->endpoint.node.name + "' does not answer" +
             (match->address.empty() ? "" : " at " + match->address) + "; does its process hang?");
  }
  return next;
}

Clock::time_point WireReader::connect(const std::vector<RosterEntry> & matches) {
  auto next = Clock::time_point::max();
  for (const auto & link : ended(matches, next)) {
    close(link);
  }
  std::size_t pending = 0;
  for (const RosterEntry & match : matches) {
    const auto is_it = [&](const auto & link) { return link->publisher == match.endpoint.gid; };
    std::unique_lock<std::mutex> lock(queue_->mutex);
    const bool is_known = std::any_of(queue_->links.begin(), queue_->links.end(), is_it);
    lock.unlock();
    pending += !is_known && !open(match) ? 1 : 0;
  }
  return std::min({next, tell_of_silent(matches), patience_.next(pending)});
}

}  // namespace tandem::transport
