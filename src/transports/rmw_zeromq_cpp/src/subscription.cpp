#include "subscription.hpp"

#include <algorithm>

#include "tandem/message_type.hpp"

namespace rmw_zeromq {

using std::chrono::steady_clock;
using tandem::transport::Durability;
using tandem::transport::History;
using tandem::transport::Qos;
using tandem::transport::Reliability;

namespace {

/// What a keep-all subscription stores of a publisher that does not wait for it.
constexpr std::size_t kKeepAllLimit = 1000;
/// A publisher that the roster has, but that does not answer, is told of after so long.
constexpr auto kUnreachable = std::chrono::seconds(5);
constexpr std::int64_t kMaxCdr = std::int64_t{1} << 32;

}  // namespace

SubscriptionBody::SubscriptionBody(Hub & hub, const tandem::MessageType & type, RosterEntry entry)
    : hub_(hub),
      entry_(std::move(entry)),
      max_frame_(static_cast<std::int64_t>(sizeof(Header)) +
                 std::max(static_cast<std::int64_t>(type.size), type.is_fixed_size ? 0 : kMaxCdr)) {
  entry_.endpoint.gid = hub.roster().new_gid();
}

void SubscriptionBody::open(std::uint32_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  number_ = number;
}

void SubscriptionBody::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  is_closed_ = true;
  for (Link & link : links_) {
    disconnect_locked(link);
  }
  links_.clear();
  queue_.clear();
  queued_ = 0;
  poller_.reset();
}

std::size_t SubscriptionBody::publisher_count() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<std::size_t>(std::count_if(
      links_.begin(), links_.end(), [](const Link & link) { return link.socket && link.is_welcome && !link.gone; }));
}

void SubscriptionBody::warn_once(const std::string & text) {
  if (!has_warned_.exchange(true)) {
    tandem::transport::warn(kName, entry_.endpoint.topic, text);
  }
}

// --- where it is waited for ------------------------------------------------------------------------------------------

void SubscriptionBody::move_to(std::shared_ptr<Poller> poller) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Link & link : links_) {
    if (link.socket) {
      poller_locked().remove(link.socket->get(zmq::sockopt::fd));
    }
  }
  poller_ = std::move(poller);
  for (Link & link : links_) {
    if (link.socket) {
      poller_locked().add(link.socket->get(zmq::sockopt::fd), number_, link.part);
    }
  }
  if (poller_ && !queue_.empty()) {
    poller_->ring_waiter();
  }
}

void SubscriptionBody::leave(const std::shared_ptr<Poller> & poller) {
  if (is_at(poller)) {
    move_to(nullptr);
  }
}

bool SubscriptionBody::is_at(const std::shared_ptr<Poller> & poller) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return poller_ == poller;
}

// --- its publishers --------------------------------------------------------------------------------------------------

SubscriptionBody::Link * SubscriptionBody::find_locked(const Gid & publisher) {
  const auto found = std::find_if(links_.begin(), links_.end(),
                                  [&](const Link & link) { return link.publisher.endpoint.gid == publisher; });
  return found != links_.end() ? &*found : nullptr;
}

void SubscriptionBody::match() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_closed_) {
    return;
  }
  const std::vector<RosterEntry> others = hub_.roster().matches(entry_);
  for (const RosterEntry & other : others) {
    if (find_locked(other.endpoint.gid) != nullptr) {
      continue;
    }
    try {
      connect_locked(other);
    } catch (const std::exception & error) {  // too many files are open; the next change tries again
      warn_once(error.what());
    }
  }
  for (Link & link : links_) {
    const bool is_there = std::any_of(others.begin(), others.end(), [&](const RosterEntry & other) {
      return other.endpoint.gid == link.publisher.endpoint.gid;
    });
    if (!is_there && !link.gone) {
      link.gone = steady_clock::now();  // what it has sent may still be on its way
      hub_.request_ticks();
    }
  }
}

void SubscriptionBody::connect_locked(const RosterEntry & publisher) {
  const Qos & qos = entry_.endpoint.qos;
  Introduction introduction;
  introduction.subscription = entry_.endpoint.gid;
  introduction.publisher = Introduction::tag_of(publisher.endpoint.gid);
  introduction.depth = qos.depth;
  introduction.keeps_all = qos.history == History::kKeepAll;
  introduction.is_reliable = qos.reliability == Reliability::kReliable;
  introduction.wants_history = qos.durability == Durability::kTransientLocal;
  Link link;
  link.publisher = publisher;
  link.part = ++last_part_;
  link.since = steady_clock::now();
  zmq::socket_t socket = hub_.make_socket(zmq::socket_type::dealer, entry_.endpoint.topic);
  socket.set(zmq::sockopt::routing_id, introduction.to_routing_id());
  socket.set(zmq::sockopt::probe_router, true);
  socket.set(zmq::sockopt::linger, 0);
  socket.set(zmq::sockopt::maxmsgsize, max_frame_);
  if (!hub_.settings().is_vendor) {
    socket.set(zmq::sockopt::rcvhwm, static_cast<int>(std::clamp<std::uint32_t>(2 * qos.depth, 16, 1000)));
    socket.set(zmq::sockopt::reconnect_ivl_max, 1000);
  }
  const bool is_tcp = publisher.address.rfind("tcp://", 0) == 0;
  const std::string address = is_tcp ? publisher.address : "ipc://" + hub_.roster().path_of(publisher.address);
  if (zmq_connect(socket.handle(), address.c_str()) != 0) {
    warn_once("the publisher at " + publisher.address + " cannot be reached: " + zmq_strerror(zmq_errno()));
  } else {
    poller_locked().add(socket.get(zmq::sockopt::fd), number_, link.part);
    link.socket = std::move(socket);
    hub_.request_ticks();
  }
  links_.push_back(std::move(link));
}

