#include "publisher_port.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <thread>

#include "iceoryx_posh/internal/popo/building_blocks/chunk_distributor.hpp"
#include "iceoryx_posh/internal/popo/building_blocks/chunk_queue_pusher.hpp"
#include "ports.hpp"
#include "roudi.hpp"
#include "tandem/kit/endpoint.hpp"

namespace iceoryx {

using iox::mepoo::ChunkHeader;
using iox::mepoo::SharedChunk;
using iox::popo::QueueFullPolicy;
using std::chrono::steady_clock;
using tandem::transport::Error;
using tandem::transport::History;
using tandem::transport::Qos;
using tandem::transport::Reliability;

namespace {

constexpr auto kPatience = std::chrono::microseconds(200);  // between two looks at a full queue
constexpr auto kNewcomersLimit = std::chrono::seconds(1);
constexpr std::size_t kLargest = std::numeric_limits<std::uint32_t>::max() - 65536U;

using Sender = iox::popo::PublisherPortData::ChunkSenderData_t;
using Locked = std::lock_guard<const Sender::ChunkDistributorData_t::ThisType_t>;

std::size_t memory_depth(const Qos & qos) {
  const std::size_t depth = history_of(qos);
  return depth > iox::MAX_PUBLISHER_HISTORY ? depth : 0;
}

iox::popo::PublisherOptions options_of(const Qos & qos) {
  iox::popo::PublisherOptions options;
  options.historyCapacity = memory_depth(qos) > 0 ? 0 : history_of(qos);
  // Readers that keep all connect with no other; whether to wait is decided in send().
  options.subscriberTooSlowPolicy = iox::popo::ConsumerTooSlowPolicy::WAIT_FOR_CONSUMER;
  options.nodeName = "-";
  return options;
}

std::uint32_t alignment_of(const tandem::MessageType & type) {
  return static_cast<std::uint32_t>(std::max<std::size_t>(type.is_fixed_size ? type.alignment : 8, 8));
}

std::size_t largest_message(const iox::popo::PublisherPortData & data) {
  const auto & pools = *data.m_chunkSenderData.m_memoryMgr;
  const std::uint32_t count = pools.getNumberOfMemPools();
  const std::size_t chunk = count == 0 ? 0 : pools.getMemPoolInfo(count - 1).m_chunkSize;
  const std::size_t around = sizeof(ChunkHeader) + sizeof(MessageHeader) + 64;
  return chunk > around ? chunk - around : 0;
}

std::string too_large(std::size_t size, std::size_t largest) {
  return "a message of " + std::to_string(size) + " bytes is larger than any chunk of RouDi's memory (" +
         std::to_string(largest) + "). Start RouDi with larger pools: `ros2 run rmw_iceoryx_cpp tandem_roudi`";
}

MessageHeader & header_of(void * payload) {
  return *static_cast<MessageHeader *>(ChunkHeader::fromUserPayload(payload)->userHeader());
}

/// What the reader of this queue has asked RouDi for. The queue lies in the reader's port; the compiler knows where.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
std::size_t wanted_history(const PublisherPort::Queue * queue) {
  using Port = iox::popo::SubscriberPortData;
  const auto * receiver = static_cast<const Port::ChunkReceiverData_t *>(queue);
  const auto * port =
      reinterpret_cast<const Port *>(reinterpret_cast<const char *>(receiver) - offsetof(Port, m_chunkReceiverData));
  return port->m_options.historyRequest;
}
#pragma GCC diagnostic pop

bool push(PublisherPort::Queue & queue, const SharedChunk & chunk) {
  return iox::popo::ChunkQueuePusher<PublisherPort::Queue>(&queue).push(chunk);
}

}  // namespace

PublisherPort::PublisherPort(std::shared_ptr<Runtime> runtime, std::uint32_t domain, const tandem::MessageType & type,
                             const EndpointInfo & endpoint)
    : runtime_(std::move(runtime)),
      type_(type),
      endpoint_(endpoint),
      tag_(type_tag(type)),
      since_(monotonic_now()),
      memory_depth_(memory_depth(endpoint.qos)),
      data_(runtime_->create_publisher(service_of(domain, endpoint), options_of(endpoint.qos), endpoint.topic)),
      port_(&data_) {
  runtime_->stuck_locks().add(&data_.m_chunkSenderData);
  const std::size_t largest = largest_message(data_);
  if (type.is_fixed_size && type.size > largest) {
    runtime_->stuck_locks().remove(&data_.m_chunkSenderData);
    port_.destroy();
    throw Error(std::string(kName) + ": topic '" + endpoint.topic + "': " + too_large(type.size, largest));
  }
}

PublisherPort::~PublisherPort() {
  runtime_->stuck_locks().remove(&data_.m_chunkSenderData);
  port_.destroy();
}

void * PublisherPort::allocate(std::size_t size, bool & is_message) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (size <= kLargest) {
    auto chunk = port_.tryAllocateChunk(static_cast<std::uint32_t>(size), alignment_of(type_), sizeof(MessageHeader),
                                        alignof(MessageHeader));
    if (!chunk.has_error()) {
      auto & header = *static_cast<MessageHeader *>(chunk.value()->userHeader());
      is_message =
          header.magic == MessageHeader::kMagic && header.type_tag == tag_ && header.publisher == endpoint_.gid;
      header.magic = 0;  // until there is a message again
      header.size = size;
      return chunk.value()->userPayload();
    }
  }
  const std::size_t largest = largest_message(data_);
  if (size > largest && !said_too_large_) {
    said_too_large_ = true;
    tandem::transport::warn(kName, endpoint_.topic, too_large(size, largest));
  }
  return nullptr;
}

