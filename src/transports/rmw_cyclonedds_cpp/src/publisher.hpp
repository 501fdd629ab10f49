// A publisher: serializes into the buffer that Cyclone sends.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

#include "participant.hpp"
#include "tandem/kit/copying_publisher.hpp"

namespace rmw_cyclonedds {

/// A writer on the wire and in the graph. It ends with its last owner.
class Writer {
 public:
  /// \throws Error
  Writer(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
         const transport::TopicOptions & options, bool shares_memory);
  ~Writer();
  Writer(const Writer &) = delete;
  Writer & operator=(const Writer &) = delete;

  dds_entity_t entity() const { return entity_; }
  const CdrType & type() const { return *type_; }
  Gid gid() const { return gid_; }
  Participant & participant() const { return *participant_; }
  /// Chunks that are lent at the moment.
  std::atomic<unsigned> lent{0};
  /// When the last one was published.
  std::atomic<std::chrono::steady_clock::time_point> last_chunk{std::chrono::steady_clock::time_point()};

 private:
  const std::shared_ptr<Participant> participant_;
  dds_entity_t entity_ = 0;
  const CdrType * type_ = nullptr;  ///< lives with the entity
  Gid gid_{};
};

class Publisher : public transport::CopyingPublisher {
 public:
  /// Through shared memory where that is possible. \throws Error
  static std::shared_ptr<Publisher> make(const std::shared_ptr<Participant> & participant,
                                         const tandem::MessageType & type, const transport::TopicOptions & options);

  Publisher(std::shared_ptr<Writer> writer, const tandem::MessageType & type, const transport::Qos & qos);

  std::size_t subscription_count() const override;
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override;
  Gid gid() const override { return writer_->gid(); }

 protected:
  transport::PublishResult send(const void * message) override;
  /// dds_write(): what lies at `message`, or a chunk that is lent.
  transport::PublishResult write(const void * message);
  const std::shared_ptr<Writer> & writer() const { return writer_; }

 private:
  transport::PublishResult finish_locked(dds_return_t code);

  const std::shared_ptr<Writer> writer_;
  const bool waits_;  ///< for its slowest subscription: it is reliable and keeps all
  const std::chrono::nanoseconds max_blocking_time_;
  std::mutex writing_;
  std::uint64_t sequence_ = 0;  ///< guarded by writing_
};

}  // namespace rmw_cyclonedds
