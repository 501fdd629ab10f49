#ifndef RCLCPP__TOPIC_STATISTICS_STATE_HPP_
#define RCLCPP__TOPIC_STATISTICS_STATE_HPP_

#include "rclcpp/subscription_options.hpp"

#endif  // RCLCPP__TOPIC_STATISTICS_STATE_HPP_
