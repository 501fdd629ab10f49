#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <mutex>

#include "iceoryx_posh/internal/popo/ports/publisher_port_user.hpp"
#include "ports.hpp"
#include "roudi.hpp"
#include "tandem/kit/chunk_pool.hpp"
#include "tandem/kit/link_sender.hpp"

namespace iceoryx {

using namespace tandem::transport;  // NOLINT: all that this file implements
using iox::mepoo::ChunkHeader;
using iox::mepoo::SharedChunk;

namespace {

using PortData = iox::popo::PublisherPortData;
using SendingData = PortData::ChunkSenderData_t;
using Distributor = iox::popo::ChunkDistributor<SendingData::ChunkDistributorData_t>;
using Queue = PortData::ChunkQueueData_t;
using Locked = std::lock_guard<const SendingData::ChunkDistributorData_t::ThisType_t>;

/// Of a message, with room for what goes before it.
constexpr std::size_t kLargest = std::numeric_limits<std::uint32_t>::max() - 65536U;

MessageHeader & header_of(ChunkHeader & chunk) { return *static_cast<MessageHeader *>(chunk.userHeader()); }

/// Messages for late joiners.
std::size_t history_of(const SenderOptions & options) {
  const Qos & qos = options.entry.endpoint.qos;
  return qos.durability == Durability::kVolatile ? 0 : qos.history == History::kKeepAll ? options.window : qos.depth;
}

/// Whether there are more of them than iceoryx keeps.
bool has_long_history(const SenderOptions & options) { return history_of(options) > iox::MAX_PUBLISHER_HISTORY; }

iox::popo::PublisherOptions options_of(const SenderOptions & wanted) {
  iox::popo::PublisherOptions options;
  options.historyCapacity = has_long_history(wanted) ? 0 : history_of(wanted);
  options.subscriberTooSlowPolicy =
      iox::popo::ConsumerTooSlowPolicy::WAIT_FOR_CONSUMER;  // or RouDi connects none that keeps all
  options.nodeName = "-";
  return options;
}

/// iceoryx' port. It lives until the last chunk is gone. Thread-safe.
class Port {
 public:
  Port(std::shared_ptr<Runtime> runtime, const SenderOptions & options);
  ~Port() { port_.destroy(); }
  Port(const Port &) = delete;
  Port & operator=(const Port &) = delete;

  /// Null when there is none. It is to be given back or taken out.
  ChunkHeader * allocate(std::size_t size, bool & is_fresh);
  void give_back(ChunkHeader * chunk);
  SharedChunk take_out(const ChunkHeader * chunk);
  /// What all queues have goes into the history, and is lent again when nobody has it any more.
  void retire(SharedChunk chunk);
  /// Of the history; null: it is not there.
  SharedChunk find(std::uint64_t sequence);
  /// Once more in shared memory; null: there is none.
  SharedChunk share(const Header & header, const Chunk & copy);

  /// Null when it is not connected.
  const Queue * queue_of(const Gid & subscription) const;
  /// Null only asks for room. \return false when its reader keeps all and there is none; true when the queue has gone.
  bool push(const Queue * queue, const SharedChunk & chunk) const;
  void fill_header(ChunkHeader & chunk, const Header & header) const {
    header_of(chunk) = {MessageHeader::kMagic, gid_, header};
  }
  std::string address() const { return runtime_->address_of(sending()); }
  ChunkPool & copies() const { return *copies_; }

 private:
  SendingData & sending() const { return data_.m_chunkSenderData; }
  std::size_t largest_message() const;
  std::string too_large(std::size_t size) const;

