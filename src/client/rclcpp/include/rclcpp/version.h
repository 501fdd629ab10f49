// The version of the rclcpp API that this library follows.
#ifndef RCLCPP__VERSION_H_
#define RCLCPP__VERSION_H_

#define RCLCPP_VERSION_MAJOR (16)
#define RCLCPP_VERSION_MINOR (0)
#define RCLCPP_VERSION_PATCH (0)
#define RCLCPP_VERSION_STR "16.0.0"
#define RCLCPP_VERSION_GTE(major, minor, patch) \
  ((RCLCPP_VERSION_MAJOR > (major)) ||          \
   (RCLCPP_VERSION_MAJOR == (major) &&          \
    (RCLCPP_VERSION_MINOR > (minor) || (RCLCPP_VERSION_MINOR == (minor) && RCLCPP_VERSION_PATCH >= (patch)))))

#endif  // RCLCPP__VERSION_H_
