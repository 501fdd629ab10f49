// Sentences of exceptions.
#include "rclcpp/exceptions.hpp"

namespace rclcpp::exceptions {

std::string NameValidationError::format_error(const char * name_type, const char * name, const char * error_msg,
                                              size_t invalid_index) {
  return std::string("Invalid ") + name_type + ": " + error_msg + ":\n  '" + name + "'\n   " +
         std::string(invalid_index, ' ') + "^\n";
}

InvalidParameterTypeException::InvalidParameterTypeException(const std::string & name, const std::string & message)
    : std::runtime_error("parameter '" + name + "' has invalid type: " + message) {}

UninitializedStaticallyTypedParameterException::UninitializedStaticallyTypedParameterException(const std::string & name)
    : std::runtime_error("Statically typed parameter '" + name + "' must be initialized.") {}

ParameterUninitializedException::ParameterUninitializedException(const std::string & name)
    : std::runtime_error("parameter '" + name + "' is not initialized") {}

MissingGroupNodeException::MissingGroupNodeException(const std::string & what)
    : std::runtime_error("cannot add a " + what + ": its callback group is not of this node") {}

UnknownTypeError::UnknownTypeError(const std::string & type) : std::runtime_error("Unknown type: " + type) {}

std::string RCLErrorBase::text(const std::string & prefix, const RCLErrorBase & base) {
  return prefix + base.formatted_message;
}

namespace {
std::string join(const std::vector<std::string> & arguments) {
  std::string text = "found unknown ROS arguments:";
  for (const auto & argument : arguments) text += " '" + argument + "'";
  return text + "; options for the program itself go before --ros-args or after --";
}
}  // namespace

std::exception_ptr from_rcl_error(rcl_ret_t ret, const std::string & prefix_in, const rcl_error_state_t * error_state,
                                  void (*reset_error)()) {
  if (ret == RCL_RET_OK) throw std::invalid_argument("ret is RCL_RET_OK");
  if (!error_state) error_state = rcl_get_error_state();
  if (!error_state) throw std::runtime_error("rcl error state is not set");
  const RCLErrorBase base(ret, error_state);
  if (reset_error) reset_error();
  const std::string prefix = prefix_in.empty() ? prefix_in : prefix_in + ": ";
  if (ret == RCL_RET_BAD_ALLOC) return std::make_exception_ptr(RCLBadAlloc(base));
  if (ret == RCL_RET_INVALID_ARGUMENT) return std::make_exception_ptr(RCLInvalidArgument(base, prefix));
  if (ret == RCL_RET_INVALID_ROS_ARGS) return std::make_exception_ptr(RCLInvalidROSArgsError(base, prefix));
  return std::make_exception_ptr(RCLError(base, prefix));
}

void throw_from_rcl_error(rcl_ret_t ret, const std::string & prefix, const rcl_error_state_t * error_state,
                          void (*reset_error)()) {
  std::rethrow_exception(from_rcl_error(ret, prefix, error_state, reset_error));
}

UnknownROSArgsError::UnknownROSArgsError(std::vector<std::string> && unknown_ros_args_in)
    : std::runtime_error(join(unknown_ros_args_in)), unknown_ros_args(std::move(unknown_ros_args_in)) {}

}  // namespace rclcpp::exceptions
