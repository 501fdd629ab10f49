// Round trips over each transport's own interface (tandem/transport.hpp) between two processes.
//
//   transports.block.NAME.N   both sides sleep in the transport's wait-set
//   transports.poll.NAME.N    both sides call take() until there is a message
//
// One way is: borrow N bytes where the transport lends, else take a message of our own; write the first 16; publish; take
// on the other side; read these 16. A series transports.cpu.NAME.N comes with the first: the time that the process's
// threads were on a processor for one message, sending and receiving it.
#include <cstring>

#include "tandem/plugin.hpp"
#include "tandem_benchmark/msg/message1m.hpp"
#include "tandem_benchmark/msg/message4m.hpp"
#include "tandem_benchmark/msg/message64b.hpp"
#include "tandem_benchmark/msg/message8k.hpp"
#include "transport/sized_round_trip.hpp"

namespace bench {
namespace {

namespace transport = tandem::transport;

/// DDS transports find each other in this domain only.
constexpr std::uint32_t kDomain = 97;

/// One for all contestants of this process; it stays to its end.
const std::shared_ptr<transport::Context> & context(const std::string & name) {
  static const auto joined = transport::load(name).create_context(kDomain);
  return joined;
}

tandem::measure::TransportLinkOptions options(const TransportContest & contest) {
  tandem::measure::TransportLinkOptions result;
  result.transport = contest.player;
  result.kind = message_kind(contest.size);
  result.loans = tandem::measure::Loans::kWherePossible;
  result.node = {"/", "bench"};
  return result;
}

std::string topic(const TransportContest & contest, bool there) {
  // With the transport's name, or those over DDS would talk to each other.
  return "/bench/" + contest.player + "/" + std::string(contest.polls ? "poll" : "block") +
         std::to_string(contest.size) + (there ? "/there" : "/back");
}

class TransportRoundTrip : public SizedRoundTrip {
 public:
  TransportRoundTrip(const std::string & name, bool ping)
      : SizedRoundTrip(name),
        link_(context(contest().player), options(contest())),
        outlet_(link_.make_transport_outlet(topic(contest(), ping))),
        inlet_(link_.make_transport_inlet(topic(contest(), !ping))),
        fill_([this](std::span<std::byte> message) { std::memcpy(message.data(), &head_, sizeof head_); }) {
    if (!contest().polls) {
      wait_set_ = context(contest().player)->create_wait_set();
      inlet_->attach_to(wait_set_);
    }
  }

  bool is_connected() const override { return outlet_->matched() == 1 && inlet_->matched() == 1; }

 private:
  void send(const Head & head) override {
    head_ = head;
    const auto result = outlet_->publish(fill_);
    if (!result) {
      throw std::runtime_error(contest().player + " lends no message");
    }
    if (*result != transport::PublishResult::kOk) {
      throw std::runtime_error(std::string("publish failed: ") + transport::to_string(*result));
    }
  }

  Head receive() override {
    arrival_ = {};
    Patience patience;
    for (;;) {
      if ((arrival_ = inlet_->take())) {
        Head head;
        std::memcpy(&head, arrival_.payload.data(), sizeof head);
        return head;
      }
      if (!wait_set_) {
        patience.check();
      } else if (!wait_set_->wait(kPatience)) {
        Patience::give_up();
      }
    }
  }

  tandem::measure::TransportLink link_;
  const std::unique_ptr<tandem::measure::TransportOutlet> outlet_;
  const std::unique_ptr<tandem::measure::TransportInlet> inlet_;
  std::shared_ptr<transport::WaitSet> wait_set_;
  const tandem::measure::Fill fill_;
  Head head_;  ///< of the next message
  tandem::measure::Arrival arrival_;
};

}  // namespace

tandem::measure::MessageKind message_kind(std::size_t size) {
  using tandem::measure::whole_message;
  switch (size) {
    case 64: return whole_message<tandem_benchmark::msg::Message64b>();
    case 8192: return whole_message<tandem_benchmark::msg::Message8k>();
    case 1048576: return whole_message<tandem_benchmark::msg::Message1m>();
    default: return whole_message<tandem_benchmark::msg::Message4m>();
  }
}

std::unique_ptr<Contestant> make_transport(const std::string & name, const Role & role) {
  return std::make_unique<TransportRoundTrip>(name, role.ping);
}

}  // namespace bench
