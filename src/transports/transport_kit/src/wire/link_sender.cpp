#include "tandem/kit/link_sender.hpp"

#include <algorithm>
#include <new>

namespace tandem::transport {

/// A queue holds what either end may want, unless that is everything.
std::size_t LinkSender::bound_of(const EndpointInfo & subscription) const {
  if (must_wait(publisher_, subscription)) {
    return 0;
  }
  const auto depth_of = [this](const Qos & qos) {
    return qos.history == History::kKeepAll ? window_ : std::size_t{qos.depth};
  };
  return std::max(depth_of(publisher_.qos), depth_of(subscription.qos));
}

bool LinkSender::admit(const RosterEntry & subscription) {
  auto link = accept(subscription.endpoint.gid);
  if (!link) {
    return false;
  }
  links_[subscription.endpoint.gid] = {std::move(link), bound_of(subscription.endpoint), false, {}};
  return true;
}

void LinkSender::push(Queue & queue, const Header & header, std::shared_ptr<Chunk> chunk, std::size_t bound) {
  if (!queue.link) {
    return;
  }
  queue.waiting.push_back({header, std::move(chunk)});
  flush(queue);
  if (bound > 0 && queue.waiting.size() > bound + (queue.is_partly_sent ? 1 : 0)) {
    queue.waiting.erase(queue.waiting.begin() + (queue.is_partly_sent ? 1 : 0));
  }
}

PublishResult LinkSender::send(const Header & header, std::shared_ptr<Chunk> chunk, const Gid * only) {
  prepare(header, *chunk);
  for (auto & [gid, queue] : links_) {
    if (only != nullptr && gid != *only) {
      continue;
    }
    try {
      push(queue, header, chunk, queue.bound);
    } catch (const std::bad_alloc &) {  // it misses this one, and counts it
    }
  }
  return PublishResult::kOk;
}

void LinkSender::send_to(const Gid & subscription, const Header & header, std::shared_ptr<Chunk> chunk) {
  if (const auto found = links_.find(subscription); found != links_.end()) {
    push(found->second, header, std::move(chunk), 0);
  }
}

void LinkSender::flush(Queue & queue) {
  while (queue.link && !queue.waiting.empty()) {
    const Waiting & first = queue.waiting.front();
    switch (queue.link->send(first.header, first.chunk)) {
      case OutgoingLink::Result::kSent:
        queue.is_partly_sent = false;
        queue.waiting.pop_front();
        break;
      case OutgoingLink::Result::kPartly: queue.is_partly_sent = true; return;
      case OutgoingLink::Result::kLater: return;
      case OutgoingLink::Result::kBroken:
        queue.link.reset();
        queue.waiting.clear();
        break;
    }
  }
}

void LinkSender::flush() {
  for (auto & [gid, queue] : links_) {
    flush(queue);
  }
}

bool LinkSender::is_idle() const {
  return std::all_of(links_.begin(), links_.end(), [](const auto & item) { return item.second.waiting.empty(); });
}

}  // namespace tandem::transport
