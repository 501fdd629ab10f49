// A transport for tests, and the smallest wire that there is: a stream socket for each connection of a publisher and a
// subscription. The publisher listens, the subscription connects.
//
//   <--  gid                                    of the subscription, once
//   -->  Frame payload | Frame payload | ...
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "tandem/kit/link_sender.hpp"
#include "tandem/kit/unix_address.hpp"
#include "tandem/plugin.hpp"

namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

constexpr const char * kName = "rmw_unixsocket_cpp";

struct Frame {
  Header header;
  std::uint64_t size = 0;  ///< of the payload
};

sockaddr_un address_of(const Roster & roster, const Gid & publisher) {
  return unix_address(roster.path_of(file_of(publisher, ".sock")));
}

Descriptor make_socket() { return Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)); }

/// The publisher's end of a connection.
class SocketLink final : public OutgoingLink {
 public:
  SocketLink(Descriptor connection, Poller & poller, const std::function<void()> & on_room)
      : connection_(std::move(connection)), poller_(poller) {
    poller_.watch(connection_.get(), EPOLLOUT | EPOLLET, on_room);
  }
  ~SocketLink() override { poller_.forget(connection_.get()); }

  Result send(const Header & header, const std::shared_ptr<Chunk> & chunk) override {
    Frame frame{header, chunk->size};
    while (sent_ < sizeof frame + chunk->size) {
      const std::size_t head = sent_ < sizeof frame ? sizeof frame - sent_ : 0;
      const std::size_t skip = head > 0 ? 0 : sent_ - sizeof frame;
      iovec parts[2] = {{reinterpret_cast<std::byte *>(&frame) + sizeof frame - head, head},
                        {chunk->data + skip, chunk->size - skip}};
      msghdr whole{};
      whole.msg_iov = parts;
      whole.msg_iovlen = 2;
      const ssize_t part = sendmsg(connection_.get(), &whole, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (part < 0 && errno != EINTR) {
        return errno != EAGAIN && errno != ENOBUFS ? Result::kBroken : sent_ > 0 ? Result::kPartly : Result::kLater;
      }
      sent_ += part > 0 ? static_cast<std::size_t>(part) : 0;
    }
    sent_ = 0;
    return Result::kSent;
  }

 private:
  const Descriptor connection_;
  Poller & poller_;
  std::size_t sent_ = 0;  ///< bytes of the present message, with its frame
};

class SocketSender final : public LinkSender {
 public:
  SocketSender(const SenderOptions & options, const Surroundings & around)
      : LinkSender(options), poller_(around.poller), on_room_(options.on_room), listener_(make_socket()) {
    const sockaddr_un where = address_of(around.roster, options.entry.endpoint.gid);
    if (!listener_ || bind(listener_.get(), reinterpret_cast<const sockaddr *>(&where), sizeof where) != 0 ||
        listen(listener_.get(), SOMAXCONN) != 0) {
      throw Error(std::string(kName) + ": topic '" + options.entry.endpoint.topic +
                  "': no socket can be made beside the roster: " + std::strerror(errno) +
                  ". Set TANDEM_SHM_DIR to a directory of yours");
    }
  }

 private:
  std::unique_ptr<OutgoingLink> accept(const Gid & subscription) override {
    for (int fd = 0; (fd = accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
      unknown_.emplace_back(fd);
    }
    std::erase_if(unknown_, [this](Descriptor & connection) {
      Gid gid{};
      const ssize_t got = recv(connection.get(), gid.data(), gid.size(), MSG_DONTWAIT);
      if (got == static_cast<ssize_t>(gid.size())) {
        newcomers_[gid] = std::move(connection);
      }
      return got >= 0 || errno != EAGAIN;
    });
    const auto found = newcomers_.extract(subscription);
    return found ? std::make_unique<SocketLink>(std::move(found.mapped()), poller_, on_room_) : nullptr;
  }

  Poller & poller_;
  const std::function<void()> on_room_;
  const Descriptor listener_;
  std::vector<Descriptor> unknown_;      ///< have connected, and not yet said who they are
  std::map<Gid, Descriptor> newcomers_;  ///< have connected and are not admitted yet
};

/// The subscription's end of a connection.
class SocketReceiver final : public Receiver {
 public:
  SocketReceiver(Descriptor connection, std::shared_ptr<Inbox> inbox)
      : connection_(std::move(connection)), inbox_(std::move(inbox)) {}

  int fd() const override { return connection_.get(); }

  bool receive() override {
    constexpr int kTurn = 64;  // messages, before others get theirs
    for (int message = 0; message < kTurn; ++message) {
      const auto is_whole = chunk_ ? std::optional(true) : fill(reinterpret_cast<std::byte *>(&frame_), sizeof frame_);
      if (!is_whole.value_or(false)) {
        return is_whole.has_value();
      }
      if (!chunk_ && frame_.size > kMaxPayload) {
        return false;
      }
      chunk_ = chunk_ ? std::move(chunk_) : make_heap_chunk(frame_.size);
      const auto has_payload = fill(chunk_->data, chunk_->size);
      if (!has_payload.value_or(false)) {
        return has_payload.has_value();
      }
      inbox_->push(frame_.header, std::move(chunk_));
    }
    return true;
  }

 private:
  static constexpr std::uint64_t kMaxPayload = std::numeric_limits<std::int32_t>::max();

  /// Whether so many bytes have come by now; nothing when no more will come.
  std::optional<bool> fill(std::byte * memory, std::size_t size) {
    while (got_ < size) {
      const ssize_t part = recv(connection_.get(), memory + got_, size - got_, MSG_DONTWAIT);
      if (part == 0 || (part < 0 && errno != EAGAIN && errno != EINTR)) {
        return std::nullopt;
      }
      if (part < 0 && errno == EAGAIN) {
        return false;
      }
      got_ += part > 0 ? static_cast<std::size_t>(part) : 0;
    }
    got_ = 0;
    return true;
  }

  const Descriptor connection_;
  const std::shared_ptr<Inbox> inbox_;
  Frame frame_;
  std::unique_ptr<Chunk> chunk_;  ///< once the frame is complete
  std::size_t got_ = 0;           ///< bytes of the frame, or of the payload
};

class SocketWire final : public Wire {
 public:
  explicit SocketWire(const Surroundings & around) : around_(around) {}

  std::unique_ptr<Sender> open_sender(const SenderOptions & options) override {
    return std::make_unique<SocketSender>(options, around_);
  }

  std::unique_ptr<Receiver> open_receiver(const ReceiverOptions & options) override {
    Descriptor connection = make_socket();
    const sockaddr_un where = address_of(around_.roster, options.publisher.endpoint.gid);
    const Gid & own = options.entry.endpoint.gid;
    if (!connection || connect(connection.get(), reinterpret_cast<const sockaddr *>(&where), sizeof where) != 0 ||
        send(connection.get(), own.data(), own.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(own.size())) {
      return nullptr;
    }
    return std::make_unique<SocketReceiver>(std::move(connection), options.inbox);
  }

 private:
  const Surroundings around_;
};

class SocketTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    return {{Feature::kLoans, "messages are copied through sockets"},
            {Feature::kVariableLoans, "messages are copied through sockets"},
            {Feature::kLiveliness, "its wire carries no assertions of a publisher that it lives"},
            {Feature::kOtherHosts, "its sockets are files of this host"},
            {Feature::kRosWire, "it has a wire of its own"}};
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return make_context<SocketWire>(kName, domain);
  }
};

}  // namespace

TANDEM_EXPORT_TRANSPORT(SocketTransport)
