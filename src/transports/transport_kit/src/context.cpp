// A transport's context over a bus.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <string>
#include <thread>

#include "tandem/cdr.hpp"
#include "tandem/kit/bell.hpp"
#include "tandem/kit/bus.hpp"
#include "tandem/kit/copying_publisher.hpp"
#include "tandem/kit/endpoint.hpp"

namespace tandem::transport {
namespace {

/// Ends with the last who holds it, but for a child of fork(): there it is left as it is.
template <class T>
void drop(const Bus & bus, std::shared_ptr<T> & end) {
  if (bus.is_foreign()) {
    new std::shared_ptr<T>(std::move(end));
  }
}

// --- publisher -------------------------------------------------------------------------------------------------------

/// A chunk on loan.
struct LentChunk final : Lender {
  using Count = std::atomic<std::size_t>;
  LentChunk(std::shared_ptr<Count> out, std::unique_ptr<Chunk> lent) : count(std::move(out)), chunk(std::move(lent)) {}
  ~LentChunk() { --*count; }
  void take_back(void *, std::uint32_t) noexcept override { delete this; }

  const std::shared_ptr<Count> count;  ///< of chunks that are out; its address says whose they are
  std::unique_ptr<Chunk> chunk;
};

class BusPublisher final : public CopyingPublisher {
 public:
  BusPublisher(std::shared_ptr<Bus> bus, const MessageType & type, const TopicOptions & options)
      : CopyingPublisher(type),
        bus_(std::move(bus)),
        encoding_(bus_->encoding_of(type)),
        writer_(bus_->create_writer(type, make_endpoint(bus_->name(), EndpointKind::kPublisher, type, options))) {}
  ~BusPublisher() override { drop(*bus_, writer_); }

  bool can_loan() const override { return encoding_ == Encoding::kMemory && writer_->loans() == Loans::kShared; }

  Loan borrow() override {
    if (encoding_ != Encoding::kMemory || writer_->loans() == Loans::kNone || bus_->is_foreign()) {
      return CopyingPublisher::borrow();
    }
    if (++*lent_ <= kMaxLoans) {
      try {
        if (auto chunk = writer_->lend(type().size)) {
          void * const message = chunk->data;
          if (chunk->is_fresh) {
            type().construct(message);
          }
          return Loan(*new LentChunk(lent_, std::move(chunk)), message, type().size);
        }
      } catch (const std::bad_alloc &) {
      }
    }
    --*lent_;
    failed_loans_.fetch_add(1, std::memory_order_relaxed);
    return {};
  }

  PublishResult publish(Loan && loan) override {
    auto * const lent = loan ? dynamic_cast<LentChunk *>(loan.lender()) : nullptr;
    if (lent == nullptr) {
      return CopyingPublisher::publish(std::move(loan));
    }
    loan.release();
    const std::unique_ptr<LentChunk> ours(lent);
    if (ours->count != lent_) {
      return PublishResult::kInvalidLoan;
    }
    try {
      return bus_->is_foreign() ? PublishResult::kClosed : writer_->write(std::move(ours->chunk));
    } catch (const std::bad_alloc &) {
      return PublishResult::kNoMemory;
    }
  }
  using CopyingPublisher::publish;

  std::size_t subscription_count() const override { return bus_->is_foreign() ? 0 : writer_->matched(); }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override {
    return bus_->is_foreign() || writer_->wait_for_all_acked(timeout);
  }
  std::uint64_t failed_borrows() const override {
    return CopyingPublisher::failed_borrows() + failed_loans_.load(std::memory_order_relaxed);
  }
  Gid gid() const override { return writer_->gid(); }

 private:
  PublishResult send(const void * message) override {
    if (bus_->is_foreign()) {
      return PublishResult::kClosed;
    }
    if (const auto sent = writer_->write(type(), message)) {
      return *sent;
    }
    const bool is_memory = encoding_ == Encoding::kMemory;
    const std::size_t size = is_memory ? type().size : serialized_size(type(), message);
    if (!is_memory && size > std::numeric_limits<std::int32_t>::max()) {
      return PublishResult::kNoMemory;
    }
    auto chunk = writer_->allocate(size);
    if (!chunk) {
      return PublishResult::kPoolExhausted;
    }
    if (is_memory) {
      std::memcpy(chunk->data, message, size);
    } else if (serialize(type(), message, chunk->data, size) != size) {
      return PublishResult::kNoMemory;
    }
    return writer_->write(std::move(chunk));
  }

