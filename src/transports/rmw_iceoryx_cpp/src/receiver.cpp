#include <algorithm>
#include <atomic>
#include <mutex>

#include "iceoryx_posh/internal/popo/ports/subscriber_port_user.hpp"
#include "ports.hpp"

namespace iceoryx {

using namespace tandem::transport;  // NOLINT: all that this file implements
using iox::mepoo::ChunkHeader;

namespace {

/// iceoryx lets a port hold 256 chunks; some are on their way to a copy.
constexpr std::size_t kMaxHeld = 200;

iox::popo::SubscriberOptions options_of(const Qos & qos) {
  iox::popo::SubscriberOptions options;
  options.queueCapacity = iox::MAX_SUBSCRIBER_QUEUE_CAPACITY;
  if (qos.history == History::kKeepAll) {
    options.queueFullPolicy = iox::popo::QueueFullPolicy::BLOCK_PRODUCER;
  } else {
    options.queueCapacity = std::min<std::uint64_t>(qos.depth, options.queueCapacity);
  }
  options.nodeName = "-";
  return options;
}

/// Whoever holds a chunk keeps it alive. Thread-safe.
class SubscriberPort {
 public:
  SubscriberPort(std::shared_ptr<Runtime> runtime, const ReceiverOptions & options)
      : runtime_(std::move(runtime)),
        data_(*static_cast<iox::popo::SubscriberPortData *>(
            runtime_->create(iox::runtime::IpcMessageType::CREATE_SUBSCRIBER, options.publisher.endpoint.gid,
                             options_of(options.entry.endpoint.qos).serialize()))),
        port_(&data_) {
    data_.m_chunkReceiverData.m_conditionVariableNotificationIndex.emplace(label_of(options.entry.endpoint.gid));
  }
  ~SubscriberPort() {
    port_.releaseQueuedChunks();
    port_.destroy();
  }
  SubscriberPort(const SubscriberPort &) = delete;
  SubscriberPort & operator=(const SubscriberPort &) = delete;

  /// Nothing comes any more; what is held stays.
  void close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    port_.unsubscribe();
    port_.releaseQueuedChunks();
  }
  bool has_data() const { return !data_.m_chunkReceiverData.m_queue.empty(); }
  /// To be given back; null: there is none.
  const ChunkHeader * pop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto chunk = port_.tryGetChunk();
    return chunk.has_error() ? nullptr : chunk.value();
  }
  void give_back(const ChunkHeader * chunk) {
    const std::lock_guard<std::mutex> lock(mutex_);
    port_.releaseChunk(chunk);
  }

  std::atomic<std::size_t> held{0};

 private:
  const std::shared_ptr<Runtime> runtime_;
  iox::popo::SubscriberPortData & data_;
  std::mutex mutex_;
  iox::popo::SubscriberPortUser port_;  ///< guarded by mutex_
};

class TakenChunk final : public Chunk {
 public:
  TakenChunk(std::shared_ptr<SubscriberPort> port, const ChunkHeader * chunk) : port_(std::move(port)), chunk_(chunk) {
    data = const_cast<std::byte *>(static_cast<const std::byte *>(chunk->userPayload()));
    size = chunk->userPayloadSize();
    hold = port_->held.fetch_add(1, std::memory_order_relaxed) < kMaxHeld ? Hold::kWithinQuota : Hold::kNever;
  }
  ~TakenChunk() override {
    port_->held.fetch_sub(1, std::memory_order_relaxed);
    port_->give_back(chunk_);
  }

 private:
  const std::shared_ptr<SubscriberPort> port_;
  const ChunkHeader * const chunk_;
};

class IceoryxReceiver final : public Receiver {
 public:
  explicit IceoryxReceiver(std::shared_ptr<SubscriberPort> port) : port_(std::move(port)) {}
  ~IceoryxReceiver() override { port_->close(); }

  bool has_data() const override { return port_->has_data(); }
  bool take(Header & header, std::unique_ptr<Chunk> & chunk) override {
    while (const ChunkHeader * const raw = port_->pop()) {
      auto taken = std::make_unique<TakenChunk>(port_, raw);
      const auto * const said = static_cast<const MessageHeader *>(raw->userHeader());
      if (raw->userHeaderSize() == sizeof *said && said->magic == MessageHeader::kMagic) {
        header = said->header;
        chunk = std::move(taken);
        return true;
      }
    }
    return false;
  }

 private:
  const std::shared_ptr<SubscriberPort> port_;
};

}  // namespace

std::unique_ptr<Receiver> make_receiver(std::shared_ptr<Runtime> runtime, const ReceiverOptions & options) {
  return std::make_unique<IceoryxReceiver>(std::make_shared<SubscriberPort>(std::move(runtime), options));
}

}  // namespace iceoryx
