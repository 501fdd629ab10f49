// A publisher whose messages lie in iceoryx's shared memory: subscriptions of this host see them where they were
// written; for others Cyclone has them serialized.
#pragma once

#include <memory>

#include "publisher.hpp"
#include "shared_memory.hpp"

namespace rmw_cyclonedds {

class LendingPublisher final : public Publisher {
 public:
  /// iceoryx gives a publisher 8 chunks at a time; one is left for publish() of a message from elsewhere.
  static constexpr unsigned kMostLoans = 7;

  using Publisher::Publisher;

  /// Whether there is a chunk for a message of the writer's type, now.
  static bool can_lend(const Writer & writer);

  bool can_loan() const override { return true; }
  /// Those that chunks reach.
  std::size_t subscription_count() const override;
  std::unique_ptr<transport::Loan> borrow() override;
  transport::PublishResult publish(std::unique_ptr<transport::Loan> loan) override;
  using Publisher::publish;
  std::uint64_t failed_borrows() const override { return failed_borrows_.load(std::memory_order_relaxed); }

 private:
  class ChunkLoan;
  transport::PublishResult send(const void * message) override;

  /// What subscription_count() depends on, and what it was then.
  struct Count {
    std::uint64_t news = 0;
    std::uint32_t ever_matched = 0;
    std::uint32_t matched = 0;
    std::size_t ready = 0;
  };

  KnownChunks known_;
  mutable std::mutex count_mutex_;
  mutable Count count_;  ///< guarded by count_mutex_
  std::atomic<std::uint64_t> failed_borrows_{0};
};

}  // namespace rmw_cyclonedds
