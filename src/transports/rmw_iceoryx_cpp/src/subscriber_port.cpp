#include "subscriber_port.hpp"

#include <algorithm>

#include "ports.hpp"

namespace iceoryx {
namespace {

using tandem::transport::History;
using tandem::transport::Qos;
using tandem::transport::Reliability;

iox::popo::SubscriberOptions options_of(const Qos & qos) {
  iox::popo::SubscriberOptions options;
  const bool keeps_all = qos.history == History::kKeepAll;
  options.queueCapacity =
      keeps_all ? iox::MAX_SUBSCRIBER_QUEUE_CAPACITY : std::min(qos.depth, iox::MAX_SUBSCRIBER_QUEUE_CAPACITY);
  options.historyRequest = history_of(qos);
  if (keeps_all && qos.reliability == Reliability::kReliable) {
    options.queueFullPolicy = iox::popo::QueueFullPolicy::BLOCK_PRODUCER;
  }
  options.nodeName = "-";
  return options;
}

}  // namespace

SubscriberPort::SubscriberPort(std::shared_ptr<Runtime> runtime, std::uint32_t domain,
                               const tandem::transport::EndpointInfo & endpoint)
    : runtime_(std::move(runtime)),
      data_(runtime_->create_subscriber(service_of(domain, endpoint), options_of(endpoint.qos), endpoint.topic)),
      port_(&data_) {
  runtime_->stuck_locks().add(&data_.m_chunkReceiverData);
}

SubscriberPort::~SubscriberPort() {
  runtime_->stuck_locks().remove(&data_.m_chunkReceiverData);
  port_.releaseQueuedChunks();
  port_.destroy();
}

void SubscriberPort::listen(DataListener & listener) { runtime_->listen(data_, listener); }

void SubscriberPort::close(DataListener & listener) {
  runtime_->unlisten(data_, listener);
  port_.unsubscribe();
}

const iox::mepoo::ChunkHeader * SubscriberPort::pop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto chunk = port_.tryGetChunk();
  if (chunk.has_error()) {
    return nullptr;
  }
  held_.fetch_add(1, std::memory_order_relaxed);
  return chunk.value();
}

void SubscriberPort::give_back(const iox::mepoo::ChunkHeader * chunk) {
  const std::lock_guard<std::mutex> lock(mutex_);
  port_.releaseChunk(chunk);
  held_.fetch_sub(1, std::memory_order_relaxed);
}

std::string SubscriberPort::address() const {
  return runtime_->address_of(
      static_cast<const iox::popo::SubscriberPortData::ChunkQueueData_t *>(&data_.m_chunkReceiverData));
}

}  // namespace iceoryx