void PublisherPort::release(void * payload) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto & header = header_of(payload);
  header.type_tag = tag_;
  header.publisher = endpoint_.gid;
  header.magic = MessageHeader::kMagic;
  port_.releaseChunk(ChunkHeader::fromUserPayload(payload));
}

PublishResult PublisherPort::send(void * payload) {
  MessageHeader & header = header_of(payload);
  header.type_tag = tag_;
  header.stamp = tandem::transport::now();
  header.publisher_since = since_;
  header.process = runtime_->process_id();
  header.publisher = endpoint_.gid;
  header.reliability = endpoint_.qos.reliability;
  header.durability = endpoint_.qos.durability;
  header.magic = MessageHeader::kMagic;

  const std::lock_guard<std::mutex> order(send_mutex_);
  const auto begin = steady_clock::now();
  const auto end =
      begin + std::min<std::chrono::nanoseconds>(endpoint_.qos.max_blocking_time, std::chrono::hours(1000));
  SharedChunk chunk(nullptr);
  std::vector<Queue *> rest;
  for (bool is_sent = false; !is_sent;) {
    bool has_new = false;
    {
      const Locked lock(data_.m_chunkSenderData);
      has_new = has_newcomer();
      if (!has_new && has_room()) {
        rest = distribute(payload, chunk);
        is_sent = true;
      }
    }
    if (has_new) {
      serve_newcomers(begin + kNewcomersLimit);
    } else if (!is_sent) {
      if (steady_clock::now() >= end) {
        release(payload);
        return PublishResult::kTimeout;
      }
      std::this_thread::sleep_for(kPatience);
    }
  }
  bool reached_all = true;
  for (Queue * queue : rest) {
    reached_all = push_later(queue, chunk, end) && reached_all;
  }
  if (memory_depth_ > 0) {
    remember(payload);
  }
  return reached_all ? PublishResult::kOk : PublishResult::kTimeout;
}

