// Receives the messages, then appends a line with the times to subscriber.txt, says so and ends.
#include <chrono>
#include <exception>
#include <ios>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "rmw/rmw.h"
#include "settings.hpp"
#include "std_msgs/msg/string.hpp"

namespace {

using namespace std::chrono_literals;
using std_msgs::msg::String;

class DelaySubscriber : public rclcpp::Node {
 public:
  DelaySubscriber() : Node("subscriber"), settings_(test_sub_and_pub::set_up(*this, 0, "sub_cpuset")) {
    stamps_.reserve(settings_.number);
    subscription_ = create_subscription<String>(test_sub_and_pub::kTopic, test_sub_and_pub::qos(),
                                                [this](const String & message) { receive(message); });
    watch_ = create_wall_timer(1s, [this] { look_for_publisher(); });
  }

  bool has_all() const { return stamps_.size() == settings_.number; }

  void write() const {
    delay_study::write_stamps("subscriber.txt", stamps_, std::ios::app);
    RCLCPP_INFO(get_logger(), "received all %zu messages of %zu characters over %s", settings_.number, settings_.length,
                rmw_get_implementation_identifier());
  }

 private:
  void receive(const String & message) {
    const std::int64_t now = delay_study::now_ns();
    if (has_all()) return;
    if (!delay_study::Text::is(message.data.data(), message.data.size(), stamps_.size(), settings_.length)) {
      throw std::runtime_error("message " + std::to_string(stamps_.size()) + " is not what was to come: " +
                               std::to_string(message.data.size()) + " characters, or another number");
    }
    stamps_.push_back(now);
    if (has_all()) rclcpp::shutdown();
  }

  /// A publisher stays until all have everything; one that is gone leaves a subscriber waiting for ever.
  void look_for_publisher() {
    if (!stamps_.empty() && !has_all() && stamps_.size() == seen_ && subscription_->get_publisher_count() == 0) {
      throw std::runtime_error("the publisher is gone; " + std::to_string(stamps_.size()) + " of " +
                               std::to_string(settings_.number) + " messages were received");
    }
    seen_ = stamps_.size();
  }

  const test_sub_and_pub::Settings settings_;
  std::vector<std::int64_t> stamps_;
  std::size_t seen_ = 0;
  rclcpp::Subscription<String>::SharedPtr subscription_;
  rclcpp::TimerBase::SharedPtr watch_;
};

}  // namespace

int main(int argc, char * argv[]) {
  int status = 0;
  try {
    rclcpp::init(argc, argv);
    const auto node = std::make_shared<DelaySubscriber>();
    rclcpp::spin(node);
    if (node->has_all()) node->write();
  } catch (const std::exception & error) {
    RCLCPP_FATAL(rclcpp::get_logger("subscriber"), "%s", error.what());
    status = 1;
  }
  rclcpp::shutdown();
  return status;
}