  const std::shared_ptr<Bus> bus_;
  const Encoding encoding_;
  std::shared_ptr<Writer> writer_;
  const std::shared_ptr<LentChunk::Count> lent_ = std::make_shared<LentChunk::Count>(0);
  std::atomic<std::uint64_t> failed_loans_{0};
};

// --- subscription ----------------------------------------------------------------------------------------------------

/// A chunk of its publisher's that a user keeps.
class HeldChunk {
 public:
  HeldChunk(std::unique_ptr<Chunk> chunk, std::shared_ptr<std::atomic<std::size_t>> held)
      : chunk_(std::move(chunk)), held_(std::move(held)) {
    held_->fetch_add(1, std::memory_order_relaxed);
  }
  ~HeldChunk() { held_->fetch_sub(1, std::memory_order_relaxed); }
  HeldChunk(const HeldChunk &) = delete;
  HeldChunk & operator=(const HeldChunk &) = delete;

 private:
  const std::unique_ptr<Chunk> chunk_;
  const std::shared_ptr<std::atomic<std::size_t>> held_;
};

/// Messages that users have given back, with the memory that they have. Thread-safe.
class Spares {
 public:
  /// A spare one or a new one; it comes back when its last user lets it go. Errors: std::bad_alloc.
  static std::shared_ptr<void> take(const std::shared_ptr<Spares> & self, const MessageType & type) {
    OwnedMessage message = self->pop();
    if (!message) {
      message = make_message(type);
    }
    return {message.release(), [self, &type](void * own) { self->push(OwnedMessage(own, {&type})); }};
  }

 private:
  OwnedMessage pop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return count_ == 0 ? OwnedMessage() : std::move(messages_[--count_]);
  }
  void push(OwnedMessage message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (count_ < messages_.size()) {
      messages_[count_++] = std::move(message);
    }
  }

  std::mutex mutex_;
  std::size_t count_ = 0;                 ///< guarded by mutex_
  std::array<OwnedMessage, 4> messages_;  ///< guarded by mutex_
};

class BusSubscription final : public RingingSubscription {
 public:
  BusSubscription(std::shared_ptr<Bus> bus, const MessageType & type, const TopicOptions & options)
      : bus_(std::move(bus)),
        type_(type),
        topic_(options.topic),
        encoding_(bus_->encoding_of(type)),
        held_quota_(options.held_quota),
        reader_(bus_->create_reader(type, make_endpoint(bus_->name(), EndpointKind::kSubscription, type, options),
                                    options.ignore_local_publications, [this] { ring(); })) {}
  ~BusSubscription() override { drop(*bus_, reader_); }

  Sample take() override {
    Sample sample;
    Arrival arrival;
    while (next(arrival)) {
      if (may_be_kept(*arrival.chunk)) {
        const void * const message = arrival.chunk->data;
        if (arrival.chunk->hold == Chunk::Hold::kAlways) {
          sample.keeper = std::shared_ptr<const Chunk>(std::move(arrival.chunk));
        } else {
          sample.keeper = std::make_shared<HeldChunk>(std::move(arrival.chunk), held_);
        }
        sample.message = message;
      } else {
        auto own = Spares::take(spares_, type_);
        if (!read(*arrival.chunk, own.get())) {
          continue;
        }
        sample.message = own.get();
        sample.keeper = std::move(own);
      }
      sample.size = type_.size;
      sample.info = info_of(arrival);
      return sample;
    }
    return sample;
  }

  bool take_into(void * message, MessageInfo & info) override {
    Arrival arrival;
    while (next(arrival)) {
      if (read(*arrival.chunk, message)) {
        info = info_of(arrival);
        return true;
      }
    }
    return false;
  }

  bool has_data() const override { return !bus_->is_foreign() && reader_->has_data(); }
  std::size_t publisher_count() const override { return bus_->is_foreign() ? 0 : reader_->matched(); }
  std::uint64_t lost() const override { return reader_->lost() + unreadable_.load(std::memory_order_relaxed); }
  std::uint64_t copied() const override { return copied_.load(std::memory_order_relaxed); }
  Gid gid() const override { return reader_->gid(); }
  const std::shared_ptr<Bus> & bus() const { return bus_; }

 private:
  void waiter_changed(Waiter * waiter) noexcept override {
    if (!bus_->is_foreign()) {
      reader_->wait_with(waiter);
    }
  }
  bool next(Arrival & arrival) { return !bus_->is_foreign() && reader_->take(arrival); }

  bool may_be_kept(const Chunk & chunk) const {
    return encoding_ == Encoding::kMemory && chunk.size == type_.size &&
           reinterpret_cast<std::uintptr_t>(chunk.data) % (chunk.alignment != 0 ? chunk.alignment : type_.alignment) ==
               0 &&
           (chunk.hold == Chunk::Hold::kAlways ||
            (chunk.hold == Chunk::Hold::kWithinQuota && held_->load(std::memory_order_relaxed) < held_quota_));
  }

