#include <functional>

#include "subscription.hpp"

namespace rmw_zenoh {

using tandem::transport::History;
using tandem::transport::Reliability;

Inbox::Inbox(const tandem::MessageType & type, const tandem::transport::Qos & qos, std::function<void()> ring)
    : qos_(qos), capacity_(capacity_of(type)), ring_(std::move(ring)) {}

void Inbox::close() {
  const std::lock_guard<std::mutex> lock(mutex);
  ring_ = nullptr;
  items_.clear();
  size_ = 0;
}

/// Whether it is the next message, or one after it: then what is between is lost.
bool Inbox::accept_locked(Link & link, const Note & note) {
  if (!link.is_joined || note.sequence < link.next) {
    return false;
  }
  lost_.fetch_add(note.sequence - link.next, std::memory_order_relaxed);
  link.next = note.sequence + 1;
  return true;
}

void Inbox::hear(const std::shared_ptr<Link> & link, const ZnMessage & message, Mail & mail, const Gid & subscription) {
  Received received(message);
  const auto note = note_of(message);
  if (!note || (note->kind != Kind::kData && note->kind != Kind::kMarker && note->subscription != subscription)) {
    return;
  }
  std::optional<Item> dropped;  // freed without the lock
  const std::lock_guard<std::mutex> lock(mutex);
  if (!ring_) {
    return;
  }
  if (note->kind == Kind::kWelcome) {
    if (!link->is_joined) {
      link->is_joined = true;
      link->next = note->sequence;
      link->told = note->sequence;
    }
    mail.post({subscription, link->publisher, *note});
  } else if (note->kind == Kind::kMarker) {
    if (qos_.reliability == Reliability::kReliable && link->is_joined) {
      mail.post({subscription, link->publisher, *note});
    }
  } else if (accept_locked(*link, *note)) {
    const std::size_t limit = qos_.history == History::kKeepLast ? qos_.depth : capacity_;
    const bool is_bounded = qos_.history == History::kKeepLast || !link->is_owed;
    items_.push_back({link, *note, std::move(received)});
    if (is_bounded && items_.size() > limit) {
      dropped.emplace(std::move(items_.front()));
      items_.pop_front();
      lost_.fetch_add(1, std::memory_order_relaxed);
    }
    size_.store(items_.size(), std::memory_order_release);
    ring_();
  }
}

std::optional<Inbox::Item> Inbox::take(std::optional<Note> & told) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (items_.empty()) {
    return std::nullopt;
  }
  std::optional<Item> item(std::move(items_.front()));
  items_.pop_front();
  size_.store(items_.size(), std::memory_order_release);
  Link & link = *item->link;
  if (link.is_owed && item->note.sequence + 1 - link.told >= capacity_ / 4) {
    link.told = item->note.sequence + 1;
    told.emplace();
    told->kind = Kind::kTaken;
    told->sequence = link.told;
  }
  return item;
}

}  // namespace rmw_zenoh
