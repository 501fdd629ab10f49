// Sends messages back to back, writes when each was sent into publisher.txt, and stays for those who still receive.
#include <chrono>
#include <exception>
#include <ios>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "rmw/rmw.h"
#include "settings.hpp"
#include "std_msgs/msg/string.hpp"

namespace {

using namespace std::chrono_literals;
using std_msgs::msg::String;

class DelayPublisher : public rclcpp::Node {
 public:
  DelayPublisher() : Node("publisher"), settings_(test_sub_and_pub::set_up(*this, 1, "pub_cpuset")) {
    publisher_ = create_publisher<String>(test_sub_and_pub::kTopic, test_sub_and_pub::qos());
  }

  /// \return false when it was interrupted.
  bool publish_all() {
    if (!wait_for_subscriber()) return false;
    String message;
    message.data = std::string(settings_.length, 'x');
    std::vector<std::int64_t> stamps;
    stamps.reserve(settings_.number);
    for (std::size_t i = 0; i < settings_.number; ++i) {
      delay_study::Text::put_number(message.data, i);
      stamps.push_back(delay_study::now_ns());
      if (!publish(message)) return false;
    }
    delay_study::write_stamps("publisher.txt", stamps, std::ios::trunc);
    RCLCPP_INFO(get_logger(), "published %zu messages of %zu characters over %s; Ctrl-C ends me", settings_.number,
                settings_.length, rmw_get_implementation_identifier());
    return true;
  }

 private:
  bool wait_for_subscriber() {
    while (rclcpp::ok() && publisher_->get_subscription_count() == 0) rclcpp::sleep_for(1ms);
    // Who is discovered is not yet ready everywhere: its first messages would wait for that, not for the transport.
    return rclcpp::sleep_for(500ms) && rclcpp::ok();
  }

  /// A queue that stays full is waited for, as long as there is somebody to empty it: nothing is lost.
  bool publish(const String & message) {
    while (rclcpp::ok()) {
      try {
        publisher_->publish(message);
        return true;
      } catch (const rclcpp::exceptions::RCLError & error) {
        if (error.ret != RCL_RET_TIMEOUT || publisher_->get_subscription_count() == 0) throw;
      }
    }
    return false;
  }

  const test_sub_and_pub::Settings settings_;
  rclcpp::Publisher<String>::SharedPtr publisher_;
};

}  // namespace

int main(int argc, char * argv[]) {
  int status = 0;
  try {
    rclcpp::init(argc, argv);
    const auto node = std::make_shared<DelayPublisher>();
    if (node->publish_all()) rclcpp::spin(node);
  } catch (const std::exception & error) {
    RCLCPP_FATAL(rclcpp::get_logger("publisher"), "%s", error.what());
    status = 1;
  }
  rclcpp::shutdown();
  return status;
}
