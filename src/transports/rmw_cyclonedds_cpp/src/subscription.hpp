// A subscription: takes CDR out of its inbox and reads it into messages.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "inbox.hpp"
#include "participant.hpp"
#include "tandem/transport_support/bell.hpp"
#include "tandem/transport_support/own_message.hpp"

namespace rmw_cyclonedds {

class Subscription final : public transport::RingingSubscription {
 public:
  /// \throws Error
  Subscription(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
               const transport::TopicOptions & options);
  ~Subscription() override;

  transport::Sample take() override;
  bool take_into(void * message, transport::MessageInfo & info) override;
  bool has_data() const override { return inbox_->has_data(); }
  std::size_t publisher_count() const override;
  std::uint64_t lost() const override { return inbox_->lost(); }
  std::uint64_t copied() const override { return copied_.load(std::memory_order_relaxed); }
  Gid gid() const override { return gid_; }

 private:
  using Message = std::shared_ptr<const transport::OwnMessage>;

  bool read(const Inbox::Item & item, void * message, transport::MessageInfo & info);
  Message spare_message();

  const std::shared_ptr<Participant> participant_;
  const tandem::MessageType & type_;
  const std::string topic_;
  const std::shared_ptr<Inbox> inbox_;
  dds_entity_t reader_ = 0;
  Gid gid_{};
  std::atomic<std::uint64_t> copied_{0};
  std::atomic<bool> has_complained_{false};
  std::mutex spare_mutex_;
  std::vector<Message> spares_;  ///< guarded by spare_mutex_: messages that their takers may have given back
};

}  // namespace rmw_cyclonedds
