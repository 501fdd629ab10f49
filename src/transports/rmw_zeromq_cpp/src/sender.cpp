// The publisher's end: a socket, and a link for each subscription.
#include "sender.hpp"

#include <sys/epoll.h>

#include <cerrno>
#include <map>

#include "frame.hpp"
#include "tandem/kit/chunk_pool.hpp"
#include "tandem/kit/link_sender.hpp"

namespace rmw_zeromq {

using namespace tandem::transport;  // NOLINT: all that this file implements

namespace {

/// Bytes. libzmq gets a copy of a shorter frame, and keeps the chunk of a longer one until it is sent.
constexpr std::size_t kLongestCopiedFrame = 1024;
/// Links that wait for room are tried again after this time: libzmq tells of room only once, perhaps to another link.
constexpr auto kRetryInterval = std::chrono::milliseconds(50);

/// The chunk, with its frame header, as a message of libzmq's. Errors: std::bad_alloc.
zmq::message_t message_of(const std::shared_ptr<Chunk> & chunk) {
  std::byte * const begin = chunk->data - sizeof(Frame);
  const std::size_t size = sizeof(Frame) + chunk->size;
  try {
    if (size <= kLongestCopiedFrame) {
      return zmq::message_t(begin, size);
    }
    auto kept = std::make_unique<std::shared_ptr<Chunk>>(chunk);
    zmq::message_t message(
        begin, size, [](void *, void * hint) { delete static_cast<std::shared_ptr<Chunk> *>(hint); }, kept.get());
    static_cast<void>(kept.release());
    return message;
  } catch (const zmq::error_t &) {
    throw std::bad_alloc();
  }
}

/// One ROUTER socket, and a Link for each subscription that has connected to it.
class ZmqSender final : public LinkSender {
 public:
  ZmqSender(zmq::socket_t socket, const SenderOptions & options, Poller & poller, const Settings & settings)
      : LinkSender(options),
        gid_(options.entry.endpoint.gid),
        topic_(options.entry.endpoint.topic),
        on_room_(options.on_room),
        poller_(poller),
        pool_(std::make_shared<ChunkPool>(!settings.is_vendor)),
        socket_(std::move(socket)) {
    socket_.set(zmq::sockopt::router_mandatory, true);
    socket_.set(zmq::sockopt::router_handover, true);  // a subscription that connects again keeps its routing id
    socket_.set(zmq::sockopt::maxmsgsize, std::int64_t{256});  // only routing ids and libzmq's handshake come here
    if (!settings.is_vendor) {
      socket_.set(zmq::sockopt::backlog, 4096);
      const int depth = static_cast<int>(std::min<std::size_t>(options.entry.endpoint.qos.depth, options.window));
      socket_.set(zmq::sockopt::sndhwm, std::clamp(2 * depth, 16, static_cast<int>(options.window)));
    }
  }
  ~ZmqSender() override {
    if (!address_.empty()) {
      poller_.forget(socket_.get(zmq::sockopt::fd));
    }
  }

  /// Called once, before all else. \throws Error when no address can be bound.
  void bind(const Settings & settings, const Roster & roster);
  std::string address() const override { return address_; }
  Loans loans() const override { return Loans::kSent; }
  std::unique_ptr<Chunk> allocate(std::size_t size) override { return pool_->lend(size); }

  void flush() override {
    is_retry_due_ = false;
    accept_connections();
    LinkSender::flush();
  }

 private:
  class Link;

  void prepare(const Header & header, Chunk & chunk) override {
    const Frame frame{Frame::kMagic, header, gid_};
    std::memcpy(chunk.data - sizeof frame, &frame, sizeof frame);
  }
  std::unique_ptr<OutgoingLink> accept(const Gid & subscription) override;
  void bind_ipc(const Roster & roster);
  void bind_tcp(const Settings & settings);
  std::string error_prefix() const { return std::string(kName) + ": topic '" + topic_ + "': "; }
  void accept_connections();
  void retry_later() {
    if (!std::exchange(is_retry_due_, true)) {
      poller_.call_in(kRetryInterval, on_room_);
    }
  }

  const Gid gid_;
  const std::string topic_;
  const std::function<void()> on_room_;
  Poller & poller_;
  const std::shared_ptr<ChunkPool> pool_;
  zmq::socket_t socket_;
  std::string address_;
  std::map<Gid, RoutingId> connected_;  ///< subscriptions that are not admitted yet
  bool is_retry_due_ = false;           ///< poller_ will call on_room_
  bool has_warned_ = false;
};

class ZmqSender::Link final : public OutgoingLink {
 public:
  Link(ZmqSender & sender, const RoutingId & id) : sender_(sender), id_(id) {}

