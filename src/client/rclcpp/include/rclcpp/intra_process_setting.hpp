// Whether an endpoint counts as intra-process. Its messages take the same way either way, without a copy.
#ifndef RCLCPP__INTRA_PROCESS_SETTING_HPP_
#define RCLCPP__INTRA_PROCESS_SETTING_HPP_

namespace rclcpp {

enum class IntraProcessSetting { Enable, Disable, NodeDefault };

}  // namespace rclcpp

#endif  // RCLCPP__INTRA_PROCESS_SETTING_HPP_
