// Symbols that the library exports.
#ifndef RCLCPP_COMPONENTS__VISIBILITY_CONTROL_HPP_
#define RCLCPP_COMPONENTS__VISIBILITY_CONTROL_HPP_

#define RCLCPP_COMPONENTS_EXPORT __attribute__((visibility("default")))
#define RCLCPP_COMPONENTS_IMPORT
#define RCLCPP_COMPONENTS_PUBLIC __attribute__((visibility("default")))
#define RCLCPP_COMPONENTS_LOCAL __attribute__((visibility("hidden")))
#define RCLCPP_COMPONENTS_PUBLIC_TYPE RCLCPP_COMPONENTS_PUBLIC

#endif  // RCLCPP_COMPONENTS__VISIBILITY_CONTROL_HPP_
