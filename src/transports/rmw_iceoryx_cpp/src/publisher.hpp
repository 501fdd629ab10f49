// A publisher: of fixed size its loans are chunks of shared memory; what is of variable size goes as CDR.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "publisher_port.hpp"
#include "tandem/kit/copying_publisher.hpp"
#include "tandem/kit/roster.hpp"

namespace iceoryx {

class Participant;

class IceoryxPublisher final : public tandem::transport::CopyingPublisher {
 public:
  IceoryxPublisher(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
                   const tandem::transport::RosterEntry & entry);
  ~IceoryxPublisher() override;

  bool can_loan() const override { return type().is_fixed_size; }
  std::unique_ptr<tandem::transport::Loan> borrow() override;
  using CopyingPublisher::publish;
  PublishResult publish(std::unique_ptr<tandem::transport::Loan> loan) override;
  std::size_t subscription_count() const override { return subscription_count_.load(std::memory_order_relaxed); }
  bool wait_for_all_acked(std::chrono::nanoseconds) override { return true; }
  std::uint64_t failed_borrows() const override { return CopyingPublisher::failed_borrows() + failed_borrows_; }
  tandem::transport::Gid gid() const override { return entry_.endpoint.gid; }

  const tandem::transport::RosterEntry & entry() const { return entry_; }
  void set_matched(const std::vector<tandem::transport::RosterEntry> & subscriptions);

 protected:
  PublishResult send(const void * message) override;

 private:
  class ChunkLoan;

  const std::shared_ptr<Participant> participant_;
  tandem::transport::RosterEntry entry_;
  const std::shared_ptr<PublisherPort> port_;
  std::atomic<std::size_t> subscription_count_{0};
  std::atomic<std::uint64_t> failed_borrows_{0};
};

}  // namespace iceoryx
