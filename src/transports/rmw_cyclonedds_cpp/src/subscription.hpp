// A subscription: takes CDR out of its inbox and reads it into messages.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "inbox.hpp"
#include "participant.hpp"
#include "tandem/kit/bell.hpp"
#include "tandem/kit/own_message.hpp"

namespace rmw_cyclonedds {

/// A reader on the wire. It ends with its last owner: its subscription, or a message that lies in shared memory.
class Reader {
 public:
  /// \throws Error
  Reader(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
         const transport::TopicOptions & options, const std::shared_ptr<Inbox> & inbox);
  ~Reader();
  Reader(const Reader &) = delete;
  Reader & operator=(const Reader &) = delete;

  dds_entity_t entity() const { return entity_; }
  Gid gid() const { return gid_; }
  Participant & participant() const { return *participant_; }

 private:
  const std::shared_ptr<Participant> participant_;
  dds_entity_t entity_ = 0;
  Gid gid_{};
};

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
  Gid gid() const override { return reader_->gid(); }

 private:
  using Message = std::shared_ptr<const transport::OwnMessage>;
  class Chunk;

  bool read(const Inbox::Item & item, void * message, transport::MessageInfo & info);
  bool share(Inbox::Item & item, transport::Sample & sample);
  transport::MessageInfo info_of(const Inbox::Item & item) const;
  void complain(const Inbox::Item & item, const std::string & reason);
  Message spare_message();

  const tandem::MessageType & type_;
  const std::string topic_;
  const std::size_t held_quota_;
  const std::shared_ptr<Inbox> inbox_;
  const std::shared_ptr<Reader> reader_;
  const std::shared_ptr<std::atomic<std::size_t>> held_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::atomic<std::uint64_t> copied_{0};
  std::atomic<bool> has_complained_{false};
  std::mutex spare_mutex_;
  std::vector<Message> spares_;  ///< guarded by spare_mutex_: messages that their takers may have given back
};

}  // namespace rmw_cyclonedds
