// Round trips over each transport's own interface (tandem/transport.hpp) between two processes.
//
//   transports.block.NAME.N   both sides sleep in the transport's wait-set
//   transports.poll.NAME.N    both sides call take() until there is a message
//
// One way is: borrow N bytes where the transport lends, else take a message of our own; write the first 16; publish; take
// on the other side; read these 16. A series transports.cpu.NAME.N comes with the first: the time that the process's
// threads were on a processor for one message, sending and receiving it.
#include <cstring>
#include <vector>

#include "sized_round_trip.hpp"
#include "tandem/plugin.hpp"
#include "tandem_benchmark/msg/message1m.hpp"
#include "tandem_benchmark/msg/message4m.hpp"
#include "tandem_benchmark/msg/message64b.hpp"
#include "tandem_benchmark/msg/message8k.hpp"

namespace bench {
namespace {

namespace transport = tandem::transport;

/// DDS transports find each other in this domain only.
constexpr std::uint32_t kDomain = 97;

/// One for all contestants of this process; it stays to its end.
transport::Context & context(const std::string & name) {
  static const auto joined = transport::load(name).create_context(kDomain);
  return *joined;
}

transport::TopicOptions options(const TransportContest & contest, bool there) {
  transport::TopicOptions result;
  result.node = {"/", "bench"};
  // With the transport's name, or those over DDS would talk to each other.
  result.topic = "/bench/" + contest.transport + "/" + std::string(contest.polls ? "poll" : "block") +
                 std::to_string(contest.size) + (there ? "/there" : "/back");
  return result;
}

class TransportRoundTrip : public SizedRoundTrip {
 public:
  TransportRoundTrip(const std::string & name, const TransportContest & contest, bool ping)
      : SizedRoundTrip(name, contest),
        publisher_(context(contest.transport).create_publisher(message_type(contest.size), options(contest, ping))),
        subscription_(
            context(contest.transport).create_subscription(message_type(contest.size), options(contest, !ping))),
        message_(message_type(contest.size).size) {
    message_type(contest.size).construct(message_.data());
    if (!contest.polls) {
      wait_set_ = context(contest.transport).create_wait_set();
      wait_set_->attach(subscription_);
    }
  }

  bool is_connected() const override {
    return publisher_->subscription_count() == 1 && subscription_->publisher_count() == 1;
  }

 private:
  void send(const Head & head) override {
    transport::PublishResult result = transport::PublishResult::kOk;
    if (publisher_->can_loan()) {
      auto loan = publisher_->borrow();
      if (!loan) {
        throw std::runtime_error(contest().transport + " lends no message");
      }
      std::memcpy(loan.data(), &head, sizeof head);
      result = publisher_->publish(std::move(loan));
    } else {
      std::memcpy(message_.data(), &head, sizeof head);
      result = publisher_->publish(message_.data());
    }
    if (result != transport::PublishResult::kOk) {
      throw std::runtime_error(std::string("publish failed: ") + transport::to_string(result));
    }
  }

  Head receive() override {
    sample_ = {};
    Patience patience;
    for (;;) {
      if ((sample_ = subscription_->take())) {
        Head head;
        std::memcpy(&head, sample_.message, sizeof head);
        return head;
      }
      if (!wait_set_) {
        patience.check();
      } else if (!wait_set_->wait(kPatience)) {
        Patience::give_up();
      }
    }
  }

  const std::shared_ptr<transport::Publisher> publisher_;
  const std::shared_ptr<transport::Subscription> subscription_;
  std::shared_ptr<transport::WaitSet> wait_set_;
  std::vector<std::byte> message_;
  transport::Sample sample_;
};

}  // namespace

const tandem::MessageType & message_type(std::size_t size) {
  switch (size) {
    case 64: return tandem::message_type<tandem_benchmark::msg::Message64b>();
    case 8192: return tandem::message_type<tandem_benchmark::msg::Message8k>();
    case 1048576: return tandem::message_type<tandem_benchmark::msg::Message1m>();
    default: return tandem::message_type<tandem_benchmark::msg::Message4m>();
  }
}

std::unique_ptr<Contestant> make_transport(const std::string & name, const Seat & seat) {
  return std::make_unique<TransportRoundTrip>(name, parse_transport_contest(name), seat.ping);
}

}  // namespace bench