bool PublisherPort::must_wait(const Queue & queue) const {
  if (endpoint_.qos.history != History::kKeepAll || endpoint_.qos.reliability != Reliability::kReliable ||
      queue.m_queueFullPolicy != QueueFullPolicy::BLOCK_PRODUCER) {
    return false;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  return matched_.count(&queue) > 0;
}

bool PublisherPort::has_room() const {
  const auto & queues = data_.m_chunkSenderData.m_queues;
  return std::all_of(queues.begin(), queues.end(), [this](const auto & queue) {
    return !must_wait(*queue) || queue->m_queue.size() < queue->m_queue.capacity();
  });
}

SharedChunk PublisherPort::take_out(const ChunkHeader * header) {
  SharedChunk chunk(nullptr);
  const std::lock_guard<std::mutex> lock(mutex_);
  data_.m_chunkSenderData.m_chunksInUse.remove(header, chunk);
  return chunk;
}

/// To all queues and the history. \return readers that keep all and whose room another publisher has taken meanwhile.
std::vector<PublisherPort::Queue *> PublisherPort::distribute(void * payload, SharedChunk & chunk) {
  Sender & sender = data_.m_chunkSenderData;
  chunk = take_out(ChunkHeader::fromUserPayload(payload));
  header_of(payload).sequence = sender.m_sequenceNumber++;
  std::vector<Queue *> rest;
  for (auto & queue : sender.m_queues) {
    if (!push(*queue, chunk) && must_wait(*queue)) {
      rest.push_back(queue.get());
    }
  }
  iox::popo::ChunkDistributor<Sender::ChunkDistributorData_t>(&sender).addToHistoryWithoutDelivery(chunk);
  const std::lock_guard<std::mutex> lock(mutex_);
  sender.m_lastChunkUnmanaged.releaseToSharedChunk();
  sender.m_lastChunkUnmanaged = chunk;
  return rest;
}

/// \return false when the time is over.
bool PublisherPort::push_later(Queue * queue, const SharedChunk & chunk, Time end) {
  for (;;) {
    {
      const Locked lock(data_.m_chunkSenderData);
      const auto & queues = data_.m_chunkSenderData.m_queues;
      const bool is_there = std::any_of(queues.begin(), queues.end(), [queue](auto & one) { return one == queue; });
      // Other queues have lost their oldest message when push() says no.
      if (!is_there || push(*queue, chunk) || queue->m_queueFullPolicy != QueueFullPolicy::BLOCK_PRODUCER) {
        return true;
      }
    }
    if (steady_clock::now() >= end) {
      return false;
    }
    std::this_thread::sleep_for(kPatience);
  }
}

void PublisherPort::set_matched(std::set<const Queue *> queues) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    matched_ = std::move(queues);
  }
  if (memory_depth_ == 0) {
    return;
  }
  // Whoever sends just now looks for newcomers itself.
  if (const std::unique_lock<std::mutex> order(send_mutex_, std::try_to_lock); order) {
    serve_newcomers(steady_clock::now() + kNewcomersLimit);
  }
}

bool PublisherPort::has_newcomer() const {
  const auto & queues = data_.m_chunkSenderData.m_queues;
  return memory_depth_ > 0 && std::any_of(queues.begin(), queues.end(),
                                          [this](const auto & queue) { return served_.count(queue->m_uniqueId) == 0; });
}

std::vector<PublisherPort::Queue *> PublisherPort::welcome_newcomers() {
  const Locked lock(data_.m_chunkSenderData);
  std::set<iox::cxx::UniqueId> present;
  std::vector<Queue *> newcomers;
  for (const auto & queue : data_.m_chunkSenderData.m_queues) {
    present.insert(queue->m_uniqueId);
    if (served_.count(queue->m_uniqueId) == 0) {
      newcomers.push_back(queue.get());
    }
  }
  served_ = std::move(present);
  return newcomers;
}

void PublisherPort::serve_newcomers(Time end) {
  for (Queue * newcomer : welcome_newcomers()) {
    const std::size_t count = std::min(wanted_history(newcomer), memory_.size());
    for (auto bytes = memory_.end() - static_cast<std::ptrdiff_t>(count); bytes != memory_.end(); ++bytes) {
      bool is_message = false;
      void * payload = allocate(bytes->size() - sizeof(MessageHeader), is_message);
      if (payload == nullptr) {
        return;
      }
      std::memcpy(&header_of(payload), bytes->data(), sizeof(MessageHeader));
      std::memcpy(payload, bytes->data() + sizeof(MessageHeader), bytes->size() - sizeof(MessageHeader));
      push_later(newcomer, take_out(ChunkHeader::fromUserPayload(payload)), end);
    }
  }
}

/// A copy in ordinary memory.
void PublisherPort::remember(const void * payload) {
  const MessageHeader & header = header_of(const_cast<void *>(payload));
  Bytes bytes;
  if (memory_.size() >= memory_depth_) {
    bytes = std::move(memory_.front());
    memory_.pop_front();
  }
  bytes.resize(sizeof header + header.size);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, payload, header.size);
  memory_.push_back(std::move(bytes));
}

}  // namespace iceoryx