void SubscriptionBody::disconnect_locked(Link & link) {
  if (link.socket) {
    poller_locked().remove(link.socket->get(zmq::sockopt::fd));
    link.socket.reset();
  }
}

bool SubscriptionBody::tick() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto now = steady_clock::now();
  bool wants_more = false;
  for (Link & link : links_) {
    if (link.socket && link.gone) {
      receive_locked(link);
      if (now - *link.gone > kGrace) {
        disconnect_locked(link);
      }
    } else if (link.socket && !link.is_welcome && !link.has_warned && now - link.since > kUnreachable) {
      link.has_warned = true;
      tandem::transport::warn(kName, entry_.endpoint.topic,
                              "the publisher of node '" + link.publisher.endpoint.node.name + "' does not answer at " +
                                  link.publisher.address + "; is TANDEM_ZEROMQ_ADDRESS one that others reach?");
    }
    wants_more = wants_more || (link.socket && (link.gone || (!link.is_welcome && !link.has_warned)));
  }
  std::erase_if(links_, [](const Link & link) { return link.gone && !link.socket; });
  return wants_more;
}

// --- receiving -------------------------------------------------------------------------------------------------------

void SubscriptionBody::serve(std::uint32_t part) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto link = std::find_if(links_.begin(), links_.end(), [part](const Link & one) { return one.part == part; });
  if (link != links_.end()) {
    receive_locked(*link);
  }
}

void SubscriptionBody::receive_locked(Link & link) {
  const std::size_t before = queue_.size();
  while (link.socket) {
    zmq::message_t frame;
    if (zmq_msg_recv(frame.handle(), link.socket->handle(), ZMQ_DONTWAIT) < 0) {
      break;
    }
    hear_locked(link, std::move(frame));
  }
  if (queue_.size() != before) {
    queued_.store(queue_.size(), std::memory_order_seq_cst);  // Z2
    if (poller_) {
      poller_->ring_waiter();
    }
  }
}

void SubscriptionBody::hear_locked(Link & link, zmq::message_t frame) {
  const auto header = header_of(frame);
  if (!header || header->publisher != link.publisher.endpoint.gid || frame.more()) {
    warn_once("a frame of " + std::to_string(frame.size()) + " bytes from " + link.publisher.address +
              " is none of its publisher's and is dropped");
    return;
  }
  switch (header->kind) {
    case Kind::kWelcome:
      link.is_welcome = true;
      link.next = link.told = header->sequence;
      link.window = header->window;
      break;
    case Kind::kMessage: push_locked(link, {std::move(frame), *header}); break;
    case Kind::kQuestion: tell_locked(link, Kind::kAnswer, header->sequence); break;
    case Kind::kFarewell:
      if (header->sequence > link.next) {
        lost_.fetch_add(header->sequence - link.next, std::memory_order_relaxed);
      }
      disconnect_locked(link);
      break;
    default: break;  // a publisher does not say these
  }
}

void SubscriptionBody::push_locked(Link & link, Arrived arrived) {
  if (!link.is_welcome || arrived.header.sequence < link.next) {
    return;
  }
  const Qos & qos = entry_.endpoint.qos;
  lost_.fetch_add(arrived.header.sequence - link.next, std::memory_order_relaxed);
  link.next = arrived.header.sequence + 1;
  ++link.queued;
  queue_.push_back(std::move(arrived));
  if (qos.history == History::kKeepLast && queue_.size() > qos.depth) {
    drop_locked(queue_.begin());
  } else if (qos.history == History::kKeepAll && link.window == 0 && link.queued > kKeepAllLimit) {
    drop_locked(std::find_if(queue_.begin(), queue_.end(),
                             [&](const Arrived & one) { return one.header.publisher == link.publisher.endpoint.gid; }));
  }
}

void SubscriptionBody::drop_locked(std::deque<Arrived>::iterator item) {
  if (Link * link = find_locked(item->header.publisher)) {
    --link->queued;
  }
  queue_.erase(item);
  lost_.fetch_add(1, std::memory_order_relaxed);
}

void SubscriptionBody::tell_locked(Link & link, Kind kind, std::uint64_t sequence) {
  Header header;
  header.kind = kind;
  header.sequence = sequence;
  header.publisher = link.publisher.endpoint.gid;
  // There is room: it is rare. If the publisher reads nothing for minutes, it has no use for it.
  zmq_send(link.socket->handle(), &header, sizeof header, ZMQ_DONTWAIT);
}

std::optional<SubscriptionBody::Arrived> SubscriptionBody::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (queue_.empty() && !poller_) {  // nobody waits: this thread asks again and again, and need not wait for the hub
    for (Link & link : links_) {
      receive_locked(link);
    }
  }
  if (queue_.empty()) {
    return std::nullopt;
  }
  Arrived arrived = std::move(queue_.front());
  queue_.pop_front();
  queued_.store(queue_.size(), std::memory_order_seq_cst);
  if (Link * link = find_locked(arrived.header.publisher)) {
    --link->queued;
    const std::uint64_t taken = arrived.header.sequence + 1;
    if (link->socket && link->window > 0 && taken - link->told >= std::max<std::uint64_t>(link->window / 4, 1)) {
      link->told = taken;
      tell_locked(*link, Kind::kTaken, taken);
      receive_locked(*link);  // Z1
    }
  }
  return arrived;
}

}  // namespace rmw_zeromq
