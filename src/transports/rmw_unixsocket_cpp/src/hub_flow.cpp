// The hub's part on the way of a message: publish, send, receive, take.
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>

#include "hub.hpp"

namespace unixsocket {

using std::chrono::steady_clock;
using tandem::transport::Durability;
using tandem::transport::History;
using tandem::transport::Qos;

namespace {

/// Messages read from one connection before others get their turn.
constexpr int kTurn = 64;

constexpr std::chrono::nanoseconds kLong = std::chrono::hours(24);

template <class T>
void erase(std::vector<std::shared_ptr<T>> & list, const std::shared_ptr<T> & item) {
  list.erase(std::remove(list.begin(), list.end(), item), list.end());
}

}  // namespace

// --- publishing ------------------------------------------------------------------------------------------------------

bool Hub::wait_for_room(std::unique_lock<std::mutex> & lock, PublisherState & publisher) {
  const auto has_room = [&publisher] {
    return std::none_of(publisher.links.begin(), publisher.links.end(),
                        [](const auto & link) { return link->is_full(); });
  };
  const auto limit = std::clamp<std::chrono::nanoseconds>(publisher.entry.endpoint.qos.max_blocking_time,
                                                          std::chrono::nanoseconds(0), kLong);
  return room_.wait_until(lock, steady_clock::now() + limit, has_room);
}

PublishResult Hub::publish(PublisherState & publisher, std::shared_ptr<const Payload> payload) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!wait_for_room(lock, publisher)) {
    return PublishResult::kTimeout;
  }
  const Message message{publisher.next++, tandem::transport::now(), std::move(payload)};
  const Qos & qos = publisher.entry.endpoint.qos;
  if (qos.durability == Durability::kTransientLocal) {
    publisher.history.push_back(message);
    if (publisher.history.size() > (qos.history == History::kKeepAll ? kKeepAllLimit : qos.depth)) {
      publisher.history.pop_front();
    }
  }
  const auto links = publisher.links;  // a broken one leaves the list
  for (const auto & link : links) {
    link->push(message);
    flush_locked(link);
  }
  return PublishResult::kOk;
}

bool Hub::wait_until_acked(PublisherState & publisher, std::chrono::nanoseconds timeout) {
  std::unique_lock<std::mutex> lock(mutex_);
  const std::uint64_t sequence = publisher.next;
  const auto links = publisher.links;  // a broken one leaves the list
  for (const auto & link : links) {
    if (link->setup().is_reliable) {
      link->ask(sequence);
      flush_locked(link);
    }
  }
  const auto is_acked = [&] {
    return std::none_of(links.begin(), links.end(), [&](const std::shared_ptr<Outgoing> & link) {
      return link->setup().is_reliable && !link->is_acked(sequence) && outgoing_.count(link->fd()) > 0;
    });
  };
  if (timeout < std::chrono::nanoseconds(0)) {
    room_.wait(lock, is_acked);
    return true;
  }
  return room_.wait_until(lock, steady_clock::now() + std::min<std::chrono::nanoseconds>(timeout, kLong), is_acked);
}

void Hub::flush_locked(const std::shared_ptr<Outgoing> & link) {
  if (!link->flush() || (link->orphaned && link->is_idle())) {
    drop_locked(link);
    return;
  }
  if (link->wants_out != !link->is_idle()) {
    link->wants_out = !link->is_idle();
    control_locked(EPOLL_CTL_MOD, link->fd(), link->wants_out ? EPOLLIN | EPOLLOUT : EPOLLIN);
  }
  room_.notify_all();
}

void Hub::drop_locked(const std::shared_ptr<Outgoing> & link) {
  for (const auto & publisher : publishers_) {
    erase(publisher->links, link);
  }
  control_locked(EPOLL_CTL_DEL, link->fd(), 0);
  outgoing_.erase(link->fd());
  room_.notify_all();
}

// --- receiving -------------------------------------------------------------------------------------------------------

void Hub::accept_locked() {
  for (int fd = 0; (fd = accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
    incoming_.emplace(fd, std::make_shared<Incoming>(Descriptor(fd)));
    control_locked(EPOLL_CTL_ADD, fd, EPOLLIN);
  }
}

SubscriptionState * Hub::subscription_of(const Gid & gid) {
  const auto found = subscriptions_.find(gid);
  return found == subscriptions_.end() ? nullptr : found->second.get();
}

void Hub::receive_locked(const std::shared_ptr<Incoming> & link) {
  for (int turn = 0; turn < kTurn && !link->paused; ++turn) {
    Message message;
    const Incoming::Status status = link->read(message);
    if (status == Incoming::Status::kNothing) {
      return;
    }
    SubscriptionState * subscription = subscription_of(link->subscription());
    if (status == Incoming::Status::kBroken || subscription == nullptr) {
      drop_locked(link);
      return;
    }
    if (status == Incoming::Status::kQuestion) {
      link->answer(message.sequence);
    } else if (status == Incoming::Status::kGreeting) {
      link->expect(*subscription->type);
      subscription->links.push_back(link);
    } else {
      deliver_locked(*subscription, *link, std::move(message));
    }
  }
}

void Hub::deliver_locked(SubscriptionState & subscription, Incoming & link, Message message) {
  const Qos & qos = subscription.entry.endpoint.qos;
  if (message.sequence < link.next) {
    return;
  }
  subscription.lost += message.sequence - link.next;
  link.next = message.sequence + 1;
  subscription.queue.push_back({std::move(message), link.publisher()});
  if (qos.history == History::kKeepLast && subscription.queue.size() > qos.depth) {
    subscription.queue.pop_front();
    ++subscription.lost;
  } else if (qos.history == History::kKeepAll && subscription.queue.size() >= kKeepAllLimit) {
    pause_locked(subscription, true);  // the publisher's queue fills up, then publish() waits
  }
  subscription.arrived();
}

/// A paused connection is out of the epoll set: its hang-up would keep the thread busy.
void Hub::pause_locked(SubscriptionState & subscription, bool paused) {
  for (const auto & link : subscription.links) {
    if (link->paused != paused) {
      link->paused = paused;
      control_locked(paused ? EPOLL_CTL_DEL : EPOLL_CTL_ADD, link->fd(), EPOLLIN);
    }
  }
}

void Hub::drop_locked(const std::shared_ptr<Incoming> & link) {
  if (SubscriptionState * subscription = subscription_of(link->subscription())) {
    erase(subscription->links, link);
  }
  control_locked(EPOLL_CTL_DEL, link->fd(), 0);
  incoming_.erase(link->fd());
}

std::optional<SubscriptionState::Arrived> Hub::take(SubscriptionState & subscription) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (subscription.queue.empty()) {
    return std::nullopt;
  }
  SubscriptionState::Arrived arrived = std::move(subscription.queue.front());
  subscription.queue.pop_front();
  if (subscription.queue.size() <= kKeepAllLimit / 2) {
    pause_locked(subscription, false);
  }
  return arrived;
}

}  // namespace unixsocket
