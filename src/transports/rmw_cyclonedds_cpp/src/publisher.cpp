#include "publisher.hpp"

#include <utility>

#include "qos.hpp"
#include "tandem/cdr.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/transport_support/endpoint.hpp"

namespace rmw_cyclonedds {
namespace {

using transport::PublishResult;

PublishResult to_result(dds_return_t code) {
  switch (code) {
    case DDS_RETCODE_OK:
      return PublishResult::kOk;
    case DDS_RETCODE_TIMEOUT:
      return PublishResult::kTimeout;
    case DDS_RETCODE_OUT_OF_RESOURCES:
      return PublishResult::kNoMemory;
    default:
      return PublishResult::kClosed;
  }
}

}  // namespace

Publisher::Publisher(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
                     const transport::TopicOptions & options)
    : CopyingPublisher(type),
      participant_(std::move(participant)),
      waits_(transport::must_wait(options.qos, options.qos)),
      max_blocking_time_(options.qos.max_blocking_time) {
  transport::EndpointInfo endpoint = make_endpoint(kName, transport::EndpointKind::kPublisher, type, options);
  const Topic topic(*participant_, tandem::dds::to_dds_topic(options.topic),
                    make_type(tandem::dds::to_dds_type(type.name), &type, false));
  const QosPtr qos = writer_qos(options.qos, tandem::dds::endpoint_user_data(type.hash));
  writer_ = checked(dds_create_writer(participant_->entity(), topic.entity(), qos.get(), nullptr),
                    "the publisher of topic '" + options.topic + "'");
  topic_type_ = &topic.type();
  gid_ = gid_of(writer_);
  endpoint.gid = gid_;
  participant_->graph().add(endpoint);
}

Publisher::~Publisher() {
  dds_delete(writer_);
  participant_->graph().remove(gid_);
}

std::size_t Publisher::subscription_count() const {
  dds_publication_matched_status_t status{};
  dds_get_publication_matched_status(writer_, &status);
  return status.current_count;
}

bool Publisher::wait_for_all_acked(std::chrono::nanoseconds timeout) {
  return dds_wait_for_acks(writer_, timeout.count() < 0 ? DDS_INFINITY : timeout.count()) == DDS_RETCODE_OK;
}

PublishResult Publisher::send(const void * message) {
  if (waits_ && !participant_->flow().wait(writer_, max_blocking_time_)) {
    return PublishResult::kTimeout;
  }
  const std::size_t size = tandem::serialized_size(type(), message);
  CdrDataPtr data(size <= INT32_MAX ? make_data(*topic_type_, static_cast<std::uint32_t>(size)) : nullptr);
  if (!data || tandem::serialize(type(), message, data->bytes(), size) != size) {
    return PublishResult::kNoMemory;
  }
  data->is_local = true;
  const std::lock_guard lock(writing_);  // the number and the order on the wire agree
  data->sequence = sequence_;
  const PublishResult result = to_result(dds_writecdr(writer_, data.release()));
  if (result == PublishResult::kOk) {
    ++sequence_;
  }
  return result;
}

}  // namespace rmw_cyclonedds