  /// Copies or deserializes. \return false, with a line once, when these are no bytes of a message.
  bool read(const Chunk & chunk, void * message) {
    std::string reason;
    if (encoding_ == Encoding::kCdr) {
      const auto done = deserialize(type_, chunk.data, chunk.size, message);
      reason = done ? "" : done.error();
    } else if (chunk.size == type_.size) {
      std::memcpy(message, chunk.data, chunk.size);
    } else {
      reason = "it has " + std::to_string(chunk.size) + " bytes, the type " + std::to_string(type_.size);
    }
    if (!reason.empty()) {
      if (unreadable_.fetch_add(1, std::memory_order_relaxed) == 0) {
        warn(bus_->name(), topic_,
             "messages are dropped that are no " + std::string(type_.name) + ": " + reason +
                 ". Build both sides against the same definition");
      }
      return false;
    }
    copied_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }

  MessageInfo info_of(const Arrival & arrival) const {
    MessageInfo info;
    info.source_timestamp = arrival.stamp;
    info.sequence = arrival.sequence;
    info.publisher = arrival.writer;
    info.from_intra_process = bus_->is_own(arrival.writer);
    return info;
  }

  const std::shared_ptr<Bus> bus_;
  const MessageType & type_;
  const std::string topic_;
  const Encoding encoding_;
  const std::size_t held_quota_;
  const std::shared_ptr<std::atomic<std::size_t>> held_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::atomic<std::uint64_t> copied_{0};
  std::atomic<std::uint64_t> unreadable_{0};
  const std::shared_ptr<Spares> spares_ = std::make_shared<Spares>();
  std::shared_ptr<Reader> reader_;  ///< the last member: it calls ring()
};

// --- wait-set --------------------------------------------------------------------------------------------------------

class BusWaitSet final : public WaitSet {
 public:
  explicit BusWaitSet(std::shared_ptr<Bus> bus)
      : bus_(std::move(bus)), set_(bus_->is_foreign() ? lease_bell() : bus_->lease_waiter()) {}
  void attach(const std::shared_ptr<Subscription> & subscription) override {
    const auto * const ours = dynamic_cast<const BusSubscription *>(subscription.get());
    if (bus_->waits_for_its_own() && ours != nullptr && ours->bus() != bus_) {
      throw Error(std::string(bus_->name()) +
                  ": a subscription is to be waited for with a wait-set of another context");
    }
    if (!bus_->is_foreign()) {
      set_.attach(subscription);
    }
  }
  void detach(const std::shared_ptr<Subscription> & subscription) override { set_.detach(subscription); }
  bool wait(std::chrono::nanoseconds timeout) override {
    if (bus_->is_foreign()) {
      const std::chrono::nanoseconds longest = std::chrono::hours(24);
      std::this_thread::sleep_for(timeout < std::chrono::nanoseconds(0) ? longest : std::min(timeout, longest));
      return false;
    }
    return set_.wait(timeout);
  }
  void wake() override {
    if (!bus_->is_foreign()) {
      set_.wake();
    }
  }

 private:
  const std::shared_ptr<Bus> bus_;
  BellWaitSet set_;
};

// --- context ---------------------------------------------------------------------------------------------------------

class BusNode final : public Node {
 public:
  BusNode(std::shared_ptr<Bus> bus, NodeName name) : bus_(std::move(bus)), name_(std::move(name)) {
    bus_->add_node(name_);
  }
  ~BusNode() override { bus_->remove_node(name_); }

 private:
  const std::shared_ptr<Bus> bus_;
  const NodeName name_;
};

class BusContext final : public Context {
 public:
  explicit BusContext(std::shared_ptr<Bus> bus) : bus_(std::move(bus)) {}
  std::unique_ptr<Node> create_node(const NodeName & name) override { return std::make_unique<BusNode>(bus_, name); }
  std::shared_ptr<Publisher> create_publisher(const MessageType & type, const TopicOptions & options) override {
    check(options);
    return std::make_shared<BusPublisher>(bus_, type, options);
  }
  std::shared_ptr<Subscription> create_subscription(const MessageType & type, const TopicOptions & options) override {
    check(options);
    return std::make_shared<BusSubscription>(bus_, type, options);
  }
  std::shared_ptr<WaitSet> create_wait_set() override { return std::make_shared<BusWaitSet>(bus_); }
  GraphSnapshot graph() const override { return bus_->graph(); }

 private:
  void check(const TopicOptions & options) const {
    if (bus_->is_foreign()) {
      throw Error(std::string(bus_->name()) + ": topic '" + options.topic +
                  "': this process was forked from one that made the context; make a new context after fork()");
    }
  }

  const std::shared_ptr<Bus> bus_;
};

}  // namespace

std::shared_ptr<Context> make_context(std::shared_ptr<Bus> bus) { return std::make_shared<BusContext>(std::move(bus)); }

}  // namespace tandem::transport
