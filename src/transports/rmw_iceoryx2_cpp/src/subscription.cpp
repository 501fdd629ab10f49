#include "subscription.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "tandem/cdr.hpp"
#include "tandem/transport_support/own_message.hpp"

namespace rmw_iceoryx2 {

using tandem::transport::Durability;
using tandem::transport::History;
using tandem::transport::OwnMessage;

namespace {

constexpr std::uint32_t kMaxHeld = 8;  // as publishers' services allow

}  // namespace

/// The connection to one publisher.
struct Iox2Reception::Link {
  ~Link() { iox2_subscriber_free(port); }

  /// What is owed first, once the publisher has said it.
  void look_at_row() {
    if (!is_acknowledged && row != nullptr && row->state.load(std::memory_order_acquire) == RowState::kAcknowledged) {
      is_acknowledged = true;
      next = std::max(next, row->first.load(std::memory_order_relaxed));
    }
  }

  Gid publisher{};
  Iox2Subscriber * port = nullptr;
  std::shared_ptr<Board> board;  ///< the publisher's
  Row * row = nullptr;           ///< ours; null once the publisher has gone: then what it owes is still read
  bool is_waited_for = false;    ///< the publisher waits for this reader
  bool is_acknowledged = false;
  std::uint64_t next = 0;  ///< sequence of the next message if none is lost
};

/// Memory of iceoryx2 that a user holds.
class Iox2Reception::HeldSample {
 public:
  HeldSample(const Iox2Chunk & chunk, std::shared_ptr<std::atomic<std::uint32_t>> held)
      : chunk_(chunk), held_(std::move(held)) {}
  ~HeldSample() {
    iox2_sample_drop(&chunk_);
    held_->fetch_sub(1, std::memory_order_relaxed);
  }
  HeldSample(const HeldSample &) = delete;
  HeldSample & operator=(const HeldSample &) = delete;

 private:
  Iox2Chunk chunk_;
  const std::shared_ptr<std::atomic<std::uint32_t>> held_;
};

Iox2Reception::Iox2Reception(std::shared_ptr<Hub> hub, const tandem::MessageType & type, RosterEntry entry,
                             std::uint32_t held_quota)
    : Endpoint(std::move(entry)), hub_(std::move(hub)), type_(type), held_quota_(std::min(held_quota, kMaxHeld)) {
  hub_->add(*this);
}

Iox2Reception::~Iox2Reception() { hub_->remove(*this); }

// --- connecting ------------------------------------------------------------------------------------------------------

std::unique_ptr<Iox2Reception::Link> Iox2Reception::join(const RosterEntry & publisher) {
  const auto & qos = entry().endpoint.qos;
  std::size_t buffer = qos.history == History::kKeepAll ? std::numeric_limits<std::size_t>::max() : qos.depth;
  std::size_t history = qos.durability == Durability::kTransientLocal ? buffer : 0;
  auto link = std::make_unique<Link>();
  link->publisher = publisher.endpoint.gid;
  link->board = hub_->board_of(publisher.endpoint.gid);
  if (!link->board) {
    return nullptr;  // just gone
  }
  char reason[256] = "";
  link->port =
      iox2_subscriber_new(hub_->node(), service_of(publisher.endpoint.gid).c_str(),
                          std::max<std::size_t>(type_.alignment, 64), &buffer, &history, reason, sizeof reason);
  if (link->port == nullptr) {
    if (std::strcmp(reason, "DoesNotExist") != 0) {
      warn_once(std::string("no connection to a publisher: ") + reason + "; it is tried again every second");
    }
    return nullptr;
  }
  link->row = hub_->take_row();
  if (link->row == nullptr) {
    warn_once("no connection to a publisher: this process has " + std::to_string(kRows) + " connections already");
    return nullptr;
  }
  link->is_waited_for = tandem::transport::must_wait(publisher.endpoint.qos, qos);
  link->row->publisher = link->publisher;
  link->row->subscription = gid();
  link->row->history.store(static_cast<std::uint32_t>(history), std::memory_order_relaxed);
  link->row->bell.store(bell_, std::memory_order_relaxed);
  link->row->cursor.store(0, std::memory_order_relaxed);
  link->row->state.store(RowState::kConnected, std::memory_order_release);  // pairs with Iox2Publication::welcome()
  (*link->board)->attention.ring();
  return link;
}

void Iox2Reception::leave(Link & link) {
  link.look_at_row();
  hub_->free_row(link.row);
  link.row = nullptr;
  (*link.board)->attention.ring();
  (*link.board)->room.ring();
}

void Iox2Reception::connect(const std::vector<RosterEntry> & matches) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto & link : links_) {
    const auto is_it = [&](const RosterEntry & match) { return match.endpoint.gid == link->publisher; };
    if (link->row != nullptr && std::none_of(matches.begin(), matches.end(), is_it)) {
      leave(*link);
    }
  }
  for (const RosterEntry & match : matches) {
    const auto is_it = [&](const auto & link) { return link->publisher == match.endpoint.gid; };
    if (std::none_of(links_.begin(), links_.end(), is_it)) {
      if (auto link = join(match)) {
        links_.push_back(std::move(link));
      }
    }
  }
  std::erase_if(links_, [](const auto & link) { return link->row == nullptr && !iox2_has_samples(link->port); });
  count_.store(static_cast<std::size_t>(
                   std::count_if(links_.begin(), links_.end(), [](const auto & link) { return link->row != nullptr; })),
               std::memory_order_release);
}

