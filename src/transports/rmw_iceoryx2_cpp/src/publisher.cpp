#include "publisher.hpp"

#include <algorithm>
#include <cstring>

#include "tandem/cdr.hpp"
#include "tandem/transport_support/tuning.hpp"

namespace rmw_iceoryx2 {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using tandem::transport::Durability;
using tandem::transport::Error;
using tandem::transport::History;
using tandem::transport::Tuning;

namespace {

/// Loans that are out at most beside those of borrow(): one for each thread that publishes.
constexpr std::size_t kThreads = 64;
constexpr std::size_t kMaxSubscribers = 64;
/// Samples that a subscription holds at most. More are copied.
constexpr std::size_t kMaxHeld = 8;
/// Memory that a keep-all queue may fill, and what the memory of one publisher starts from.
constexpr std::size_t kQueueBytes = std::size_t{64} << 20;
constexpr std::size_t kChunkBytes = std::size_t{4} << 20;
/// What a serialized message is taken for before there is one.
constexpr std::size_t kTypicalSize = std::size_t{256} << 10;

}  // namespace

Capacity capacity_of(const tandem::MessageType & type, const tandem::transport::Qos & qos) {
  const std::size_t size = (type.is_fixed_size ? type.size : kTypicalSize) + 128;
  Capacity capacity{};
  capacity.keep_all = std::clamp<std::size_t>(kQueueBytes / size, 16, 1000);
  if (qos.durability == Durability::kTransientLocal) {
    capacity.history = qos.history == History::kKeepAll ? capacity.keep_all : qos.depth;
  }
  // Room for four readers that take nothing, and for many that do.
  capacity.chunks = 5 * capacity.keep_all + 2 * capacity.history + 256;
  if (type.is_fixed_size) {
    capacity.chunks = std::max(capacity.chunks, kChunkBytes / size);
  }
  return capacity;
}

/// iceoryx2's publisher, which lives until the last loan is gone.
class Iox2Publication::Port {
 public:
  Port(const Hub & hub, const tandem::MessageType & type, const RosterEntry & entry, const Capacity & capacity) {
    const bool is_tuned = tandem::transport::tuning() == Tuning::kTuned;
    const std::string name = service_of(entry.endpoint.gid);
    Iox2Service service{};
    service.name = name.c_str();
    service.alignment = std::max<std::size_t>(type.alignment, 64);
    service.initial_size = type.is_fixed_size ? type.size : 4096;
    service.grows = !type.is_fixed_size;
    service.history = capacity.history;
    service.max_buffer = capacity.keep_all + capacity.history;
    service.max_borrowed = kMaxHeld + 2;
    service.max_loaned = kMaxLoans + kThreads;
    service.max_chunks = capacity.chunks;
    service.max_subscribers = is_tuned ? kMaxSubscribers : 0;
    char reason[256] = "";
    raw_ = iox2_publisher_new(hub.node(), &service, reason, sizeof reason);
    if (raw_ == nullptr) {
      throw Error(std::string(kName) + ": no publisher can be made for topic '" + entry.endpoint.topic +
                  "': " + reason + ". Is there room in /dev/shm, and are few enough files open (ulimit -n)?");
    }
  }
  ~Port() { iox2_publisher_free(raw_); }
  Port(const Port &) = delete;
  Port & operator=(const Port &) = delete;

  Iox2Publisher * get() const { return raw_; }

  /// Memory that has held a message before still does.
  bool is_new(const std::uint8_t * payload) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return known_.insert(payload).second;
  }

  std::atomic<std::size_t> loans{0};

 private:
  Iox2Publisher * raw_ = nullptr;
  std::mutex mutex_;
  std::unordered_set<const std::uint8_t *> known_;
};

class Iox2Publication::ChunkLoan final : public Loan {
 public:
  ChunkLoan(std::shared_ptr<Port> from, const Iox2Chunk & from_port) : port(std::move(from)), chunk(from_port) {}
  ~ChunkLoan() override {
    if (!is_sent) {
      iox2_loan_drop(&chunk);
    }
    --port->loans;
  }
  void * message() override { return chunk.payload; }

  const std::shared_ptr<Port> port;
  Iox2Chunk chunk;
  bool is_sent = false;
};

Iox2Publication::Iox2Publication(std::shared_ptr<Hub> hub, const tandem::MessageType & type, RosterEntry entry)
    : CopyingPublisher(type),
      Endpoint(std::move(entry)),
      hub_(std::move(hub)),
      capacity_(capacity_of(type, Endpoint::entry().endpoint.qos)),
      port_(std::make_shared<Port>(*hub_, type, Endpoint::entry(), capacity_)) {
  hub_->add(*this);
}

Iox2Publication::~Iox2Publication() { hub_->remove(*this); }

