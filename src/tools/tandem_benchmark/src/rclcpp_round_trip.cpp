// rclcpp.N: round trips through rclcpp between two processes. Each side is a node whose subscription callback publishes
// a loaned message, spun by a single-threaded executor that sleeps between messages (TANDEM_SPIN_US=0).
//
// One way is: borrow_loaned_message of N bytes, write the first 16, publish, wake the executor of the other side, enter
// its callback, read these 16.
#include <future>

#include "contestant.hpp"
#include "ros.hpp"
#include "tandem_benchmark/msg/message1m.hpp"
#include "tandem_benchmark/msg/message4m.hpp"
#include "tandem_benchmark/msg/message64b.hpp"
#include "tandem_benchmark/msg/message8k.hpp"

namespace bench {
namespace {

template <class Message>
class RclcppRoundTrip : public Contestant {
 public:
  RclcppRoundTrip(const std::string & name, bool ping) : name_(name), is_ping_(ping) {
    const std::string there = "/bench/" + topic_name() + "/there";
    const std::string back = "/bench/" + topic_name() + "/back";
    publisher_ = ros().node->create_publisher<Message>(ping ? there : back, 10);
    subscription_ = ros().node->create_subscription<Message>(
        ping ? back : there, 10, [this](const std::shared_ptr<const Message> message) { receive(*message); });
  }

  bool is_connected() const override {
    return publisher_->get_subscription_count() == 1 && subscription_->get_publisher_count() == 1;
  }

  Samples ping(const Burst & burst) override {
    burst_ = burst;
    samples_.clear();
    samples_.reserve(burst.samples);
    next_ = 0;
    before_ = Clock::now();
    limit_ = before_ + burst.budget;
    ended_ = {};
    send_next();
    spin_until_end();
    return {{name_, samples_}};
  }

  void pong() override {
    // A burst may have begun before this: the callback of its first message is then still to come.
    ended_ = {};
    spin_until_end();
  }

 private:
  std::string topic_name() const {
    std::string topic = name_;
    std::replace(topic.begin(), topic.end(), '.', '_');
    return topic;
  }

  void spin_until_end() {
    const auto end = ended_.get_future().share();
    if (ros().executor->spin_until_future_complete(end, kPatience) != rclcpp::FutureReturnCode::SUCCESS) {
      Patience::give_up();
    }
    end.get();
  }

  void receive(const Message & message) {
    if (!is_ping_) {
      send({message.sequence, message.last});
      if (message.last != 0) {
        ended_.set_value();
      }
      return;
    }
    const auto now = Clock::now();
    if (message.sequence + 1 != next_) {
      ended_.set_exception(std::make_exception_ptr(std::runtime_error("a message was lost")));
      return;
    }
    if (next_ > burst_.warm_up || message.last != 0) {
      samples_.push_back(nanoseconds_between(before_, now) / 2);
    }
    before_ = now;
    if (message.last != 0) {
      ended_.set_value();
    } else {
      send_next();
    }
  }

  void send_next() {
    const bool last = next_ + 1 >= burst_.warm_up + burst_.samples || before_ > limit_;
    send({next_++, last ? 1U : 0U});
  }

  void send(const Head & head) {
    auto loan = publisher_->borrow_loaned_message();
    loan.get().sequence = head.sequence;
    loan.get().last = head.last;
    publisher_->publish(std::move(loan));
  }

  const std::string name_;
  const bool is_ping_;
  std::shared_ptr<rclcpp::Publisher<Message>> publisher_;
  std::shared_ptr<rclcpp::Subscription<Message>> subscription_;
  std::promise<void> ended_;
  Burst burst_;
  std::vector<double> samples_;
  std::uint64_t next_ = 0;
  Clock::time_point before_;
  Clock::time_point limit_;
};

}  // namespace

std::unique_ptr<Contestant> make_rclcpp(const std::string & name, const Seat & seat) {
  switch (number_after(name, "rclcpp.")) {
    case 64: return std::make_unique<RclcppRoundTrip<tandem_benchmark::msg::Message64b>>(name, seat.ping);
    case 8192: return std::make_unique<RclcppRoundTrip<tandem_benchmark::msg::Message8k>>(name, seat.ping);
    case 1048576: return std::make_unique<RclcppRoundTrip<tandem_benchmark::msg::Message1m>>(name, seat.ping);
    default: return std::make_unique<RclcppRoundTrip<tandem_benchmark::msg::Message4m>>(name, seat.ping);
  }
}

}  // namespace bench
