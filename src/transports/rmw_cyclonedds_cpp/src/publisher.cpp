#include "publisher.hpp"

#include <thread>
#include <utility>

#include "lending_publisher.hpp"
#include "mixed_readers.h"
#include "qos.hpp"
#include "shared_memory.hpp"
#include "tandem/cdr.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_cyclonedds {
namespace {

using transport::PublishResult;

constexpr std::chrono::milliseconds kChunkTakesAtMost{20};

struct DeleteListener {
  void operator()(dds_listener_t * listener) const { dds_delete_listener(listener); }
};
using ListenerPtr = std::unique_ptr<dds_listener_t, DeleteListener>;

void on_matched(dds_entity_t writer, const dds_publication_matched_status_t status, void * type) {
  if (status.current_count_change > 0) {
    rmw_cyclonedds_mend_mixed_readers(writer, static_cast<const CdrType *>(type));
  }
}

PublishResult to_result(dds_return_t code) {
  switch (code) {
    case DDS_RETCODE_OK: return PublishResult::kOk;
    case DDS_RETCODE_TIMEOUT: return PublishResult::kTimeout;
    case DDS_RETCODE_OUT_OF_RESOURCES: return PublishResult::kPoolExhausted;
    default: return PublishResult::kClosed;
  }
}

}  // namespace

Writer::Writer(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
               const transport::TopicOptions & options, bool shares_memory)
    : participant_(std::move(participant)) {
  transport::EndpointInfo endpoint = make_endpoint(kName, transport::EndpointKind::kPublisher, type, options);
  const Topic topic(*participant_, tandem::dds::to_dds_topic(options.topic),
                    make_type(tandem::dds::to_dds_type(type.name), &type, shares_memory));
  const QosPtr qos = writer_qos(options.qos, tandem::dds::endpoint_user_data(type.hash));
  ListenerPtr listener;
  if (participant_->domain().shares_memory() && type.is_fixed_size && !shares_memory) {
    listener.reset(dds_create_listener(const_cast<CdrType *>(&topic.type())));
    dds_lset_publication_matched(listener.get(), on_matched);
  }
  entity_ = checked(dds_create_writer(participant_->entity(), topic.entity(), qos.get(), listener.get()),
                    "the publisher of topic '" + options.topic + "'");
  type_ = &topic.type();
  if (listener) {
    rmw_cyclonedds_mend_mixed_readers(entity_, type_);  // those that it was born with
  }
  gid_ = gid_of(entity_);
  endpoint.gid = gid_;
  participant_->graph().add(endpoint);
}

Writer::~Writer() {
  // iceoryx delivers while it likes; what arrives after its writer is gone, Cyclone neither delivers nor gives back.
  std::this_thread::sleep_until(last_chunk.load() + kChunkTakesAtMost);
  dds_delete(entity_);
  participant_->graph().remove(gid_);
  participant_->flow().forget_own(gid_);
}

std::shared_ptr<Publisher> Publisher::make(const std::shared_ptr<Participant> & participant,
                                           const tandem::MessageType & type, const transport::TopicOptions & options) {
  if (participant->domain().shares_memory() && may_share_memory(type, options)) {
    auto writer = std::make_shared<Writer>(participant, type, options, true);
    if (LendingPublisher::can_lend(*writer)) {
      return std::make_shared<LendingPublisher>(std::move(writer), type, options.qos);
    }
    transport::warn(kName, options.topic,
                    "iox-roudi has no free chunk of " + std::to_string(type.size) +
                        " bytes; its messages are sent through the network. Give iox-roudi more and larger chunks "
                        "(--config-file)");
  }
  return std::make_shared<Publisher>(std::make_shared<Writer>(participant, type, options, false), type, options.qos);
}

Publisher::Publisher(std::shared_ptr<Writer> writer, const tandem::MessageType & type, const transport::Qos & qos)
    : CopyingPublisher(type),
      writer_(std::move(writer)),
      waits_(transport::must_wait(qos, qos)),
      max_blocking_time_(qos.max_blocking_time) {}

std::size_t Publisher::subscription_count() const {
  dds_publication_matched_status_t status{};
  dds_get_publication_matched_status(writer_->entity(), &status);
  return writer_->participant().flow().count_present(writer_->entity(), status.current_count);
}

bool Publisher::wait_for_all_acked(std::chrono::nanoseconds timeout) {
  return dds_wait_for_acks(writer_->entity(), timeout.count() < 0 ? DDS_INFINITY : timeout.count()) == DDS_RETCODE_OK;
}

PublishResult Publisher::send(const void * message) {
  if (waits_ && !writer_->participant().flow().wait(writer_->entity(), max_blocking_time_)) {
    return PublishResult::kTimeout;
  }
  const std::size_t size = tandem::serialized_size(type(), message);
  CdrDataPtr data(size <= INT32_MAX ? make_data(writer_->type(), static_cast<std::uint32_t>(size)) : nullptr);
  if (!data || tandem::serialize(type(), message, data->bytes(), size) != size) {
    return PublishResult::kNoMemory;
  }
  data->is_local = true;
  const std::lock_guard lock(writing_);  // the number and the order on the wire agree
  data->sequence = sequence_;
  return finish_locked(dds_writecdr(writer_->entity(), data.release()));
}

PublishResult Publisher::write(const void * message) {
  const std::lock_guard lock(writing_);
  number_next(sequence_);
  writer_->last_chunk.store(std::chrono::steady_clock::now(), std::memory_order_relaxed);
  return finish_locked(dds_write(writer_->entity(), message));
}

PublishResult Publisher::finish_locked(dds_return_t code) {
  const PublishResult result = to_result(code);
  if (result == PublishResult::kOk) {
    ++sequence_;
  }
  return result;
}

}  // namespace rmw_cyclonedds