  Result send(const Header &, const std::shared_ptr<Chunk> & chunk) override {
    zmq::message_t message = message_of(chunk);
    const std::string_view id = id_.text();
    if (zmq_send(sender_.socket_.handle(), id.data(), id.size(), ZMQ_SNDMORE | ZMQ_DONTWAIT) < 0) {
      sender_.retry_later();  // there is no room, or the connection is broken and libzmq makes it anew
      return Result::kLater;
    }
    zmq_msg_send(message.handle(), sender_.socket_.handle(), ZMQ_DONTWAIT);
    return Result::kSent;
  }

 private:
  ZmqSender & sender_;
  const RoutingId id_;
};

void ZmqSender::bind(const Settings & settings, const Roster & roster) {
  if (settings.is_tcp) {
    bind_tcp(settings);
  } else {
    bind_ipc(roster);
  }
  poller_.watch(socket_.get(zmq::sockopt::fd), EPOLLIN, on_room_);
}

void ZmqSender::bind_ipc(const Roster & roster) {
  const std::string file = file_of(gid_, ".ipc");
  if (zmq_bind(socket_.handle(), ("ipc://" + roster.path_of(file)).c_str()) != 0) {
    throw Error(error_prefix() + "no socket can be made beside the roster: " + zmq_strerror(zmq_errno()) +
                ". Set TANDEM_SHM_DIR to a directory of yours");
  }
  address_ = file;
}

/// Binds the first port of the range that is free.
void ZmqSender::bind_tcp(const Settings & settings) {
  const std::string host = "tcp://" + settings.address + ":";
  for (std::uint32_t port = settings.first_port; port <= settings.last_port; ++port) {
    if (zmq_bind(socket_.handle(), (host + (port == 0 ? "*" : std::to_string(port))).c_str()) == 0) {
      address_ = socket_.get(zmq::sockopt::last_endpoint);
      if (const auto any = address_.find("//0.0.0.0:"); any != std::string::npos) {
        address_.replace(any + 2, 7, "127.0.0.1");
      }
      return;
    }
    if (zmq_errno() != EADDRINUSE) {
      throw Error(error_prefix() + "the address " + settings.address + " cannot be bound: " +
                  zmq_strerror(zmq_errno()) + ". Set TANDEM_ZEROMQ_ADDRESS to an address or an interface of this host");
    }
  }
  throw Error(error_prefix() + "every port of TANDEM_ZEROMQ_PORTS (" + std::to_string(settings.first_port) + "-" +
              std::to_string(settings.last_port) + ") is in use. Each publisher needs one: widen the range");
}

std::unique_ptr<OutgoingLink> ZmqSender::accept(const Gid & subscription) {
  accept_connections();
  const auto found = connected_.extract(subscription);
  return found ? std::make_unique<Link>(*this, found.mapped()) : nullptr;
}

/// Reads the routing ids of subscriptions that have connected. Everything else that arrives is dropped, with one warning.
void ZmqSender::accept_connections() {
  zmq::message_t id;
  zmq::message_t frame;
  while (zmq_msg_recv(id.handle(), socket_.handle(), ZMQ_DONTWAIT) >= 0) {
    int parts = 0;
    for (bool has_more = id.more(); has_more; has_more = frame.more()) {
      if (zmq_msg_recv(frame.handle(), socket_.handle(), ZMQ_DONTWAIT) < 0) {
        break;
      }
      ++parts;
    }
    RoutingId who;
    std::memcpy(static_cast<void *>(&who), id.data(), std::min(id.size(), sizeof who));
    const bool is_ours = id.size() == sizeof who && who.text() == RoutingId::of(who.subscription, gid_).text();
    if (is_ours && parts == 1 && frame.size() == 0) {
      connected_[who.subscription] = who;
    } else if (!std::exchange(has_warned_, true)) {
      warn(kName, topic_,
           "something other than a subscription speaks to the publisher at " + address_ + "; what it says is dropped");
    }
  }
}

}  // namespace

std::unique_ptr<Sender> make_sender(zmq::socket_t socket, const SenderOptions & options, const Surroundings & around,
                                    const Settings & settings) {
  auto sender = std::make_unique<ZmqSender>(std::move(socket), options, around.poller, settings);
  sender->bind(settings, around.roster);
  return sender;
}

}  // namespace rmw_zeromq
