// rclcpp.N: round trips of loaned messages of N bytes through rclcpp.
//
// One way is: borrow_loaned_message, write the first 16, publish, wake the executor of the other side, enter
// its callback, read these 16.
#include "common/suites.hpp"
#include "ros/ros_round_trip.hpp"
#include "tandem_benchmark/msg/message1m.hpp"
#include "tandem_benchmark/msg/message4m.hpp"
#include "tandem_benchmark/msg/message64b.hpp"
#include "tandem_benchmark/msg/message8k.hpp"

namespace bench {
namespace {

template <class Message>
class RclcppRoundTrip : public RosRoundTrip<Message> {
 public:
  using RosRoundTrip<Message>::RosRoundTrip;

 private:
  Head head_of(const Message & message) const override { return {message.sequence, message.last}; }

  void send(const Head & head) override {
    auto loan = this->publisher().borrow_loaned_message();
    loan.get().sequence = head.sequence;
    loan.get().last = head.last;
    this->publisher().publish(std::move(loan));
  }
};

std::unique_ptr<Contestant> make(const std::string & name, const Role & role) {
  switch (number_after(name, "rclcpp.")) {
    case 64: return std::make_unique<RclcppRoundTrip<tandem_benchmark::msg::Message64b>>(name, role.ping);
    case 8192: return std::make_unique<RclcppRoundTrip<tandem_benchmark::msg::Message8k>>(name, role.ping);
    case 1048576: return std::make_unique<RclcppRoundTrip<tandem_benchmark::msg::Message1m>>(name, role.ping);
    default: return std::make_unique<RclcppRoundTrip<tandem_benchmark::msg::Message4m>>(name, role.ping);
  }
}

}  // namespace

Suite rclcpp_suite(const Length & length) {
  Suite suite{"rclcpp", 1, make};
  for (const std::size_t size : kSizes) {
    const std::string series = "rclcpp." + std::to_string(size);
    suite.add(series, length.samples(1000), "rclcpp callbacks, blocking, " + size_text(size));
    suite.targets.push_back({"rclcpp, blocking, " + size_text(size) + " / futex", series, "floor.futex", 1.5});
  }
  return suite;
}

}  // namespace bench
