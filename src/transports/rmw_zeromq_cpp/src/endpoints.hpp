// The publisher and the subscription of the interface.
#pragma once

#include "publisher.hpp"
#include "subscription.hpp"
#include "tandem/transport_support/copying_publisher.hpp"

namespace rmw_zeromq {

class ZmqPublisher final : public tandem::transport::CopyingPublisher {
 public:
  ZmqPublisher(std::shared_ptr<Hub> hub, const tandem::MessageType & type,
               const tandem::transport::TopicOptions & options);
  ~ZmqPublisher() override;

  /// Of a type of fixed size: the memory that is sent, so that nothing is copied on the way out.
  std::unique_ptr<tandem::transport::Loan> borrow() override;
  PublishResult publish(std::unique_ptr<tandem::transport::Loan> loan) override;
  using CopyingPublisher::publish;
  std::size_t subscription_count() const override { return hub_->is_foreign() ? 0 : body_->reader_count(); }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override;
  std::uint64_t failed_borrows() const override { return CopyingPublisher::failed_borrows() + failed_borrows_; }
  Gid gid() const override { return body_->entry().endpoint.gid; }

 private:
  class FrameLoan;
  PublishResult send(const void * message) override;

  const std::shared_ptr<Hub> hub_;
  std::shared_ptr<PublisherBody> body_;
  std::uint32_t number_ = 0;
  std::atomic<std::uint64_t> failed_borrows_{0};
};

class ZmqSubscription final : public tandem::transport::Subscription {
 public:
  ZmqSubscription(std::shared_ptr<Hub> hub, const tandem::MessageType & type,
                  const tandem::transport::TopicOptions & options);
  ~ZmqSubscription() override;

  tandem::transport::Sample take() override;
  bool take_into(void * message, tandem::transport::MessageInfo & info) override;
  bool has_data() const override { return body_->has_data(); }
  std::size_t publisher_count() const override { return hub_->is_foreign() ? 0 : body_->publisher_count(); }
  std::uint64_t lost() const override { return body_->lost(); }
  std::uint64_t copied() const override { return copied_.load(std::memory_order_relaxed); }
  Gid gid() const override { return body_->entry().endpoint.gid; }
  const std::shared_ptr<SubscriptionBody> & body() const { return body_; }

 private:
  using Arrived = SubscriptionBody::Arrived;
  /// The next that may be decoded.
  std::optional<Arrived> next();
  /// False, with a line once, when the bytes are no message.
  bool decode(const Arrived & arrived, void * message);
  bool lies_well(const Arrived & arrived) const;
  tandem::transport::MessageInfo info_of(const Arrived & arrived) const;

  const std::shared_ptr<Hub> hub_;
  const tandem::MessageType & type_;
  std::shared_ptr<SubscriptionBody> body_;
  std::uint32_t number_ = 0;
  std::atomic<std::uint64_t> copied_{0};
};

}  // namespace rmw_zeromq
