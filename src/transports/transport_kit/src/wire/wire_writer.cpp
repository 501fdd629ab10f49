#include "wire/wire_writer.hpp"

#include <algorithm>
#include <cstring>

#include "wire/window.hpp"

namespace tandem::transport {

using std::chrono::nanoseconds;

namespace {

/// While a wire takes its time to send, connecting waits for so long and does something else.
constexpr auto kBusy = std::chrono::milliseconds(10);

std::unique_ptr<Chunk> copy_of(const Chunk & chunk, std::unique_ptr<Chunk> memory) {
  std::memcpy(memory->data, chunk.data, chunk.size);
  return memory;
}

Clock::time_point from_now(nanoseconds timeout) {
  const nanoseconds longest = std::chrono::hours(24);
  return Clock::now() + (timeout < nanoseconds(0) ? longest : std::min(timeout, longest));
}

}  // namespace

SendingPort::SendingPort(const MessageType & type, EndpointInfo publisher, std::shared_ptr<ConnectionTable> own)
    : publisher_(std::move(publisher)), window_(window_of(type)), own_(std::move(own)) {}

void SendingPort::open(const std::shared_ptr<SendingPort> & self, const MessageType & type, WireBus & bus,
                       RosterEntry & entry) {
  const auto on_room = [port = std::weak_ptr<SendingPort>(self)] {
    if (const auto alive = port.lock()) {
      const std::lock_guard<std::mutex> lock(alive->mutex_);
      if (alive->sender_) {
        alive->sender_->flush();
        alive->wake_locked();
      }
    }
  };
  wakes_ = bus.wire().waking() == Waking::kSharedMemory;
  auto sender = bus.wire().open_sender({type, entry, window_, on_room});
  entry.address = sender->address();
  const std::lock_guard<std::mutex> lock(mutex_);
  sender_ = std::move(sender);
}

// --- publishing ------------------------------------------------------------------------------------------------------

bool SendingPort::has_room_locked() const {
  return std::all_of(subscribers_.begin(), subscribers_.end(), [this](const Subscriber & one) {
    if (!one.is_owed) {
      return true;
    }
    const std::uint64_t taken = std::max(one.first, one.row->taken.load(std::memory_order_acquire));
    return next_ - std::min(next_, taken) < window_;
  });
}

PublishResult SendingPort::write(std::unique_ptr<Chunk> chunk, std::int64_t stamp) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!has_room_locked()) {
    const auto end = from_now(std::max(publisher_.qos.max_blocking_time, nanoseconds(0)));
    const auto has_room = [this] {
      const std::lock_guard<std::mutex> look(mutex_);
      return has_room_locked();
    };
    do {
      lock.unlock();
      if (!own_->progress().wait(has_room, end)) {
        return PublishResult::kTimeout;
      }
      lock.lock();
    } while (!has_room_locked());
  }
  const Header header{next_, stamp != 0 ? stamp : now()};
  std::shared_ptr<Chunk> shared = std::move(chunk);
  if (const PublishResult result = sender_->send(header, shared, nullptr); result != PublishResult::kOk) {
    return result;
  }
  ++next_;
  wake_locked();
  if (keeps_for_late_joiners() && !sender_->keeps_history()) {
    keep_locked(header, std::move(shared));
  }
  return PublishResult::kOk;
}

void SendingPort::keep_locked(const Header & header, std::shared_ptr<Chunk> chunk) {
  history_.push_back({header, std::move(chunk)});
  if (history_.size() > history_limit()) {
    history_.pop_front();
  }
}

// --- replying --------------------------------------------------------------------------------------------------------

PublishResult SendingPort::reply(std::unique_ptr<Chunk> chunk, const Gid & client,
                                 const std::function<bool()> & is_there) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find_if(subscribers_.begin(), subscribers_.end(),
                                  [&](const Subscriber & one) { return one.gid == client && !has_left_locked(one); });
  if (found != subscribers_.end()) {
    return reply_locked(*found, std::move(chunk), now());
  }
  if (is_there()) {
    keep_early_locked({client, now(), copy_of(*chunk, make_heap_chunk(chunk->size))});
  }
  return PublishResult::kOk;
}

PublishResult SendingPort::reply_locked(Subscriber & client, std::shared_ptr<Chunk> chunk, std::int64_t stamp) {
  const PublishResult result = sender_->send({next_, stamp}, std::move(chunk), &client.gid);
  if (result == PublishResult::kOk) {
    client.next = ++next_;
    wake_locked(&client);
  }
  return result;
}

/// As many for each client as for one that is connected and takes none. In ordinary memory: a wire may have little of its own.
void SendingPort::keep_early_locked(EarlyReply reply) {
  const auto is_its = [client = reply.client](const EarlyReply & one) { return one.client == client; };
  early_.push_back(std::move(reply));
  if (static_cast<std::size_t>(std::count_if(early_.begin(), early_.end(), is_its)) > history_limit()) {
    early_.erase(std::find_if(early_.begin(), early_.end(), is_its));
  }
}

void SendingPort::reply_early_locked(Subscriber & client) {
  for (const EarlyReply & one : early_) {
    auto chunk = one.client == client.gid ? sender_->allocate(one.chunk->size) : nullptr;
    if (chunk) {
      reply_locked(client, copy_of(*one.chunk, std::move(chunk)), one.stamp);
    }
  }
  std::erase_if(early_, [&](const EarlyReply & one) { return one.client == client.gid; });
}

// --- waking and acknowledgements -------------------------------------------------------------------------------------