void Iox2Reception::set_bell(std::uint32_t bell) {
  const std::lock_guard<std::mutex> lock(mutex_);
  bell_.store(bell, std::memory_order_relaxed);
  for (const auto & link : links_) {
    if (link->row != nullptr) {
      link->row->bell.store(bell, std::memory_order_relaxed);
    }
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with the fence in Iox2Publication::deliver()
}

void Iox2Reception::warn_once(const std::string & text) {
  if (warned_.insert(text).second) {
    tandem::transport::warn(kName, entry().endpoint.topic, text);
  }
}

// --- taking ----------------------------------------------------------------------------------------------------------

bool Iox2Reception::has_data() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::any_of(links_.begin(), links_.end(), [](const auto & link) { return iox2_has_samples(link->port); });
}

void Iox2Reception::account(Link & link, std::uint64_t sequence) {
  link.look_at_row();
  if (link.is_acknowledged && sequence > link.next) {
    lost_.fetch_add(sequence - link.next, std::memory_order_relaxed);
  }
  link.next = std::max(link.next, sequence + 1);
  if (link.row != nullptr) {
    link.row->cursor.store(sequence + 1, std::memory_order_release);  // pairs with Iox2Publication::has_room()
    if (link.is_waited_for) {
      (*link.board)->room.ring();
    }
  }
}

bool Iox2Reception::take_chunk(Iox2Chunk & chunk, MessageInfo & info) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link & link = *links_[(turn_ + i) % links_.size()];
    if (iox2_take(link.port, &chunk)) {
      turn_ = (turn_ + i + 1) % links_.size();
      info.sequence = chunk.header->sequence;
      info.source_timestamp = chunk.header->timestamp;
      info.publisher = link.publisher;
      info.from_intra_process = tandem::transport::same_participant(link.publisher, gid());
      account(link, info.sequence);
      return true;
    }
  }
  return false;
}

/// Copies or deserializes. \return false, with a warning, when these are no bytes of a message.
bool Iox2Reception::read(const Iox2Chunk & chunk, void * message) {
  copied_.fetch_add(1, std::memory_order_relaxed);
  if (type_.is_fixed_size && chunk.size == type_.size) {
    std::memcpy(message, chunk.payload, chunk.size);
    return true;
  }
  const auto done = type_.is_fixed_size ? tl::unexpected("its size is " + std::to_string(chunk.size))
                                        : tandem::deserialize(type_, chunk.payload, chunk.size, message);
  if (!done) {
    const std::lock_guard<std::mutex> lock(mutex_);
    warn_once("a message is left out, since it is no " + std::string(type_.name) + ": " + done.error());
  }
  return done.has_value();
}

Sample Iox2Reception::take() {
  Sample sample;
  Iox2Chunk chunk;
  while (take_chunk(chunk, sample.info)) {
    if (type_.is_fixed_size && chunk.size == type_.size && held_->load(std::memory_order_relaxed) < held_quota_) {
      held_->fetch_add(1, std::memory_order_relaxed);
      sample.keeper = std::make_shared<HeldSample>(chunk, held_);
      sample.message = chunk.payload;
      sample.size = chunk.size;
      return sample;
    }
    const auto message = std::make_shared<OwnMessage>(type_);
    const bool is_read = read(chunk, message->get());
    iox2_sample_drop(&chunk);
    if (is_read) {
      sample.keeper = message;
      sample.message = message->get();
      sample.size = type_.size;
      return sample;
    }
  }
  return sample;
}

bool Iox2Reception::take_into(void * message, MessageInfo & info) {
  Iox2Chunk chunk;
  while (take_chunk(chunk, info)) {
    const bool is_read = read(chunk, message);
    iox2_sample_drop(&chunk);
    if (is_read) {
      return true;
    }
  }
  return false;
}

}  // namespace rmw_iceoryx2
