// Writers of CDR, as the kit asks for them.
#include <mutex>
#include <new>

#include "endpoints/endpoints.hpp"
#include "endpoints/events.hpp"
#include "entity/qos.hpp"
#include "internals/revival.h"
#include "internals/siblings.h"
#include "tandem/dds/channels.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_cyclonedds {
namespace {

using transport::EndpointInfo;
using transport::PublishResult;

PublishResult to_result(dds_return_t code) {
  switch (code) {
    case DDS_RETCODE_OK: return PublishResult::kOk;
    case DDS_RETCODE_TIMEOUT: return PublishResult::kTimeout;
    case DDS_RETCODE_OUT_OF_RESOURCES: return PublishResult::kPoolExhausted;
    default: return PublishResult::kClosed;
  }
}

class Writer final : public transport::Writer {
 public:
  Writer(std::shared_ptr<Participant> participant, EndpointInfo info)
      : participant_(std::move(participant)),
        waits_(transport::must_wait(info, info)),
        max_blocking_time_(info.qos.max_blocking_time),
        topic_(topic_of(*participant_, info)),
        entity_(dds_create_writer(participant_->id(), topic_.id(),
                                  writer_qos(tandem::dds::wire_qos(info), user_data_of(*participant_, info)).get(),
                                  nullptr),
                "the publisher of topic '" + info.topic + "'") {
    events_.listen(entity_.id(), nullptr);
    info.gid = gid_;
    participant_->own_graph().add(info);
  }
  ~Writer() override { participant_->own_graph().remove(gid_); }

  std::unique_ptr<transport::Chunk> allocate(std::size_t size) override {
    CdrDataPtr data(make_data(topic_.type(), size));
    return data ? std::make_unique<CdrChunk>(std::move(data)) : throw std::bad_alloc();
  }

  PublishResult write(std::unique_ptr<transport::Chunk> chunk, transport::RequestId *) override {
    if (waits_ && !participant_->flow().wait(entity_.id(), max_blocking_time_)) {
      return PublishResult::kTimeout;
    }
    CdrDataPtr & data = static_cast<CdrChunk &>(*chunk).message;
    const std::lock_guard lock(writing_);  // the number and the order on the wire agree
    data->sequence = sequence_;
    const std::int64_t stamp = source_timestamp();
    if (stamp != 0) {
      data->timestamp.v = stamp;
      data->statusinfo = 0;  // a write
    }
    const PublishResult result = to_result(stamp == 0 ? dds_writecdr(entity_.id(), data.release())
                                                      : dds_forwardcdr(entity_.id(), data.release()));
    sequence_ += result == PublishResult::kOk ? 1 : 0;
    return result;
  }

  std::size_t matched() const override {
    dds_publication_matched_status_t status{};
    dds_get_publication_matched_status(entity_.id(), &status);
    return status.current_count;
  }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override {
    return dds_wait_for_acks(entity_.id(), timeout.count() < 0 ? DDS_INFINITY : timeout.count()) == DDS_RETCODE_OK;
  }
  Gid gid() const override { return gid_; }
  transport::Status status() const override {
    transport::Status status;
    dds_publication_matched_status_t matched{};
    dds_get_publication_matched_status(entity_.id(), &matched);
    status.matched = matched.current_count;
    status.total_matched = matched.total_count;
    dds_offered_incompatible_qos_status_t misfits{};
    dds_get_offered_incompatible_qos_status(entity_.id(), &misfits);
    status.incompatible_qos = misfits.total_count;
    status.last_policy = tandem::dds::policy_of(misfits.last_policy_id);
    return status;
  }
  void set_status_listener(std::function<void()> listener) override {
    events_.listen(entity_.id(), std::move(listener));
  }
  void assert_liveliness() override {
    dds_assert_liveliness(entity_.id());
    if (CdrData * const nothing = make_data(topic_.type(), 0)) {
      const std::lock_guard lock(writing_);
      rmw_cyclonedds_revive(entity_.id(), nothing);
    }
  }

 private:
  const std::shared_ptr<Participant> participant_;
  const bool waits_;  ///< for its slowest subscription: it is reliable and keeps all
  const std::chrono::nanoseconds max_blocking_time_;
  std::mutex writing_;
  std::uint64_t sequence_ = 0;  ///< guarded by writing_
  const Topic topic_;
  Events events_{[this] { rmw_cyclonedds_align_siblings(entity_.id(), &topic_.type()); }};
  const Entity entity_;
  const Gid gid_ = entity_.gid();
};

}  // namespace

std::shared_ptr<transport::Writer> Participant::create_writer(const tandem::MessageType & type,
                                                              const EndpointInfo & info) {
  return std::make_shared<Writer>(shared_from_this(), tandem::dds::as_told(info, type));
}

}  // namespace rmw_cyclonedds
