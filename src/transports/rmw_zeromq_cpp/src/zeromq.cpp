// ZeroMQ as a transport: the plug-in, and the sockets of its endpoints.
#include <algorithm>
#include <limits>

#include <zmq.hpp>

#include "frame.hpp"
#include "receiver.hpp"
#include "sender.hpp"
#include "tandem/plugin.hpp"

namespace rmw_zeromq {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

constexpr int kMaxSockets = 16383;
/// The time that libzmq has to send what is left when a publisher ends.
constexpr int kLinger = 1000;  // ms
/// Bytes of the longest frame that a publisher of this type sends. libzmq's handshake must fit, too.
std::int64_t longest_frame(const tandem::MessageType & type) {
  constexpr std::int64_t kLongestCdr = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kLongestHandshake = 256;
  const std::int64_t payload = type.is_fixed_size ? static_cast<std::int64_t>(type.size) : kLongestCdr;
  return std::max<std::int64_t>(sizeof(Frame) + payload, kLongestHandshake);
}

class ZmqWire final : public Wire {
 public:
  explicit ZmqWire(const Surroundings & around) : around_(around) {
    context_.set(zmq::ctxopt::max_sockets, kMaxSockets);
  }

  std::unique_ptr<Sender> open_sender(const SenderOptions & options) override {
    return make_sender(make_socket(zmq::socket_type::router, options.entry), options, around_, settings_);
  }

  std::unique_ptr<Receiver> open_receiver(const ReceiverOptions & options) override {
    const EndpointInfo & own = options.entry.endpoint;
    zmq::socket_t socket = make_socket(zmq::socket_type::dealer, options.entry);
    socket.set(zmq::sockopt::routing_id, std::string(RoutingId::of(own.gid, options.publisher.endpoint.gid).text()));
    socket.set(zmq::sockopt::probe_router, true);
    socket.set(zmq::sockopt::linger, 0);
    socket.set(zmq::sockopt::maxmsgsize, longest_frame(options.type));
    if (!settings_.is_vendor) {
      socket.set(zmq::sockopt::rcvhwm, static_cast<int>(std::clamp<std::uint32_t>(2 * own.qos.depth, 16, 1000)));
      socket.set(zmq::sockopt::reconnect_ivl_max, 1000);
    }
    const std::string & address = options.publisher.address;
    const bool is_tcp = address.starts_with("tcp://");
    if (zmq_connect(socket.handle(), (is_tcp ? address : "ipc://" + around_.roster.path_of(address)).c_str()) != 0) {
      throw Error("the publisher at " + address + " cannot be reached: " + zmq_strerror(zmq_errno()));
    }
    return make_receiver(std::move(socket), options);
  }

 private:
  zmq::socket_t make_socket(zmq::socket_type type, const RosterEntry & entry) {
    try {
      zmq::socket_t socket(context_, type);
      socket.set(zmq::sockopt::linger, kLinger);
      return socket;
    } catch (const zmq::error_t & error) {
      throw Error(std::string(kName) + ": topic '" + entry.endpoint.topic +
                  "': no socket can be made: " + error.what() + ". Are too many files open (ulimit -n)?");
    }
  }

  const Surroundings around_;
  const Settings settings_ = Settings::read();
  zmq::context_t context_;
};

class ZmqTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    return {{Feature::kLoans, "messages go through sockets"},
            {Feature::kVariableLoans, "messages go through sockets"},
            {Feature::kLiveliness, "its wire carries no assertions of a publisher that it lives"},
            {Feature::kOtherHosts, "its endpoints find each other in a folder of this host"},
            {Feature::kRosWire, "it has a wire of its own"}};
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return make_context<ZmqWire>(kName, domain);
  }
};

}  // namespace
}  // namespace rmw_zeromq

TANDEM_EXPORT_TRANSPORT(rmw_zeromq::ZmqTransport)
