#include "publisher_port.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "roudi.hpp"
#include "tandem/kit/endpoint.hpp"

namespace iceoryx {

using namespace tandem::transport;  // NOLINT: all that this file implements

namespace {

using SendingData = iox::popo::PublisherPortData::ChunkSenderData_t;
using Distributor = iox::popo::ChunkDistributor<SendingData::ChunkDistributorData_t>;
using Locked = std::lock_guard<const SendingData::ChunkDistributorData_t::ThisType_t>;

/// Bytes of the largest message: a chunk's size has 32 bits, and its headers come before the message.
constexpr std::size_t kLargest = std::numeric_limits<std::uint32_t>::max() - 65536U;

MessageHeader & header_of(iox::mepoo::ChunkHeader & chunk) { return *static_cast<MessageHeader *>(chunk.userHeader()); }

bool keeps_all(const PublisherPort::Queue & queue) {
  return queue.m_queueFullPolicy == iox::popo::QueueFullPolicy::BLOCK_PRODUCER;
}

/// The queue itself, which may be written; null when it is not connected any more. Under the port's Locked.
PublisherPort::Queue * find_connected(SendingData & sending, const PublisherPort::Queue * wanted) {
  for (auto & queue : sending.m_queues) {
    if (queue.get() == wanted) {
      return queue.get();
    }
  }
  return nullptr;
}

/// The number of messages that are kept for late joiners.
std::size_t history_of(const SenderOptions & options) {
  const Qos & qos = options.entry.endpoint.qos;
  return qos.durability == Durability::kVolatile ? 0 : qos.history == History::kKeepAll ? options.window : qos.depth;
}

iox::popo::PublisherOptions options_of(const SenderOptions & wanted) {
  iox::popo::PublisherOptions options;
  options.historyCapacity = has_long_history(wanted) ? 0 : history_of(wanted);
  // RouDi would otherwise connect no subscriber that keeps all.
  options.subscriberTooSlowPolicy = iox::popo::ConsumerTooSlowPolicy::WAIT_FOR_CONSUMER;
  options.nodeName = "-";
  return options;
}

}  // namespace

bool has_long_history(const SenderOptions & options) { return history_of(options) > iox::MAX_PUBLISHER_HISTORY; }

PublisherPort::PublisherPort(std::shared_ptr<Runtime> runtime, const SenderOptions & options)
    : runtime_(std::move(runtime)),
      topic_(options.entry.endpoint.topic),
      gid_(options.entry.endpoint.gid),
      alignment_(static_cast<std::uint32_t>(
          std::max<std::size_t>(options.type.is_fixed_size ? options.type.alignment : 8, 8))),
      data_(*static_cast<PortData *>(
          runtime_->create(iox::runtime::IpcMessageType::CREATE_PUBLISHER, gid_, options_of(options).serialize()))),
      port_(&data_) {
  if (options.type.is_fixed_size && options.type.size > largest_message()) {
    port_.destroy();
    throw Error(too_large(options.type.size));
  }
}

std::size_t PublisherPort::largest_message() const {
  const auto & pools = *sending().m_memoryMgr;
  const std::uint32_t count = pools.getNumberOfMemPools();
  const std::size_t chunk = count == 0 ? 0 : pools.getMemPoolInfo(count - 1).m_chunkSize;
  const std::size_t around = sizeof(ChunkHeader) + sizeof(MessageHeader) + 64;
  return chunk > around ? chunk - around : 0;
}

std::string PublisherPort::too_large(std::size_t size) const {
  return "a message of " + std::to_string(size) + " bytes is larger than any chunk of RouDi's memory (" +
         std::to_string(largest_message()) +
         "). Start RouDi with larger pools: `ros2 run rmw_iceoryx_cpp tandem_roudi`";
}

PublisherPort::ChunkHeader * PublisherPort::allocate(std::size_t size, bool & is_fresh) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (size <= kLargest) {
    auto chunk = port_.tryAllocateChunk(static_cast<std::uint32_t>(size), alignment_, sizeof(MessageHeader),
                                        alignof(MessageHeader));
    if (!chunk.has_error()) {
      MessageHeader & header = header_of(*chunk.value());
      is_fresh = header.magic != MessageHeader::kMagic || header.publisher != gid_;
      header.magic = 0;  // until there is a message again
      return chunk.value();
    }
  }
  if (size > largest_message() && !std::exchange(said_too_large_, true)) {
    warn(kName, topic_, too_large(size));
  }
  return nullptr;
}

void PublisherPort::give_back(ChunkHeader * chunk) {
  const std::lock_guard<std::mutex> lock(mutex_);
  fill_header(*chunk, {});
  port_.releaseChunk(chunk);
}

PublisherPort::SharedChunk PublisherPort::take_out(const ChunkHeader * chunk) {
  SharedChunk shared(nullptr);
  const std::lock_guard<std::mutex> lock(mutex_);
  sending().m_chunksInUse.remove(chunk, shared);
  return shared;
}

void PublisherPort::retire(SharedChunk chunk) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (sending().m_historyCapacity > 0) {
    Distributor(&sending()).addToHistoryWithoutDelivery(chunk);
  }
  sending().m_lastChunkUnmanaged.releaseToSharedChunk();
  sending().m_lastChunkUnmanaged = std::move(chunk);
}

PublisherPort::SharedChunk PublisherPort::find(std::uint64_t sequence) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto & kept : sending().m_history) {
    if (header_of(*kept.getChunkHeader()).header.sequence == sequence) {
      return kept.cloneToSharedChunk();
    }
  }
  return nullptr;
}

PublisherPort::SharedChunk PublisherPort::share(const Header & header, const Chunk & copy) {
  bool ignored = false;
  ChunkHeader * const chunk = allocate(copy.size, ignored);
  if (chunk == nullptr) {
    return nullptr;
  }
  std::memcpy(chunk->userPayload(), copy.data, copy.size);
  fill_header(*chunk, header);
  return take_out(chunk);
}

const PublisherPort::Queue * PublisherPort::queue_of(const Gid & subscription) const {
  const Locked lock(sending());
  const Queue * latest = nullptr;
  for (const auto & queue : sending().m_queues) {
    const auto & label = queue->m_conditionVariableNotificationIndex;
    latest = label.has_value() && *label == label_of(subscription) ? queue.get() : latest;
  }
  return latest;
}

bool PublisherPort::has_room(const Queue * to) const {
  const Locked lock(sending());
  Queue * const queue = find_connected(sending(), to);
  return queue == nullptr || !keeps_all(*queue) || queue->m_queue.size() < queue->m_queue.capacity();
}

bool PublisherPort::push(const Queue * to, const SharedChunk & chunk) const {
  const Locked lock(sending());
  Queue * const queue = find_connected(sending(), to);
  if (queue == nullptr) {
    return true;
  }
  auto surplus = queue->m_queue.push(chunk);  // the oldest message; this one if the reader keeps all
  if (surplus.has_value()) {
    surplus->releaseToSharedChunk();
  }
  return !keeps_all(*queue) || !surplus.has_value();
}

void PublisherPort::fill_header(ChunkHeader & chunk, const Header & header) const {
  header_of(chunk) = {MessageHeader::kMagic, gid_, header};
}

std::string PublisherPort::address() const { return runtime_->address_of(sending()); }

}  // namespace iceoryx
