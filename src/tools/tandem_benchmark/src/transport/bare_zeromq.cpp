// transports.block.zeromq.N: round trips over libzmq alone, doing what rmw_zeromq_cpp has to: PUB and SUB over ipc, the
// message copied into a frame behind a header, read where it lies in the other side's; both sides sleep in zmq_poll.
#include <cstring>
#include <vector>
#include <zmq.hpp>

#include "transport/sized_round_trip.hpp"

namespace bench {
namespace {

constexpr std::size_t kHeader = 40;  // as large as the adapter's

zmq::context_t & context() {
  static zmq::context_t one;
  return one;
}

class BareZeromq : public SizedRoundTrip {
 public:
  BareZeromq(const std::string & name, const Role & role)
      : SizedRoundTrip(name),
        message_(contest().size),
        publisher_(context(), ZMQ_PUB),
        subscriber_(context(), ZMQ_SUB) {
    const std::string address = "ipc://" + role.folder + "/zeromq." + std::to_string(contest().size);
    publisher_.bind(address + (role.ping ? ".there" : ".back"));
    subscriber_.connect(address + (role.ping ? ".back" : ".there"));
    subscriber_.set(zmq::sockopt::subscribe, "");
    monitor_.init(publisher_, "inproc://" + name, ZMQ_EVENT_HANDSHAKE_SUCCEEDED);
  }

  /// The subscription itself follows the handshake at once.
  bool is_connected() const override { return monitor_.is_connected(); }

 private:
  class Monitor : public zmq::monitor_t {
   public:
    bool is_connected() {
      if (!connected_) {
        check_event(0);
      }
      return connected_;
    }
    void on_event_handshake_succeeded(const zmq_event_t &, const char *) override { connected_ = true; }

   private:
    bool connected_ = false;
  };

  void send(const Head & head) override {
    std::memcpy(message_.data(), &head, sizeof head);
    zmq::message_t frame(kHeader + message_.size());
    std::memcpy(static_cast<std::byte *>(frame.data()) + kHeader, message_.data(), message_.size());
    if (!publisher_.send(frame, zmq::send_flags::dontwait)) {
      throw std::runtime_error("publish failed");
    }
  }

  Head receive() override {
    zmq::pollitem_t item{subscriber_.handle(), 0, ZMQ_POLLIN, 0};
    while (!subscriber_.recv(frame_, zmq::recv_flags::dontwait)) {
      if (zmq::poll(&item, 1, kPatience) == 0) {
        Patience::give_up();
      }
    }
    Head head;
    std::memcpy(&head, static_cast<const std::byte *>(frame_.data()) + kHeader, sizeof head);
    return head;
  }

  std::vector<std::byte> message_;
  zmq::socket_t publisher_;
  zmq::socket_t subscriber_;
  mutable Monitor monitor_;
  zmq::message_t frame_;
};

}  // namespace

std::unique_ptr<Contestant> make_bare_zeromq(const std::string & name, const Role & role) {
  return std::make_unique<BareZeromq>(name, role);
}

}  // namespace bench
