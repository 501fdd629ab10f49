#include "receiver.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "frame.hpp"
#include "settings.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_zeromq {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

/// Bytes. Longer messages are handed out in libzmq's memory. Shorter ones are copied: they share a buffer of libzmq's with
/// other frames, and would keep all of it.
constexpr std::size_t kLongestCopiedMessage = 8192;

/// A message where libzmq has received it.
class ReceivedChunk final : public Chunk {
 public:
  explicit ReceivedChunk(zmq::message_t message) : message_(std::move(message)) {
    data = message_.data<std::byte>() + sizeof(Frame);
    size = message_.size() - sizeof(Frame);
    hold = size > kLongestCopiedMessage ? Hold::kAlways : Hold::kNever;
  }

 private:
  zmq::message_t message_;
};

class ZmqReceiver final : public Receiver {
 public:
  ZmqReceiver(zmq::socket_t socket, const ReceiverOptions & options)
      : publisher_(options.publisher),
        inbox_(options.inbox),
        socket_(std::move(socket)),
        fd_(socket_.get(zmq::sockopt::fd)) {}

  int fd() const override { return fd_; }

  /// Pushes every frame that has come: libzmq's descriptor becomes readable only once for all of them.
  bool receive() override {
    for (;;) {
      zmq::message_t message;
      if (zmq_msg_recv(message.handle(), socket_.handle(), ZMQ_DONTWAIT) < 0) {
        return true;
      }
      Frame frame;
      if (message.size() >= sizeof frame) {
        std::memcpy(static_cast<void *>(&frame), message.data(), sizeof frame);
      }
      if (message.size() < sizeof frame || message.more() || frame.magic != Frame::kMagic ||
          frame.publisher != publisher_.endpoint.gid) {
        warn_once(message.size());
      } else {
        inbox_->push(frame.header, std::make_unique<ReceivedChunk>(std::move(message)));
      }
    }
  }

 private:
  void warn_once(std::size_t size) {
    if (!std::exchange(has_warned_, true)) {
      warn(kName, publisher_.endpoint.topic,
           "a frame of " + std::to_string(size) + " bytes from " + publisher_.address +
               " is none of its publisher's and is dropped");
    }
  }

  const RosterEntry publisher_;
  const std::shared_ptr<Inbox> inbox_;
  zmq::socket_t socket_;
  const int fd_;
  bool has_warned_ = false;
};

}  // namespace

std::unique_ptr<Receiver> make_receiver(zmq::socket_t socket, const ReceiverOptions & options) {
  return std::make_unique<ZmqReceiver>(std::move(socket), options);
}

}  // namespace rmw_zeromq