  const std::shared_ptr<Runtime> runtime_;
  const std::string topic_;
  const Gid gid_;
  const std::uint32_t alignment_;
  const std::shared_ptr<ChunkPool> copies_ = std::make_shared<ChunkPool>();
  PortData & data_;
  std::mutex mutex_;                   ///< taken before iceoryx' lock
  iox::popo::PublisherPortUser port_;  ///< its lists of chunks are guarded by mutex_
  bool said_too_large_ = false;        ///< guarded by mutex_
};

Port::Port(std::shared_ptr<Runtime> runtime, const SenderOptions & options)
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

std::size_t Port::largest_message() const {
  const auto & pools = *sending().m_memoryMgr;
  const std::uint32_t count = pools.getNumberOfMemPools();
  const std::size_t chunk = count == 0 ? 0 : pools.getMemPoolInfo(count - 1).m_chunkSize;
  const std::size_t around = sizeof(ChunkHeader) + sizeof(MessageHeader) + 64;
  return chunk > around ? chunk - around : 0;
}

std::string Port::too_large(std::size_t size) const {
  return "a message of " + std::to_string(size) + " bytes is larger than any chunk of RouDi's memory (" +
         std::to_string(largest_message()) +
         "). Start RouDi with larger pools: `ros2 run rmw_iceoryx_cpp tandem_roudi`";
}

ChunkHeader * Port::allocate(std::size_t size, bool & is_fresh) {
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

void Port::give_back(ChunkHeader * chunk) {
  const std::lock_guard<std::mutex> lock(mutex_);
  fill_header(*chunk, {});
  port_.releaseChunk(chunk);
}

SharedChunk Port::take_out(const ChunkHeader * chunk) {
  SharedChunk shared(nullptr);
  const std::lock_guard<std::mutex> lock(mutex_);
  sending().m_chunksInUse.remove(chunk, shared);
  return shared;
}

void Port::retire(SharedChunk chunk) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (sending().m_historyCapacity > 0) {
    Distributor(&sending()).addToHistoryWithoutDelivery(chunk);
  }
  sending().m_lastChunkUnmanaged.releaseToSharedChunk();
  sending().m_lastChunkUnmanaged = std::move(chunk);
}

SharedChunk Port::find(std::uint64_t sequence) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto & kept : sending().m_history) {
    if (header_of(*kept.getChunkHeader()).header.sequence == sequence) {
      return kept.cloneToSharedChunk();
    }
  }
  return nullptr;
}

SharedChunk Port::share(const Header & header, const Chunk & copy) {
  bool ignored = false;
  ChunkHeader * const chunk = allocate(copy.size, ignored);
  if (chunk == nullptr) {
    return nullptr;
  }
  std::memcpy(chunk->userPayload(), copy.data, copy.size);
  fill_header(*chunk, header);
  return take_out(chunk);
}

const Queue * Port::queue_of(const Gid & subscription) const {
  const Locked lock(sending());
  const Queue * latest = nullptr;
  for (const auto & queue : sending().m_queues) {
    const auto & label = queue->m_conditionVariableNotificationIndex;
    latest = label.has_value() && *label == label_of(subscription) ? queue.get() : latest;
  }
  return latest;
}

bool Port::push(const Queue * to, const SharedChunk & chunk) const {
  const Locked lock(sending());
  for (auto & queue : sending().m_queues) {
    if (queue.get() != to) {
      continue;
    }
    const bool keeps_all = queue->m_queueFullPolicy == iox::popo::QueueFullPolicy::BLOCK_PRODUCER;
    if (!chunk) {
      return !keeps_all || queue->m_queue.size() < queue->m_queue.capacity();
    }
    auto surplus = queue->m_queue.push(chunk);  // the oldest, or this one
    if (surplus.has_value()) {
      surplus->releaseToSharedChunk();
    }
    return !keeps_all || !surplus.has_value();
  }
  return true;
}

class LentChunk final : public Chunk {
 public:
  LentChunk(std::shared_ptr<Port> port, ChunkHeader * raw, std::size_t bytes) : port_(std::move(port)), raw_(raw) {
    data = static_cast<std::byte *>(raw->userPayload());
    size = bytes;
  }
  ~LentChunk() override {
    if (raw_ != nullptr) {
      port_->give_back(raw_);
    }
  }

  /// Between the two it is sent. After end() it is readable where iceoryx' history has it, or as a copy in ordinary memory.
  void begin(const Header & header) {
    port_->fill_header(*raw_, header);
    shared_ = port_->take_out(std::exchange(raw_, nullptr));
  }
  void end(bool is_to_be_copied) {
    try {
      copy_ = is_to_be_copied ? port_->copies().lend(size) : nullptr;
    } catch (const std::bad_alloc &) {  // who waits for it loses it, as its number tells
    }
    if (copy_) {
      std::memcpy(copy_->data, data, size);
    }
    data = nullptr;
    port_->retire(std::exchange(shared_, nullptr));
  }
  /// Where it lies in shared memory; null: nowhere any more.
  SharedChunk shared(const Header & header) const { return shared_ ? shared_ : port_->find(header.sequence); }
  const Chunk * copy() const { return copy_.get(); }

