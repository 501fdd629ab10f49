// The transport interface's publisher, subscription and wait-set over tandem_core's.
#pragma once

#include <atomic>
#include <memory>

#include "pool.hpp"
#include "tandem/participant.hpp"
#include "tandem/service.hpp"
#include "tandem/transport.hpp"

namespace rmw_tandem {

namespace transport = tandem::transport;

transport::Gid to_gid(const tandem::EndpointId & id);
tandem::EndpointId to_endpoint_id(const transport::Gid & gid);
tandem::Addressing addressing_of(const transport::TopicOptions & options);

class Publisher final : public transport::Publisher {
 public:
  Publisher(const tandem::MessageType & type, tandem::Addressing addressing, std::unique_ptr<tandem::Publisher> core)
      : transport::Publisher(core->info().qos), type_(type), addressing_(addressing), core_(std::move(core)) {
    if (!type_.is_fixed_size) {
      blank_ = tandem::make_message(type_);
    }
  }

  bool can_loan() const override { return true; }
  tandem::Loan borrow() override;
  std::size_t subscription_count() const override { return core_->matched_count(); }
  bool wait_for_all_acked(std::chrono::nanoseconds) override { return true; }  // it lies where its readers read it
  void set_status_listener(std::function<void()> listener) override { core_->set_status_listener(std::move(listener)); }
  std::uint64_t failed_borrows() const override { return core_->failed_borrows() + failed_borrows_; }
  std::uint64_t copied() const override { return core_->copied(); }
  transport::Gid gid() const override { return to_gid(core_->info().id); }

 private:
  transport::PublishResult do_publish(tandem::Loan && loan, transport::RequestId * id) override;
  transport::PublishResult do_publish(const void * message, transport::RequestId * id) override;
  transport::PublishResult do_publish(transport::OwnedMessage & message, transport::RequestId * id) override;
  transport::Status do_status() const override { return core_->status(); }
  void do_assert_liveliness() override { core_->assert_liveliness(); }
  tandem::Address address_of(transport::RequestId * id);
  bool set(const tandem::Loan & loan, const void * value) const noexcept;

  const tandem::MessageType & type_;
  const tandem::Addressing addressing_;
  const std::unique_ptr<tandem::Publisher> core_;
  std::atomic<std::int64_t> requests_ = 0;
  tandem::OwnedMessage blank_;                     ///< what loans of a variable-size type are set to
  std::atomic<std::uint64_t> failed_borrows_ = 0;  ///< for want of memory for what the message owns
};

class Subscription final : public transport::Subscription {
 public:
  Subscription(const tandem::MessageType & type, tandem::Addressing addressing,
               std::unique_ptr<tandem::Subscription> core)
      : transport::Subscription(core->info().qos),
        type_(type),
        is_addressed_(addressing != tandem::Addressing::kNone),
        core_(std::move(core)) {}

  void set_status_listener(std::function<void()> listener) override { core_->set_status_listener(std::move(listener)); }
  bool has_data() const override { return core_->has_data(); }
  std::size_t publisher_count() const override { return core_->matched_count(); }
  std::uint64_t lost() const override { return core_->lost(); }
  std::uint64_t copied() const override { return core_->copied() + copied_.load(std::memory_order_relaxed); }
  transport::Gid gid() const override { return to_gid(core_->info().id); }
  const tandem::Subscription & core() const { return *core_; }

 private:
  transport::Sample do_take() override;
  bool do_take_into(void * message, transport::MessageInfo & info) override;
  transport::Status do_status() const override { return core_->status(); }
  transport::MessageInfo info_of(const tandem::Sample & sample) const;

  const tandem::MessageType & type_;
  const bool is_addressed_;
  std::atomic<std::uint64_t> copied_ = 0;  ///< by take_into()
  const std::unique_ptr<tandem::Subscription> core_;
};

class WaitSet final : public transport::WaitSet {
 public:
  explicit WaitSet(std::unique_ptr<tandem::WaitSet> core) : core_(std::move(core)) {}

  void attach(const std::shared_ptr<transport::Subscription> & subscription) override;
  void detach(const std::shared_ptr<transport::Subscription> & subscription) override;
  bool wait(std::chrono::nanoseconds timeout) override { return core_->wait(timeout); }
  void wake() override { core_->wake(); }
  bool names_ready() const override { return true; }
  const transport::Subscription * next_ready() override {
    const auto key = core_->next_ready();
    return key ? reinterpret_cast<const transport::Subscription *>(*key) : nullptr;
  }

 private:
  const std::unique_ptr<tandem::WaitSet> core_;
};

}  // namespace rmw_tandem
