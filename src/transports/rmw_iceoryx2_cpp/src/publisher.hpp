// A publisher: a service of its own, to which the subscriptions that match connect.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "hub.hpp"
#include "tandem/transport_support/copying_publisher.hpp"

namespace rmw_iceoryx2 {

using tandem::transport::Loan;
using tandem::transport::PublishResult;

/// How much of everything a publisher's service has.
struct Capacity {
  std::size_t keep_all;  ///< messages that a keep-all reader may be behind
  std::size_t history;   ///< messages kept for late joiners
  std::size_t chunks;    ///< messages in shared memory
};
Capacity capacity_of(const tandem::MessageType & type, const tandem::transport::Qos & qos);

/// Messages of fixed size are lent in shared memory; others are serialized there.
class Iox2Publication final : public tandem::transport::CopyingPublisher, private Endpoint {
 public:
  Iox2Publication(std::shared_ptr<Hub> hub, const tandem::MessageType & type, RosterEntry entry);
  ~Iox2Publication() override;

  bool can_loan() const override { return type().is_fixed_size; }
  std::unique_ptr<Loan> borrow() override;
  using CopyingPublisher::publish;
  PublishResult publish(std::unique_ptr<Loan> loan) override;
  std::size_t subscription_count() const override { return count_.load(std::memory_order_acquire); }
  bool wait_for_all_acked(std::chrono::nanoseconds) override { return true; }
  std::uint64_t failed_borrows() const override;
  Gid gid() const override { return entry().endpoint.gid; }

 private:
  class Port;
  class ChunkLoan;
  struct Reader {
    Gid subscription;
    std::shared_ptr<Board> board;
    Row * row;
    bool is_owed;         ///< publish() waits for it
    std::uint64_t start;  ///< sequence of what was published first after it had joined
  };

  PublishResult send(const void * message) override;
  PublishResult deliver(Iox2Chunk & chunk);
  bool wait_for_room(std::unique_lock<std::mutex> & lock);
  bool has_room() const;
  void connect(const std::vector<RosterEntry> & matches) override;
  bool still_reads(const Reader & reader, const std::vector<RosterEntry> & matches) const;
  void welcome(const RosterEntry & subscription);

  const std::shared_ptr<Hub> hub_;
  const Capacity capacity_;
  const std::shared_ptr<Port> port_;
  std::atomic<std::size_t> count_{0};
  std::atomic<std::uint64_t> failed_loans_{0};
  std::mutex mutex_;
  std::uint64_t next_ = 0;       ///< guarded by mutex_
  std::vector<Reader> readers_;  ///< guarded by mutex_
};

}  // namespace rmw_iceoryx2
