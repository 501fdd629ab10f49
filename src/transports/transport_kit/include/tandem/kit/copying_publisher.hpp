// The publisher of a transport that copies or serializes: its loans are messages of ordinary memory.
#pragma once

#include <atomic>

#include "tandem/transport.hpp"

namespace tandem::transport {

/// Implements loans in terms of send(). A derived class that can lend for some types overrides what it does better.
/// Loans are used again: borrow() allocates only while more are out than ever before.
class CopyingPublisher : public Publisher {
 public:
  /// Loans that one publisher has out at most.
  static constexpr std::size_t kMaxLoans = 16;

  explicit CopyingPublisher(const MessageType & type, const Qos & qos = {});

  bool can_loan() const override { return false; }
  Loan borrow() override;
  std::uint64_t failed_borrows() const override { return failed_borrows_.load(std::memory_order_relaxed); }
  std::uint64_t copied() const override { return copied_.load(std::memory_order_relaxed); }

 protected:
  PublishResult do_publish(Loan && loan, RequestId * id) override;
  PublishResult do_publish(const void * message, RequestId * id) override;
  PublishResult do_publish(OwnedMessage & message, RequestId * id) override;
  /// Sends what lies at `message`, never null; `id` as in do_publish(). Thread-safe. Errors: std::bad_alloc, which means
  /// kNoMemory.
  virtual PublishResult send(const void * message, RequestId * id) = 0;
  const MessageType & type() const { return type_; }

 private:
  struct Lent;
  class Pool;
  const MessageType & type_;
  const std::shared_ptr<Pool> pool_;
  std::atomic<std::uint64_t> failed_borrows_{0};
  std::atomic<std::uint64_t> copied_{0};
};

}  // namespace tandem::transport
