#include "wire/arrival_queue.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <iterator>

#include "tandem/service.hpp"
#include "wire/window.hpp"

namespace tandem::transport {

// --- a connection ----------------------------------------------------------------------------------------------------

Link::Link(std::shared_ptr<ArrivalQueue> queue, WireBus & bus, const Gid & from, Connection * row, bool owed,
           std::chrono::nanoseconds their_lifespan)
    : publisher(from),
      is_owed(owed),
      lifespan(their_lifespan),
      queue_(std::move(queue)),
      own_(bus.connections()),
      theirs_(bus.connections_of(publisher)),
      row_(row),
      generation_((ConnectionStatus::of(row->status).generation + 1) & ConnectionStatus::kGenerations) {}

void Link::push(const Header & header, std::unique_ptr<Chunk> chunk) {
  queue_->push(shared_from_this(), header, std::move(chunk));
}

void Link::serve() {
  const std::lock_guard<std::mutex> serving(serving_);
  std::shared_ptr<Receiver> receiver;
  {
    const std::lock_guard<std::mutex> lock(queue_->mutex);
    receiver = receiver_;
  }
  bool is_sound = true;
  try {
    is_sound = !receiver || receiver->receive();
  } catch (const std::exception &) {  // there is no memory: what has come of a message is lost
    is_sound = false;
  }
  if (!is_sound) {
    const std::lock_guard<std::mutex> lock(queue_->mutex);
    queue_->forget(*this);
    is_broken_ = true;
    queue_->attend();
  }
}

// --- the queue -------------------------------------------------------------------------------------------------------

ArrivalQueue::ArrivalQueue(const MessageType & type, const EndpointInfo & subscription, WireBus & bus,
                           std::function<void()> on_data)
    : qos_(subscription.qos),
      serves_(channel_of(subscription.topic) == Channel::kRequest),
      window_(window_of(type)),
      on_data_(std::move(on_data)),
      bus_(&bus),
      poller_(&bus.poller()) {}

void ArrivalQueue::attend() {
  if (bus_ != nullptr) {
    bus_->call_self();
  }
}

void ArrivalQueue::ring() {
  if (on_data_) {
    on_data_();
  }
}

void ArrivalQueue::watch(const std::shared_ptr<Link> & link) {
  if (const int fd = link->receiver_->fd(); fd >= 0) {
    poller_->watch(fd, EPOLLIN, [weak = std::weak_ptr<Link>(link)] {
      if (const auto alive = weak.lock()) {
        alive->serve();
      }
    });
  }
}

void ArrivalQueue::forget(const Link & link) {
  if (link.receiver_ && link.receiver_->fd() >= 0) {
    poller_->forget(link.receiver_->fd());
  }
}

void ArrivalQueue::wait_in(Poller & poller, bool is_user) {
  const std::lock_guard<std::mutex> lock(mutex);
  is_waited_for_.store(is_user, std::memory_order_relaxed);
  for (const auto & link : links) {
    forget(*link);
  }
  poller_ = &poller;
  for (const auto & link : links) {
    watch(link);
  }
}

void ArrivalQueue::wait_with(std::uint32_t waiter) {
  const std::lock_guard<std::mutex> lock(mutex);
  waiter_ = waiter;
  for (const auto & link : links) {
    link->row_->waiter.store(waiter, std::memory_order_relaxed);
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with the one in SendingPort::wake_locked()
}

void ArrivalQueue::receive() {
  if (size_.load(std::memory_order_acquire) > 0 || is_waited_for_.load(std::memory_order_relaxed)) {
    return;
  }
  std::vector<std::shared_ptr<Link>> all;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    std::copy_if(links.begin(), links.end(), std::back_inserter(all),
                 [](const auto & link) { return link->receiver_ && link->receiver_->fd() >= 0; });
  }
  for (const auto & link : all) {
    link->serve();
  }
}

void ArrivalQueue::close() {
  std::deque<Item> dropped;  // freed without the lock
  const std::lock_guard<std::mutex> lock(mutex);
  on_data_ = nullptr;
  bus_ = nullptr;
  dropped.swap(items_);
  size_ = 0;
}

bool ArrivalQueue::is_admitted(Link & link) const {
  if (!link.is_admitted_ && link.row_ != nullptr) {
    // Pairs with the exchange in SendingPort::admit_locked().
    const auto status = ConnectionStatus::of(link.row_->status.load(std::memory_order_acquire));
    link.is_admitted_ = status.state == ConnectionState::kAdmitted;
    link.next_ = status.first;
  }
  return link.is_admitted_;
}

/// Whether it is the next message, or one after it: then what is between is lost.
bool ArrivalQueue::accept(Link & link, const Header & header) {
  if (!is_admitted(link) || header.sequence < link.next_) {
    return false;
  }
  lost_.fetch_add(header.sequence - link.next_, std::memory_order_relaxed);
  link.next_ = header.sequence + 1;
  if (link.row_ != nullptr) {
    link.row_->received.store(link.next_, std::memory_order_release);  // pairs with SendingPort::has_arrived_locked()
  }
  return true;
}

/// The number after the last, of a publisher that has ended.
std::optional<std::uint64_t> ArrivalQueue::end_of(const Link & link) {
  // Pairs with the release in SendingPort::end().
  const std::uint64_t end = link.row_->end.load(std::memory_order_acquire);
  const std::uint64_t number = end ^ Connection::end_of(0, link.generation_);
  return number >> 48 == 0 ? std::optional(number) : std::nullopt;
}

void ArrivalQueue::count_missing(Link & link) {
  const std::uint64_t end = end_of(link).value_or(0);
  if (is_admitted(link) && end > link.next_) {
    lost_.fetch_add(end - link.next_, std::memory_order_relaxed);
  }
}

/// The oldest, when there are more than are kept: of all in a queue that keeps the last, of a publisher in one for requests,
/// and of one that does not wait in one that keeps all. Those that wait send no more than there is room for.
ArrivalQueue::Item ArrivalQueue::drop_surplus(const Link & link) {
  auto oldest = items_.end();
  const bool keeps_last = qos_.history == History::kKeepLast;
  if (keeps_last && !serves_) {
    oldest = items_.size() > qos_.depth ? items_.begin() : items_.end();
  } else if (!link.is_owed && link.queued_ > (keeps_last ? qos_.depth : window_)) {
    oldest = std::find_if(items_.begin(), items_.end(), [&](const Item & item) { return item.link.get() == &link; });
  }
  if (oldest == items_.end()) {
    return {};
  }
  Item dropped = std::move(*oldest);
  items_.erase(oldest);
  --dropped.link->queued_;
  note_taken(*dropped.link, dropped.header.sequence);
  lost_.fetch_add(1, std::memory_order_relaxed);
  return dropped;
}

void ArrivalQueue::push(const std::shared_ptr<Link> & link, const Header & header, std::unique_ptr<Chunk> chunk) {
  Item dropped;  // freed without the lock
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!on_data_ || !accept(*link, header)) {
      return;
    }
    items_.push_back({link, header, std::move(chunk)});
    ++link->queued_;
    dropped = drop_surplus(*link);
    size_.store(items_.size(), std::memory_order_release);
    on_data_();
  }
  if (link->theirs_) {
    link->theirs_->progress().ring();
  }
}

