// A publisher over a Writer of a bus.
#pragma once

#include <atomic>
#include <memory>

#include "tandem/kit/bus.hpp"
#include "tandem/kit/copying_publisher.hpp"
#include "tandem/service.hpp"

namespace tandem::transport {

/// Lends the writer's memory where it can (Encoding::kMemory and Loans), ordinary memory otherwise. After fork() a child's
/// calls do nothing: publish() returns kClosed.
class BusPublisher final : public CopyingPublisher {
 public:
  /// \throws Error as make_endpoint() and Bus::create_writer().
  BusPublisher(std::shared_ptr<Bus> bus, const MessageType & type, const TopicOptions & options);
  ~BusPublisher() override;

  bool can_loan() const override { return encoding_ == Encoding::kMemory && writer_->loans() == Loans::kShared; }
  Loan borrow() override;
  std::size_t subscription_count() const override;
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override;
  std::uint64_t failed_borrows() const override;
  Gid gid() const override { return writer_->gid(); }
  void set_status_listener(std::function<void()> listener) override {
    if (!bus_->is_foreign()) {
      writer_->set_status_listener(std::move(listener));
    }
  }

 private:
  using CopyingPublisher::do_publish;
  PublishResult do_publish(Loan && loan, RequestId * id) override;
  PublishResult send(const void * message, RequestId * id) override;
  Status do_status() const override { return bus_->is_foreign() ? Status{} : writer_->status(); }
  void do_assert_liveliness() override {
    if (!bus_->is_foreign()) {
      writer_->assert_liveliness();
    }
  }

  const std::shared_ptr<Bus> bus_;
  const Channel channel_;
  const Encoding encoding_;
  std::atomic<std::int64_t> requests_{0};
  std::shared_ptr<Writer> writer_;
  /// Chunks on loan. A loan keeps the counter; its address tells which publisher the loan is of.
  const std::shared_ptr<std::atomic<std::size_t>> loans_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::atomic<std::uint64_t> failed_loans_{0};
};

}  // namespace tandem::transport
