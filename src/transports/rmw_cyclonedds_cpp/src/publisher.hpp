// A publisher: serializes into the buffer that Cyclone sends.
#pragma once

#include <memory>
#include <mutex>

#include "participant.hpp"
#include "tandem/transport_support/copying_publisher.hpp"

namespace rmw_cyclonedds {

class Publisher final : public transport::CopyingPublisher {
 public:
  /// \throws Error
  Publisher(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
            const transport::TopicOptions & options);
  ~Publisher() override;

  std::size_t subscription_count() const override;
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override;
  Gid gid() const override { return gid_; }

 private:
  transport::PublishResult send(const void * message) override;

  const std::shared_ptr<Participant> participant_;
  dds_entity_t writer_ = 0;
  const CdrType * topic_type_ = nullptr;  ///< lives with the writer
  Gid gid_{};
  const bool waits_;  ///< for its slowest subscription: it is reliable and keeps all
  const std::chrono::nanoseconds max_blocking_time_;
  std::mutex writing_;
  std::uint64_t sequence_ = 0;  ///< guarded by writing_
};

}  // namespace rmw_cyclonedds
