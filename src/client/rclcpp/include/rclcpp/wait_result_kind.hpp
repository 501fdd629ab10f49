// How a wait ended.
#ifndef RCLCPP__WAIT_RESULT_KIND_HPP_
#define RCLCPP__WAIT_RESULT_KIND_HPP_

namespace rclcpp {

enum class WaitResultKind { Ready, Timeout, Empty, Invalid };

}  // namespace rclcpp

#endif  // RCLCPP__WAIT_RESULT_KIND_HPP_
