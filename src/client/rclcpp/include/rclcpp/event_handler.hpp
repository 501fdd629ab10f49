// QoS event callbacks. None is raised yet: setting one is refused when the endpoint is created.
#ifndef RCLCPP__EVENT_HANDLER_HPP_
#define RCLCPP__EVENT_HANDLER_HPP_

#include <cstddef>
#include <functional>

namespace rclcpp {

struct QOSDeadlineRequestedInfo {
  int total_count = 0;
  int total_count_change = 0;
};
using QOSDeadlineOfferedInfo = QOSDeadlineRequestedInfo;
struct QOSLivelinessChangedInfo {
  int alive_count = 0;
  int not_alive_count = 0;
  int alive_count_change = 0;
  int not_alive_count_change = 0;
};
using QOSLivelinessLostInfo = QOSDeadlineRequestedInfo;
struct QOSMessageLostInfo {
  size_t total_count = 0;
  size_t total_count_change = 0;
};
struct QOSOfferedIncompatibleQoSInfo {
  int total_count = 0;
  int total_count_change = 0;
  int last_policy_kind = 0;
};
using QOSRequestedIncompatibleQoSInfo = QOSOfferedIncompatibleQoSInfo;

struct PublisherEventCallbacks {
  std::function<void(QOSDeadlineOfferedInfo &)> deadline_callback;
  std::function<void(QOSLivelinessLostInfo &)> liveliness_callback;
  std::function<void(QOSOfferedIncompatibleQoSInfo &)> incompatible_qos_callback;
};

struct SubscriptionEventCallbacks {
  std::function<void(QOSDeadlineRequestedInfo &)> deadline_callback;
  std::function<void(QOSLivelinessChangedInfo &)> liveliness_callback;
  std::function<void(QOSRequestedIncompatibleQoSInfo &)> incompatible_qos_callback;
  std::function<void(QOSMessageLostInfo &)> message_lost_callback;
};

}  // namespace rclcpp

#endif  // RCLCPP__EVENT_HANDLER_HPP_