void ArrivalQueue::note_taken(Link & link, std::uint64_t sequence) const {
  if (link.row_ != nullptr) {
    link.row_->taken.store(sequence + 1, std::memory_order_release);  // pairs with SendingPort::has_room_locked()
  }
}

void ArrivalQueue::hand_over(Link & link, const Header & header, Arrival & arrival) const {
  note_taken(link, header.sequence);
  arrival.stamp = header.stamp;
  arrival.sequence = header.sequence;
  arrival.writer = link.publisher;
  arrival.lifespan = link.lifespan;
}

/// From the places where the wire keeps what has arrived, each connection in turn. \return the connection, or null.
std::shared_ptr<Link> ArrivalQueue::take_from_wire(Arrival & arrival) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::size_t turn = (turn_ + i) % links.size();
    Link & link = *links[turn];
    Header header;
    while (link.receiver_ && is_admitted(link) && link.receiver_->take(header, arrival.chunk)) {
      if (accept(link, header)) {
        turn_ = turn + 1;
        hand_over(link, header, arrival);
        return links[turn];
      }
    }
  }
  return nullptr;
}

bool ArrivalQueue::take(Arrival & arrival) {
  receive();
  std::shared_ptr<ConnectionTable> theirs;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (items_.empty()) {
      const std::shared_ptr<Link> link = take_from_wire(arrival);
      if (!link) {
        return false;
      }
      theirs = link->theirs_;
    } else {
      Item item = std::move(items_.front());
      items_.pop_front();
      size_.store(items_.size(), std::memory_order_release);
      --item.link->queued_;
      hand_over(*item.link, item.header, arrival);
      arrival.chunk = std::move(item.chunk);
      theirs = item.link->is_owed ? item.link->theirs_ : nullptr;
    }
  }
  if (theirs) {
    theirs->progress().ring();
  }
  return true;
}

bool ArrivalQueue::has_data() const {
  if (size_.load(std::memory_order_acquire) > 0) {
    return true;
  }
  const std::lock_guard<std::mutex> lock(mutex);
  return std::any_of(links.begin(), links.end(), [this](const auto & link) {
    return link->receiver_ && is_admitted(*link) && link->receiver_->has_data();
  });
}

}  // namespace tandem::transport