std::unique_ptr<Loan> Iox2Publication::borrow() {
  if (!type().is_fixed_size) {
    return CopyingPublisher::borrow();
  }
  Iox2Chunk chunk;
  if (++port_->loans > kMaxLoans || !iox2_loan(port_->get(), type().size, &chunk)) {
    --port_->loans;
    failed_loans_.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  if (port_->is_new(chunk.payload)) {
    type().construct(chunk.payload);
  }
  return std::make_unique<ChunkLoan>(port_, chunk);
}

std::uint64_t Iox2Publication::failed_borrows() const {
  return failed_loans_.load(std::memory_order_relaxed) + CopyingPublisher::failed_borrows();
}

PublishResult Iox2Publication::publish(std::unique_ptr<Loan> loan) {
  auto * ours = dynamic_cast<ChunkLoan *>(loan.get());
  if (ours == nullptr) {
    return CopyingPublisher::publish(std::move(loan));
  }
  if (ours->port != port_) {
    return PublishResult::kInvalidLoan;
  }
  ours->is_sent = true;
  return deliver(ours->chunk);
}

PublishResult Iox2Publication::send(const void * message) {
  const std::size_t size = type().is_fixed_size ? type().size : tandem::serialized_size(type(), message);
  Iox2Chunk chunk;
  if (!iox2_loan(port_->get(), size, &chunk)) {
    return PublishResult::kPoolExhausted;
  }
  if (type().is_fixed_size) {
    std::memcpy(chunk.payload, message, size);
  } else if (tandem::serialize(type(), message, chunk.payload, size) == 0) {
    iox2_loan_drop(&chunk);
    return PublishResult::kNoMemory;
  }
  return deliver(chunk);
}

bool Iox2Publication::has_room() const {
  return std::all_of(readers_.begin(), readers_.end(), [this](const Reader & reader) {
    // Pairs with the release in the subscription's take.
    return !reader.is_owed ||
           next_ - std::max(reader.start, reader.row->cursor.load(std::memory_order_acquire)) < capacity_.keep_all;
  });
}

bool Iox2Publication::wait_for_room(std::unique_lock<std::mutex> & lock) {
  if (has_room()) {
    return true;
  }
  SharedBell & room = (*hub_->board())->room;
  const auto end = steady_clock::now() + std::clamp<nanoseconds>(entry().endpoint.qos.max_blocking_time, nanoseconds(0),
                                                                 std::chrono::hours(24));
  for (;;) {
    const std::uint32_t seen = room.count();
    if (has_room()) {
      return true;
    }
    const nanoseconds left = end - steady_clock::now();
    if (left <= nanoseconds(0)) {
      return false;
    }
    lock.unlock();
    room.sleep(seen, left);
    lock.lock();
  }
}

/// Ends the loan.
PublishResult Iox2Publication::deliver(Iox2Chunk & chunk) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!wait_for_room(lock)) {
    iox2_loan_drop(&chunk);
    return PublishResult::kTimeout;
  }
  chunk.header->sequence = next_;
  chunk.header->timestamp = tandem::transport::now();
  if (!iox2_loan_send(&chunk)) {
    return PublishResult::kNoMemory;
  }
  ++next_;
  std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with the fence in Iox2Reception::set_bell()
  for (const Reader & reader : readers_) {
    reader.board->bell_of(*reader.row).ring();
  }
  return PublishResult::kOk;
}

bool Iox2Publication::still_reads(const Reader & reader, const std::vector<RosterEntry> & matches) const {
  return reader.row->state.load(std::memory_order_acquire) == RowState::kAcknowledged &&
         reader.row->publisher == gid() && reader.row->subscription == reader.subscription &&
         std::any_of(matches.begin(), matches.end(),
                     [&](const RosterEntry & match) { return match.endpoint.gid == reader.subscription; });
}

/// Takes a subscription that has connected among the readers.
void Iox2Publication::welcome(const RosterEntry & subscription) {
  const Gid & gid = subscription.endpoint.gid;
  const auto board = hub_->board_of(gid);
  if (!board) {
    return;
  }
  const std::size_t used = std::min<std::size_t>((*board)->rows_used.load(std::memory_order_acquire), kRows);
  for (std::size_t i = 0; i < used; ++i) {
    Row & row = (*board)->rows[i];
    // Pairs with the release in Iox2Reception::join().
    if (row.state.load(std::memory_order_acquire) != RowState::kConnected || row.publisher != this->gid() ||
        row.subscription != gid) {
      continue;
    }
    const std::uint64_t history = std::min<std::uint64_t>(next_, capacity_.history);
    row.first.store(next_ - std::min<std::uint64_t>(history, row.history), std::memory_order_relaxed);
    auto expected = RowState::kConnected;
    row.state.compare_exchange_strong(expected, RowState::kAcknowledged);  // pairs with the acquire in take
    const bool is_owed = tandem::transport::must_wait(entry().endpoint.qos, subscription.endpoint.qos);
    readers_.push_back({gid, board, &row, is_owed, next_});
  }
}

void Iox2Publication::connect(const std::vector<RosterEntry> & matches) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::size_t left =
      std::erase_if(readers_, [&](const Reader & reader) { return !still_reads(reader, matches); });
  const std::size_t old = readers_.size();
  for (const RosterEntry & match : matches) {
    const auto is_known = [&](const Reader & reader) { return reader.subscription == match.endpoint.gid; };
    if (std::none_of(readers_.begin(), readers_.end(), is_known)) {
      welcome(match);
    }
  }
  if (left == 0 && readers_.size() == old) {
    return;
  }
  iox2_publisher_update(port_->get());
  std::atomic_thread_fence(std::memory_order_seq_cst);  // as in deliver()
  for (std::size_t i = old; i < readers_.size(); ++i) {
    readers_[i].board->bell_of(*readers_[i].row).ring();
  }
  (*hub_->board())->room.ring();
  count_.store(readers_.size(), std::memory_order_release);
}

}  // namespace rmw_iceoryx2
