// What publisher and subscriber agree on, and the parameters of both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "delay_study/delay_study.hpp"
#include "rclcpp/rclcpp.hpp"

namespace test_sub_and_pub {

constexpr char kTopic[] = "delay_study";

struct Settings {
  std::size_t number;  // of messages
  std::size_t length;  // characters of each
};

inline rclcpp::QoS qos() { return rclcpp::QoS(rclcpp::KeepAll()).reliable().transient_local(); }

inline std::int64_t read_parameter(rclcpp::Node & node, const char * name, std::int64_t value, std::int64_t lowest,
                                   std::int64_t highest) {
  value = node.declare_parameter(name, value);
  if (value < lowest || value > highest) {
    throw std::invalid_argument(std::string("parameter ") + name + " is " + std::to_string(value) + "; it must be " +
                                std::to_string(lowest) + " to " + std::to_string(highest));
  }
  return value;
}

/// Declares the parameters and takes the node's place on the machine. \throws std::invalid_argument
inline Settings set_up(rclcpp::Node & node, int default_cpu, const char * cpuset) {
  Settings settings{};
  settings.number = static_cast<std::size_t>(read_parameter(node, "message_number", 5000, 1, 100'000'000));
  settings.length = static_cast<std::size_t>(read_parameter(node, "message_length", 50, 1, 1 << 30));
  delay_study::Place place;
  place.cpu = static_cast<int>(read_parameter(node, "cpu", default_cpu, -1, CPU_SETSIZE - 1));
  place.priority = static_cast<int>(read_parameter(node, "priority", 98, 0, 99));
  place.cpuset = cpuset;
  const std::string refused = delay_study::take_place(place);
  if (!refused.empty()) RCLCPP_WARN(node.get_logger(), "%s", refused.c_str());
  return settings;
}

}  // namespace test_sub_and_pub