 private:
  const std::shared_ptr<Port> port_;
  ChunkHeader * raw_;            ///< while it is lent
  SharedChunk shared_{nullptr};  ///< while it is sent
  std::unique_ptr<Chunk> copy_;
};

/// To the queue of one subscription. Where that keeps all and is full the link looks again, ever more seldom.
class QueueLink final : public OutgoingLink {
 public:
  QueueLink(std::shared_ptr<Port> port, const Queue * queue, Poller & poller, const std::function<void()> & on_room)
      : port_(std::move(port)), queue_(queue), poller_(poller), on_room_(on_room) {}

  Result send(const Header & header, const std::shared_ptr<Chunk> & chunk) override {
    const auto & lent = static_cast<LentChunk &>(*chunk);
    SharedChunk shared = lent.shared(header);
    if (!shared && lent.copy() == nullptr) {
      return Result::kSent;  // it is lost, as its number tells
    }
    if (!shared && port_->push(queue_, nullptr)) {
      shared = port_->share(header, *lent.copy());
    }
    if (shared && port_->push(queue_, shared)) {
      patience_ = kFirst;
      return Result::kSent;
    }
    look_again();
    return Result::kLater;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kFirst{1};
  static constexpr std::chrono::milliseconds kLongest{256};

  void look_again() {
    if (Clock::now() >= next_look_) {
      next_look_ = Clock::now() + patience_;  // before the call, which is not to come too early for the next
      poller_.call_in(patience_, on_room_);
      patience_ = std::min(2 * patience_, kLongest);
    }
  }

  const std::shared_ptr<Port> port_;
  const Queue * const queue_;  ///< as the port knows it: it may have gone
  Poller & poller_;
  const std::function<void()> on_room_;
  std::chrono::milliseconds patience_ = kFirst;
  Clock::time_point next_look_;
};

class IceoryxSender final : public LinkSender {
 public:
  IceoryxSender(std::shared_ptr<Runtime> runtime, Poller & poller, const SenderOptions & options)
      : LinkSender(options),
        is_history_copied_(has_long_history(options)),
        poller_(poller),
        on_room_(options.on_room),
        port_(std::make_shared<Port>(std::move(runtime), options)) {}

  Loans loans() const override { return Loans::kShared; }
  std::string address() const override { return port_->address(); }

  std::unique_ptr<Chunk> allocate(std::size_t size) override {
    bool is_fresh = false;
    ChunkHeader * const raw = port_->allocate(size, is_fresh);
    auto chunk = raw != nullptr ? std::make_unique<LentChunk>(port_, raw, size) : nullptr;
    if (chunk) {
      chunk->is_fresh = is_fresh;
    }
    return chunk;
  }

  PublishResult send(const Header & header, std::shared_ptr<Chunk> chunk) override {
    auto & lent = static_cast<LentChunk &>(*chunk);
    lent.begin(header);
    LinkSender::send(header, chunk);
    is_delivered_ = is_idle();
    lent.end(is_history_copied_ || !is_delivered_);
    return PublishResult::kOk;
  }
  void flush() override {
    LinkSender::flush();
    is_delivered_ = is_idle();
  }
  bool delivers() const override { return is_delivered_; }

 private:
  std::unique_ptr<OutgoingLink> accept(const Gid & subscription) override {
    const auto * const queue = port_->queue_of(subscription);
    return queue != nullptr ? std::make_unique<QueueLink>(port_, queue, poller_, on_room_) : nullptr;
  }

  const bool is_history_copied_;
  Poller & poller_;
  const std::function<void()> on_room_;
  const std::shared_ptr<Port> port_;
  std::atomic<bool> is_delivered_{true};
};

}  // namespace

std::unique_ptr<Sender> make_sender(std::shared_ptr<Runtime> runtime, Poller & poller, const SenderOptions & options) {
  try {
    return std::make_unique<IceoryxSender>(std::move(runtime), poller, options);
  } catch (const Error & error) {
    throw Error(std::string(kName) + ": topic '" + options.entry.endpoint.topic + "': " + error.what());
  }
}

}  // namespace iceoryx
