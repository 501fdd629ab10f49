#include "subscription.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "tandem/cdr.hpp"
#include "tandem/transport_support/own_message.hpp"

namespace rmw_zenoh {

using tandem::transport::Durability;
using tandem::transport::History;
using tandem::transport::OwnMessage;

namespace {

/// A join that is not answered is sent again after this, and each time after twice as long.
constexpr auto kFirstPatience = std::chrono::milliseconds(10);
constexpr auto kLongestPatience = std::chrono::seconds(1);
/// What a publisher that has gone has sent may come for so long.
constexpr auto kAftermath = std::chrono::seconds(1);

/// What a key's callback knows.
struct Ear {
  std::shared_ptr<Inbox> inbox;
  std::shared_ptr<Link> link;
  std::shared_ptr<Mail> mail;
  Gid subscription;
};

void hear(void * context, const ZnMessage * message) {
  const auto & ear = *static_cast<const Ear *>(context);
  ear.inbox->hear(ear.link, *message, *ear.mail, ear.subscription);
}

void forget(void * context) { delete static_cast<Ear *>(context); }

}  // namespace

/// A message in the publisher's shared memory that a user holds.
class ZenohReception::HeldMessage {
 public:
  HeldMessage(Received message, std::shared_ptr<std::atomic<std::uint32_t>> held)
      : message_(std::move(message)), held_(std::move(held)) {
    held_->fetch_add(1, std::memory_order_relaxed);
  }
  ~HeldMessage() { held_->fetch_sub(1, std::memory_order_relaxed); }
  HeldMessage(const HeldMessage &) = delete;
  HeldMessage & operator=(const HeldMessage &) = delete;

