// What is known of a received message besides its content.
#ifndef RCLCPP__MESSAGE_INFO_HPP_
#define RCLCPP__MESSAGE_INFO_HPP_

#include "rclcpp/visibility_control.hpp"
#include "rmw/types.h"

namespace rclcpp {

class MessageInfo {
 public:
  MessageInfo() = default;
  MessageInfo(const rmw_message_info_t & info) : rmw_message_info_(info) {}  // NOLINT: implicit, as in rclcpp

  const rmw_message_info_t & get_rmw_message_info() const { return rmw_message_info_; }
  rmw_message_info_t & get_rmw_message_info() { return rmw_message_info_; }

 private:
  rmw_message_info_t rmw_message_info_{};
};

}  // namespace rclcpp

#endif  // RCLCPP__MESSAGE_INFO_HPP_