/// Those who wait in shared memory.
void SendingPort::wake_locked(const Subscriber * only) const {
  if (!wakes_) {
    return;
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with the one in ArrivalQueue::wait_with()
  for (const Subscriber & one : subscribers_) {
    const std::uint32_t waiter = one.row->waiter.load(std::memory_order_relaxed);
    if (waiter != 0 && (only == nullptr || &one == only)) {
      one.table->waiter(waiter).ring(RingCounter::Scope::kShared);
    }
  }
}

bool SendingPort::has_left_locked(const Subscriber & one) const {
  return one.row->status.load(std::memory_order_acquire) != one.status;
}

bool SendingPort::has_arrived_locked(std::uint64_t next) const {
  return std::all_of(subscribers_.begin(), subscribers_.end(), [&](const Subscriber & one) {
    return !one.is_reliable || has_left_locked(one) ||
           std::max(one.first, one.row->received.load(std::memory_order_acquire)) >= (replies() ? one.next : next);
  });
}

bool SendingPort::wait_for_all_acked(nanoseconds timeout) {
  if (sender_->delivers()) {
    return true;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  const std::uint64_t next = next_;
  lock.unlock();
  const auto has_arrived = [this, next] {
    const std::lock_guard<std::mutex> look(mutex_);
    return has_arrived_locked(next);
  };
  return own_->progress().wait(has_arrived, from_now(timeout));
}

void SendingPort::end() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Subscriber & one : subscribers_) {
    if (!has_left_locked(one)) {
      // Pairs with the acquire in ArrivalQueue::count_missing().
      one.row->end.store(Connection::end_of(next_, ConnectionStatus::of(one.status).generation),
                         std::memory_order_release);
    }
  }
}

bool SendingPort::is_done() {
  const std::lock_guard<std::mutex> lock(mutex_);
  sender_->flush();
  wake_locked();
  return sender_->is_idle() && (sender_->delivers() || has_arrived_locked(next_));
}

// --- connecting ------------------------------------------------------------------------------------------------------

/// \return false: not yet.
bool SendingPort::admit_locked(const RosterEntry & subscription, const std::shared_ptr<ConnectionTable> & table,
                               ConnectionTable::Found found) {
  ConnectionStatus status = ConnectionStatus::of(found.status);
  const Gid & gid = subscription.endpoint.gid;
  if (!sender_->admit(subscription)) {
    return false;
  }
  const std::uint64_t kept = sender_->keeps_history()
                                 ? std::min<std::uint64_t>(next_, keeps_for_late_joiners() ? history_limit() : 0)
                                 : history_.size();
  const std::uint64_t owed = std::min(kept, found.row->history);
  status.state = ConnectionState::kAdmitted;
  status.first = next_ - owed;
  subscribers_.reserve(subscribers_.size() + 1);
  if (!found.row->status.compare_exchange_strong(found.status, status.word())) {
    sender_->dismiss(gid);  // it has left, or moved on: then it is asked for again
    return false;
  }
  subscribers_.push_back({gid, table, found.row, status.word(), must_wait(publisher_, subscription.endpoint),
                          subscription.endpoint.qos.reliability == Reliability::kReliable, status.first, 0});
  if (!sender_->keeps_history()) {
    for (auto one = history_.end() - static_cast<std::ptrdiff_t>(owed); one != history_.end(); ++one) {
      sender_->send_to(gid, one->header, one->chunk);
    }
  }
  reply_early_locked(subscribers_.back());
  wake_locked();  // there may be history
  return true;
}

Clock::time_point SendingPort::connect(WireBus & bus, const RosterEntry & entry,
                                       const std::vector<RosterEntry> & matches) {
  const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
  if (!lock) {
    return Clock::now() + kBusy;
  }
  std::erase_if(subscribers_, [&](const Subscriber & one) {
    const bool has_left = find(matches, one.gid) == nullptr || has_left_locked(one);
    if (has_left) {
      sender_->dismiss(one.gid);
    }
    return has_left;
  });
  std::erase_if(early_, [&](const EarlyReply & one) { return find(matches, one.client) == nullptr; });
  sender_->expect(matches);
  std::size_t pending = 0;
  for (const RosterEntry & match : matches) {
    const auto is_it = [&](const Subscriber & one) { return one.gid == match.endpoint.gid; };
    if (std::any_of(subscribers_.begin(), subscribers_.end(), is_it)) {
      continue;
    }
    const auto table = bus.connections_of(match.endpoint.gid);
    const auto found = table ? table->find(entry.endpoint.gid, match.endpoint.gid) : ConnectionTable::Found();
    if (found.row != nullptr && !admit_locked(match, table, found)) {
      ++pending;
    } else if (found.row != nullptr) {
      bus.call(match.endpoint.gid);  // it may want to know
    }
  }
  connected_.clear();
  for (const Subscriber & one : subscribers_) {
    connected_.push_back(counterpart(one.gid));
  }
  count_.store(subscribers_.size(), std::memory_order_release);
  own_->progress().ring();
  return patience_.next(pending);
}

WireWriter::WireWriter(std::shared_ptr<WireBus> bus, const MessageType & type, RosterEntry entry)
    : bus_(std::move(bus)),
      entry_(std::move(entry)),
      port_(std::make_shared<SendingPort>(type, entry_.endpoint, bus_->connections())) {
  port_->open(port_, type, *bus_, entry_);
  bus_->add(*this);
}

PublishResult WireWriter::write(std::unique_ptr<Chunk> chunk, RequestId * id) {
  if (channel_of(entry_.endpoint.topic) != Channel::kReply) {
    return port_->write(std::move(chunk), source_timestamp());
  }
  return port_->reply(std::move(chunk), id->client, [this, id] { return bus_->has_match(entry_, id->client); });
}

WireWriter::~WireWriter() {
  board->set_listener(nullptr);
  port_->end();
  bus_->remove(*this);
  if (!port_->is_done()) {
    bus_->linger(port_, [port = port_.get()] { return port->is_done(); });
  }
}

}  // namespace tandem::transport
