// Publishes a 4 MiB message every 40 ms. Each is written where its subscribers will read it: nothing is copied.
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "hbmem_pubsub/msg/sample_message.hpp"
#include "rclcpp/rclcpp.hpp"

using hbmem_pubsub::msg::SampleMessage;

namespace {

std::uint64_t microseconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

class Talker : public rclcpp::Node {
 public:
  Talker() : Node("talker") {
    // An integer is the depth of the history: keep the last 10 messages, reliable.
    publisher_ = create_publisher_hbmem<SampleMessage>("topic", 10);
    timer_ = create_wall_timer(std::chrono::milliseconds(40), [this] { talk(); });
  }

 private:
  void talk() {
    auto loan = publisher_->borrow_loaned_message();
    // No loan means that listeners keep every block: this message is left out, a later one will go.
    if (!loan.is_valid()) {
      RCLCPP_WARN(get_logger(), "no memory to borrow, message %d is left out", index_);
      return;
    }
    SampleMessage & message = loan.get();
    message.index = index_;
    message.time_stamp = microseconds_now();
    RCLCPP_INFO(get_logger(), "message: %d", message.index);
    publisher_->publish(std::move(loan));  // from here on the message is its readers'
    ++index_;
  }

  rclcpp::PublisherHbmem<SampleMessage>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
  std::int32_t index_ = 0;
};

}  // namespace

int main(int argc, char * argv[]) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Talker>());
  rclcpp::shutdown();
  return 0;
}
