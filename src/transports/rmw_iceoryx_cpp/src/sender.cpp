// The sender over iceoryx: its messages, and a link to the queue of each subscription.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "ports.hpp"
#include "publisher_port.hpp"
#include "roudi.hpp"
#include "tandem/kit/link_sender.hpp"

namespace iceoryx {

using namespace tandem::transport;  // NOLINT: all that this file implements

namespace {

using ChunkHeader = PublisherPort::ChunkHeader;
using SharedChunk = PublisherPort::SharedChunk;

/// One message of the port: lent to the user, then sent, then in iceoryx' history or copied.
class PortChunk final : public Chunk {
 public:
  PortChunk(std::shared_ptr<PublisherPort> port, ChunkHeader * raw, std::size_t bytes)
      : port_(std::move(port)), raw_(raw) {
    data = static_cast<std::byte *>(raw->userPayload());
    size = bytes;
  }
  ~PortChunk() override {
    if (raw_ != nullptr) {
      port_->give_back(raw_);
    }
  }

  /// The message is sent between begin_sending() and end_sending(). After that iceoryx' history has it or, if `is_copied`
  /// says so, ordinary memory.
  void begin_sending(const Header & header) {
    port_->fill_header(*raw_, header);
    shared_ = port_->take_out(std::exchange(raw_, nullptr));
  }
  void end_sending(bool is_copied) {
    try {
      copy_ = is_copied ? port_->copies().lend(size) : nullptr;
    } catch (const std::bad_alloc &) {  // subscriptions that wait for it count it as lost by its number
    }
    if (copy_) {
      std::memcpy(copy_->data, data, size);
    }
    data = nullptr;
    port_->retire(std::exchange(shared_, nullptr));
  }
  /// The message in shared memory; null when it is there no more.
  SharedChunk shared(const Header & header) const { return shared_ ? shared_ : port_->find(header.sequence); }
  const Chunk * copy() const { return copy_.get(); }

 private:
  const std::shared_ptr<PublisherPort> port_;
  ChunkHeader * raw_;            ///< while it is lent, else null
  SharedChunk shared_{nullptr};  ///< while it is sent, else null
  std::unique_ptr<Chunk> copy_;  ///< after it was sent; may be null
};

/// Sends to the queue of one subscription. iceoryx does not tell when a full queue has room again, so the link tries again
/// after a pause that grows.
class QueueLink final : public OutgoingLink {
 public:
  QueueLink(std::shared_ptr<PublisherPort> port, const PublisherPort::Queue * queue, Poller & poller,
            const std::function<void()> & on_room)
      : port_(std::move(port)), queue_(queue), poller_(poller), on_room_(on_room) {}

  Result send(const Header & header, const std::shared_ptr<Chunk> & chunk) override {
    const auto & message = static_cast<PortChunk &>(*chunk);
    SharedChunk shared = message.shared(header);
    if (!shared && message.copy() == nullptr) {
      return Result::kSent;  // the subscription counts it as lost by its number
    }
    if (!shared && port_->has_room(queue_)) {
      shared = port_->share(header, *message.copy());
    }
    if (shared && port_->push(queue_, shared)) {
      pause_ = kShortestPause;
      return Result::kSent;
    }
    try_again_later();
    return Result::kLater;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kShortestPause{1};
  static constexpr std::chrono::milliseconds kLongestPause{256};

  void try_again_later() {
    if (Clock::now() >= next_attempt_) {
      next_attempt_ = Clock::now() + pause_;  // read before call_in(), so that the call does not come too early
      poller_.call_in(pause_, on_room_);
      pause_ = std::min(2 * pause_, kLongestPause);
    }
  }

  const std::shared_ptr<PublisherPort> port_;
  const PublisherPort::Queue * const queue_;  ///< a key for the port: the queue itself may have gone
  Poller & poller_;
  const std::function<void()> on_room_;
  std::chrono::milliseconds pause_ = kShortestPause;
  Clock::time_point next_attempt_;
};

class IceoryxSender final : public LinkSender {
 public:
  IceoryxSender(std::shared_ptr<Runtime> runtime, Poller & poller, const SenderOptions & options)
      : LinkSender(options),
        is_history_copied_(has_long_history(options)),
        poller_(poller),
        on_room_(options.on_room),
        port_(std::make_shared<PublisherPort>(std::move(runtime), options)) {}

  Loans loans() const override { return Loans::kShared; }
  std::string address() const override { return port_->address(); }

  std::unique_ptr<Chunk> allocate(std::size_t size) override {
    bool is_fresh = false;
    ChunkHeader * const raw = port_->allocate(size, is_fresh);
    auto chunk = raw != nullptr ? std::make_unique<PortChunk>(port_, raw, size) : nullptr;
    if (chunk) {
      chunk->is_fresh = is_fresh;
    }
    return chunk;
  }

  PublishResult send(const Header & header, std::shared_ptr<Chunk> chunk, const Gid * only) override {
    auto & message = static_cast<PortChunk &>(*chunk);
    message.begin_sending(header);
    LinkSender::send(header, chunk, only);
    is_delivered_ = is_idle();
    message.end_sending(is_history_copied_ || !is_delivered_);
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
  const std::shared_ptr<PublisherPort> port_;
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