 private:
  const Received message_;
  const std::shared_ptr<std::atomic<std::uint32_t>> held_;
};

ZenohReception::ZenohReception(std::shared_ptr<Hub> hub, const tandem::MessageType & type, RosterEntry entry,
                               std::uint32_t held_quota)
    : Endpoint(std::move(entry)),
      hub_(std::move(hub)),
      type_(type),
      held_quota_(held_quota),
      inbox_(std::make_shared<Inbox>(type, Endpoint::entry().endpoint.qos, [this] { ring(); })) {
  hub_->add(*this);
}

ZenohReception::~ZenohReception() {
  hub_->remove(*this);
  inbox_->close();
  for (const Connection & connection : connections_) {
    zn_subscriber_free(connection.subscriber);
  }
}

// --- connecting ------------------------------------------------------------------------------------------------------

void ZenohReception::open(const RosterEntry & publisher) {
  const auto & info = publisher.endpoint;
  const std::string key = hub_->key_of(info.topic, info.gid);
  auto link = std::make_shared<Link>();
  link->publisher = info.gid;
  link->control_key = control_key_of(key);
  link->is_owed = tandem::transport::must_wait(info.qos, entry().endpoint.qos);
  link->patience = kFirstPatience;
  char reason[256] = "";
  ZnSubscriber * subscriber = zn_subscriber_new(
      hub_->session(), key.c_str(), {hear, forget, new Ear{inbox_, link, hub_->mail(), gid()}}, reason, sizeof reason);
  if (subscriber != nullptr) {
    connections_.push_back({std::move(link), subscriber});
  } else if (!has_warned_.exchange(true)) {
    tandem::transport::warn(kName, info.topic, std::string("no connection to a publisher: ") + reason);
  }
}

/// \return when to attend to it again; the past when it can be forgotten.
Clock::time_point ZenohReception::attend(Connection & connection, bool is_matched) {
  const auto now = Clock::now();
  Link & link = *connection.link;
  Note join;
  {
    const std::lock_guard<std::mutex> lock(inbox_->mutex);
    if (!is_matched) {
      link.when = link.is_gone ? link.when : now + kAftermath;
      link.is_gone = true;
      return link.when;
    }
    link.is_gone = false;
    if (link.is_joined) {
      return Clock::time_point::max();
    }
    if (now < link.when) {
      return link.when;
    }
    link.when = now + link.patience;
    link.patience = std::min<Clock::duration>(2 * link.patience, kLongestPatience);
  }
  const auto & qos = entry().endpoint.qos;
  join.kind = Kind::kJoin;
  join.subscription = gid();
  if (qos.durability == Durability::kTransientLocal) {
    join.sequence = qos.history == History::kKeepAll ? std::numeric_limits<std::uint64_t>::max() : qos.depth;
  }
  hub_->send(link.control_key, join);
  return link.when;
}

Clock::time_point ZenohReception::connect(const std::vector<RosterEntry> & matches) {
  for (const RosterEntry & match : matches) {
    const auto is_it = [&](const Connection & connection) { return connection.link->publisher == match.endpoint.gid; };
    if (std::none_of(connections_.begin(), connections_.end(), is_it)) {
      open(match);
    }
  }
  auto next = Clock::time_point::max();
  std::erase_if(connections_, [&](Connection & connection) {
    const bool is_matched = std::any_of(matches.begin(), matches.end(), [&](const RosterEntry & match) {
      return match.endpoint.gid == connection.link->publisher;
    });
    const auto when = attend(connection, is_matched);
    if (!is_matched && when <= Clock::now()) {
      zn_subscriber_free(connection.subscriber);
      return true;
    }
    next = std::min(next, when);
    return false;
  });
  const std::lock_guard<std::mutex> lock(inbox_->mutex);
  count_locked();
  return next;
}

void ZenohReception::count_locked() {
  const auto is_there = [](const Connection & item) { return item.link->is_joined && !item.link->is_gone; };
  count_.store(static_cast<std::size_t>(std::count_if(connections_.begin(), connections_.end(), is_there)),
               std::memory_order_release);
}

/// Answers a welcome or a marker.
void ZenohReception::handle(const Mail::Item & item) {
  for (const Connection & connection : connections_) {
    if (connection.link->publisher == item.publisher) {
      Note answer = item.note;
      answer.kind = item.note.kind == Kind::kWelcome ? Kind::kConfirm : Kind::kReceived;
      answer.subscription = gid();
      hub_->send(connection.link->control_key, answer);
    }
  }
  const std::lock_guard<std::mutex> lock(inbox_->mutex);
  count_locked();
}

// --- taking ----------------------------------------------------------------------------------------------------------

std::optional<Inbox::Item> ZenohReception::next(MessageInfo & info) {
  std::optional<Note> told;
  auto item = inbox_->take(told);
  if (told) {
    told->subscription = gid();
    hub_->send(item->link->control_key, *told);
  }
  if (item) {
    info.sequence = item->note.sequence;
    info.source_timestamp = item->note.timestamp;
    info.publisher = item->link->publisher;
    info.from_intra_process = tandem::transport::same_participant(item->link->publisher, gid());
  }
  return item;
}

bool ZenohReception::can_hold(const ZnMessage & message) const {
  return message.is_shared && type_.is_fixed_size && message.size == type_.size &&
         reinterpret_cast<std::uintptr_t>(message.payload) % type_.alignment == 0 &&
         held_->load(std::memory_order_relaxed) < held_quota_;
}

/// Copies or deserializes. \return false, with a warning, when these are no bytes of a message.
bool ZenohReception::read(const ZnMessage & message, void * object) {
  copied_.fetch_add(1, std::memory_order_relaxed);
  std::string reason;
  if (!type_.is_fixed_size) {
    const auto done = tandem::deserialize(type_, message.payload, message.size, object);
    reason = done ? "" : done.error();
  } else if (message.size == type_.size) {
    std::memcpy(object, message.payload, message.size);
  } else {
    reason = "its size is " + std::to_string(message.size);
  }
  if (!reason.empty() && !has_warned_.exchange(true)) {
    tandem::transport::warn(kName, entry().endpoint.topic,
                            "messages are left out, since one is no " + std::string(type_.name) + ": " + reason);
  }
  return reason.empty();
}

Sample ZenohReception::take() {
  Sample sample;
  while (auto item = next(sample.info)) {
    const ZnMessage message = *item->message;
    if (can_hold(message)) {
      sample.keeper = std::make_shared<HeldMessage>(std::move(item->message), held_);
      sample.message = message.payload;
      sample.size = message.size;
      return sample;
    }
    const auto object = std::make_shared<OwnMessage>(type_);
    if (read(message, object->get())) {
      sample.keeper = object;
      sample.message = object->get();
      sample.size = type_.size;
      return sample;
    }
  }
  return sample;
}

bool ZenohReception::take_into(void * message, MessageInfo & info) {
  while (const auto item = next(info)) {
    if (read(*item->message, message)) {
      return true;
    }
  }
  return false;
}

}  // namespace rmw_zenoh
