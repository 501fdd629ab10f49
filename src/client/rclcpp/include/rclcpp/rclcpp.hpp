// The whole API in one header.
//
//   node.hpp publisher.hpp subscription.hpp timer.hpp     what a program is made of
//   publisher_hbmem.hpp subscription_hbmem.hpp            the same for loaned messages only
//   qos.hpp                                               what endpoints ask of each other
//   executors.hpp callback_group.hpp                      what runs callbacks
//   utilities.hpp                                         init, ok, shutdown, signals
//   time.hpp duration.hpp clock.hpp rate.hpp              time
//   logging.hpp                                           RCLCPP_INFO(...) and its kin
#ifndef RCLCPP__RCLCPP_HPP_
#define RCLCPP__RCLCPP_HPP_

#include <csignal>
#include <memory>

#include "rclcpp/copy_all_parameter_values.hpp"
#include "rclcpp/create_publisher.hpp"
#include "rclcpp/create_subscription.hpp"
#include "rclcpp/create_timer.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/executors.hpp"
#include "rclcpp/expand_topic_or_service_name.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp/parameter_client.hpp"
#include "rclcpp/parameter_event_handler.hpp"
#include "rclcpp/parameter_service.hpp"
#include "rclcpp/rate.hpp"
#include "rclcpp/time.hpp"
#include "rclcpp/utilities.hpp"
#include "rclcpp/version.h"
#include "rclcpp/visibility_control.hpp"
#include "rclcpp/wait_set.hpp"
#include "rclcpp/waitable.hpp"
#include "rcutils/logging.h"

#endif  // RCLCPP__RCLCPP_HPP_
