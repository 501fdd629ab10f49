// libzmq itself, without our transport: XPUB and SUB over tcp, nothing dropped. A publisher whose subscribers are full waits.
#include "links/floor_support.hpp"

#ifdef WITH_ZEROMQ
#include <poll.h>

#include <zmq.hpp>

#include "links/floor_sockets.hpp"

namespace lab {
namespace {

using std::chrono::nanoseconds;
using tandem::transport::RosterEntry;

constexpr int kHighWaterMark = 6000;  // that of OSLL's study

zmq::context_t & context() {
  static zmq::context_t instance;
  return instance;
}

class ZeromqOutlet : public Outlet {
 public:
  ZeromqOutlet(std::shared_ptr<Meeting> meeting, const Spec & spec, const std::string & topic)
      : place_(std::move(meeting), Place::Kind::kPublisher, topic, spec),
        socket_(context(), zmq::socket_type::xpub),
        own_(spec.size) {
    refuse_loan(spec);
    socket_.set(zmq::sockopt::sndhwm, kHighWaterMark);
    socket_.set(zmq::sockopt::xpub_nodrop, true);
    socket_.set(zmq::sockopt::xpub_verboser, true);  // every subscriber is told, that it goes as well
    socket_.set(zmq::sockopt::sndtimeo, static_cast<int>(std::chrono::milliseconds(kPatience).count()));
    socket_.set(zmq::sockopt::linger, static_cast<int>(std::chrono::milliseconds(kPatience).count()));
    socket_.bind("tcp://" + local_address(spec) + ":*");
    place_.announce(socket_.get(zmq::sockopt::last_endpoint));
  }

  Sent send(const Fill & fill) override {
    count_subscribers();
    fill(own_);
    ++sent_;
    return socket_.send(zmq::buffer(own_)) ? Sent::kOk : Sent::kTimeout;
  }
  std::size_t matched() const override {
    const_cast<ZeromqOutlet *>(this)->count_subscribers();
    return subscribers_;
  }
  bool flush(std::chrono::milliseconds) override { return true; }
  std::uint64_t copied() const override { return sent_; }

 private:
  /// A frame of one byte: 1 from who subscribes, 0 from who goes.
  void count_subscribers() {
    for (zmq::message_t word; socket_.recv(word, zmq::recv_flags::dontwait);) {
      if (word.size() > 0) {
        subscribers_ += *word.data<char>() != 0 ? 1 : std::size_t(-1);
      }
    }
  }

  Place place_;
  zmq::socket_t socket_;
  std::vector<std::byte> own_;
  std::size_t subscribers_ = 0;
  std::uint64_t sent_ = 0;
};

class ZeromqInlet : public Inlet {
 public:
  ZeromqInlet(std::shared_ptr<Meeting> meeting, const Spec & spec, const std::string & topic)
      : size_(spec.size),
        place_(std::move(meeting), Place::Kind::kSubscription, topic, spec, [this] { alarm_.ring(); }),
        socket_(context(), zmq::socket_type::sub) {
    socket_.set(zmq::sockopt::rcvhwm, kHighWaterMark);
    socket_.set(zmq::sockopt::linger, 0);
    socket_.set(zmq::sockopt::subscribe, "");
    place_.announce("");
  }

  Arrival take() override {
    look_around();
    auto message = std::make_shared<zmq::message_t>();
    if (!socket_.recv(*message, zmq::recv_flags::dontwait) || message->size() != size_) {
      return {};
    }
    return {{message->data<std::byte>(), size_}, std::move(message)};
  }

  void wait(nanoseconds timeout) override {
    zmq::pollitem_t files[] = {{socket_.handle(), 0, ZMQ_POLLIN, 0}, {nullptr, alarm_.fd(), ZMQ_POLLIN, 0}};
    zmq::poll(files, 2, std::chrono::ceil<std::chrono::milliseconds>(timeout));
    if (files[1].revents != 0) {
      alarm_.clear();
    }
  }
  void wake() override { alarm_.ring(); }
  std::size_t matched() const override {
    const_cast<ZeromqInlet *>(this)->look_around();
    return publishers_.size();
  }

 private:
  void look_around() {
    if (place_.has_changed()) {
      const auto others = place_.others();  // who has left is left to the library: there may be messages to read
      for (const RosterEntry & publisher : others) {
        if (!is_among(publishers_, publisher.endpoint.gid)) {
          socket_.connect(publisher.address);
        }
      }
      publishers_ = others;
    }
  }

  const std::size_t size_;
  Alarm alarm_;
  Place place_;
  zmq::socket_t socket_;
  std::vector<RosterEntry> publishers_;
};

}  // namespace

std::unique_ptr<Link> make_zeromq_link(const Spec & spec) {
  return std::make_unique<MeetingLink<ZeromqOutlet, ZeromqInlet>>(spec);
}

}  // namespace lab

#else

namespace lab {

std::unique_ptr<Link> make_zeromq_link(const Spec &) {
  throw Unsupported(
      "ZeroMQ was not there when the laboratory was built: install the Debian packages cppzmq-dev and libzmq3-dev");
}

}  // namespace lab

#endif
