// A publisher: a key of its own, to which the subscriptions that match subscribe.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "hub.hpp"
#include "tandem/transport_support/copying_publisher.hpp"

namespace rmw_zenoh {

using tandem::transport::Loan;
using tandem::transport::PublishResult;

/// A payload, owned.
class Payload {
 public:
  Payload(const ZnPayload & raw, std::size_t size) : raw_(raw), size_(size) {}
  ~Payload() { zn_free(raw_.owner); }
  Payload(const Payload &) = delete;
  Payload & operator=(const Payload &) = delete;
  std::uint8_t * memory() const { return raw_.memory; }
  ZnOwner * owner() const { return raw_.owner; }
  std::size_t size() const { return size_; }

 private:
  const ZnPayload raw_;
  const std::size_t size_;
};

/// Shared memory that is made when it is needed, and made anew when messages have outgrown it. Thread-safe.
class SharedPool {
 public:
  explicit SharedPool(std::string topic) : topic_(std::move(topic)) {}
  ~SharedPool() { zn_pool_free(raw_); }
  SharedPool(const SharedPool &) = delete;
  SharedPool & operator=(const SharedPool &) = delete;

  bool is_usable() const { return is_usable_.load(std::memory_order_relaxed); }
  /// Null when it is used up or cannot be had.
  std::shared_ptr<Payload> allocate(std::size_t size);

  std::atomic<std::size_t> loans{0};

 private:
  const std::string topic_;
  std::atomic<bool> is_usable_{true};
  std::mutex mutex_;
  ZnPool * raw_ = nullptr;    ///< guarded by mutex_
  std::size_t designed_ = 0;  ///< for messages of this size; guarded by mutex_
};

/// Who reads a publisher, as the notes of the subscriptions tell. Thread-safe; never held while Zenoh is called.
class Readers {
 public:
  /// What a note from a subscription says: confirm, taken, received.
  void hear(const Note & note);
  void add(const Gid & subscription, bool is_reliable, bool is_owed, std::uint64_t next);
  void keep_only(const std::vector<RosterEntry> & matches);
  std::size_t count() const { return count_.load(std::memory_order_acquire); }
  /// Whether all that are owed everything are less than `capacity` behind `next`.
  bool have_room(std::uint64_t next, std::size_t capacity);
  /// Until that may have become so. \return false when the time is over.
  bool wait_for_room(std::uint64_t next, std::size_t capacity, Clock::time_point end);
  /// Whether all reliable ones have received what is before `next`.
  bool have_received(std::uint64_t next);
  bool wait_until_received(std::uint64_t next, Clock::time_point end);

 private:
  struct Reader {
    bool is_reliable = false;
    bool is_owed = false;
    bool is_confirmed = false;
    std::uint64_t taken = 0;     ///< sequence after the last
    std::uint64_t received = 0;  ///< likewise
  };
  bool have_room_locked(std::uint64_t next, std::size_t capacity) const;
  bool have_received_locked(std::uint64_t next) const;
  void count_locked();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Gid, Reader> readers_;  ///< guarded by mutex_
  std::atomic<std::size_t> count_{0};
};

/// Messages of fixed size are lent in Zenoh's shared memory; large ones of other types are serialized there.
class ZenohPublication final : public tandem::transport::CopyingPublisher, private Endpoint {
 public:
  ZenohPublication(std::shared_ptr<Hub> hub, const tandem::MessageType & type, RosterEntry entry);
  ~ZenohPublication() override;

  bool can_loan() const override { return is_tuned_ && type().is_fixed_size && pool_->is_usable(); }
  std::unique_ptr<Loan> borrow() override;
  using CopyingPublisher::publish;
  PublishResult publish(std::unique_ptr<Loan> loan) override;
  std::size_t subscription_count() const override { return readers_->count(); }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override;
  std::uint64_t failed_borrows() const override;
  Gid gid() const override { return entry().endpoint.gid; }

 private:
  class PoolLoan;
  struct Kept {
    Note note;
    std::shared_ptr<Payload> payload;
  };

  PublishResult send(const void * message) override;
  PublishResult deliver(std::shared_ptr<Payload> payload);
  std::shared_ptr<Payload> allocate(std::size_t size);
  bool put(const Note & note, const Payload * payload) const;
  void keep(const Kept & kept);
  Clock::time_point connect(const std::vector<RosterEntry> & matches) override;
  void handle(const Mail::Item & item) override;

  const std::shared_ptr<Hub> hub_;
  const bool is_tuned_;
  const std::size_t capacity_;
  const std::shared_ptr<SharedPool> pool_;
  const std::shared_ptr<Readers> readers_ = std::make_shared<Readers>();
  ZnPublisher * publisher_ = nullptr;
  ZnSubscriber * control_ = nullptr;
  std::atomic<std::uint64_t> failed_loans_{0};
  std::mutex mutex_;          ///< held while Zenoh puts: messages leave in order
  std::uint64_t next_ = 0;    ///< guarded by mutex_
  std::deque<Kept> history_;  ///< for late joiners; guarded by mutex_
  std::deque<Kept> recent_;   ///< guarded by mutex_
};

}  // namespace rmw_zenoh
