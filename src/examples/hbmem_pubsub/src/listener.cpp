// Prints how long each message of the talker took. The message is the talker's own object, read in place.
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <memory>

#include "hbmem_pubsub/msg/sample_message.hpp"
#include "rclcpp/rclcpp.hpp"

using hbmem_pubsub::msg::SampleMessage;

namespace {

std::uint64_t microseconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

class Listener : public rclcpp::Node {
 public:
  Listener() : Node("listener") {
    subscription_ = create_subscription_hbmem<SampleMessage>(
        "topic", 10, [this](SampleMessage::ConstSharedPtr message) { hear(*message); });
  }

 private:
  void hear(const SampleMessage & message) const {
    RCLCPP_INFO(get_logger(), "msg %" PRId32 ", time cost %" PRIu64 "us", message.index,
                microseconds_now() - message.time_stamp);
  }

  rclcpp::SubscriptionHbmem<SampleMessage>::SharedPtr subscription_;
};

}  // namespace

int main(int argc, char * argv[]) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Listener>());
  rclcpp::shutdown();
  return 0;
}
