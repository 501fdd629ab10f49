// Sentences of exceptions.
#include "rclcpp/exceptions.hpp"

namespace rclcpp::exceptions {

std::string NameValidationError::format_error(const char * name_type, const char * name, const char * error_msg,
                                              size_t invalid_index) {
  return std::string("Invalid ") + name_type + ": " + error_msg + ":\n  '" + name + "'\n   " +
         std::string(invalid_index, ' ') + "^\n";
}

namespace {
std::string join(const std::vector<std::string> & arguments) {
  std::string text = "found unknown ROS arguments:";
  for (const auto & argument : arguments) text += " '" + argument + "'";
  return text + "; options for the program itself go before --ros-args or after --";
}
}  // namespace

UnknownROSArgsError::UnknownROSArgsError(std::vector<std::string> && unknown_ros_args_in)
    : std::runtime_error(join(unknown_ros_args_in)), unknown_ros_args(std::move(unknown_ros_args_in)) {}

}  // namespace rclcpp::exceptions
