// The exceptions that rclcpp throws. what() says what happened, to which topic or name, and what to do.
#ifndef RCLCPP__EXCEPTIONS__EXCEPTIONS_HPP_
#define RCLCPP__EXCEPTIONS__EXCEPTIONS_HPP_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "rcl/error_handling.h"  // NOLINT: applications reach it through rclcpp.hpp
#include "rcl/types.h"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace exceptions {

class InvalidNodeError : public std::runtime_error {
 public:
  InvalidNodeError() : std::runtime_error("node is invalid") {}
};

/// A node, namespace, topic or service name breaks ROS's rules at `invalid_index`.
class NameValidationError : public std::invalid_argument {
 public:
  NameValidationError(const char * name_type_, const char * name_, const char * error_msg_, size_t invalid_index_)
      : std::invalid_argument(format_error(name_type_, name_, error_msg_, invalid_index_)),
        name_type(name_type_),
        name(name_),
        error_msg(error_msg_),
        invalid_index(invalid_index_) {}

  RCLCPP_PUBLIC static std::string format_error(const char * name_type, const char * name, const char * error_msg,
                                                size_t invalid_index);

  const std::string name_type;
  const std::string name;
  const std::string error_msg;
  const size_t invalid_index;
};

class InvalidNodeNameError : public NameValidationError {
 public:
  InvalidNodeNameError(const char * node_name, const char * what_is_wrong, size_t index)
      : NameValidationError("node name", node_name, what_is_wrong, index) {}
};

class InvalidNamespaceError : public NameValidationError {
 public:
  InvalidNamespaceError(const char * namespace_, const char * what_is_wrong, size_t index)
      : NameValidationError("namespace", namespace_, what_is_wrong, index) {}
};

class InvalidTopicNameError : public NameValidationError {
 public:
  InvalidTopicNameError(const char * topic_name, const char * what_is_wrong, size_t index)
      : NameValidationError("topic name", topic_name, what_is_wrong, index) {}
};

class InvalidServiceNameError : public NameValidationError {
 public:
  InvalidServiceNameError(const char * service_name, const char * what_is_wrong, size_t index)
      : NameValidationError("service name", service_name, what_is_wrong, index) {}
};

class UnimplementedError : public std::runtime_error {
 public:
  UnimplementedError() : std::runtime_error("This code is unimplemented.") {}
  explicit UnimplementedError(const std::string & msg) : std::runtime_error(msg) {}
};

/// What every error of the middleware carries.
class RCLErrorBase {
 public:
  RCLErrorBase(rcl_ret_t ret_, const std::string & message_)
      : ret(ret_), message(message_), formatted_message(message_) {}
  /// Of an error in C, whose text is that of the thread's last one.
  RCLErrorBase(rcl_ret_t ret_, const rcl_error_state_t * error_state)
      : ret(ret_),
        message(error_state->message),
        file(error_state->file),
        line(static_cast<size_t>(error_state->line_number)),
        formatted_message(rcl_get_error_string().str) {}
  virtual ~RCLErrorBase() = default;

  rcl_ret_t ret;
  std::string message;
  std::string file;  ///< of errors in C
  size_t line = 0;
  std::string formatted_message;

 protected:
  /// The message behind a prefix.
  RCLCPP_PUBLIC static std::string text(const std::string & prefix, const RCLErrorBase & base);
};

class RCLError : public RCLErrorBase, public std::runtime_error {
 public:
  RCLError(rcl_ret_t ret_, const std::string & message_) : RCLErrorBase(ret_, message_), std::runtime_error(message_) {}
  RCLError(rcl_ret_t ret_, const rcl_error_state_t * error_state, const std::string & prefix)
      : RCLError(RCLErrorBase(ret_, error_state), prefix) {}
  RCLError(const RCLErrorBase & base, const std::string & prefix)
      : RCLErrorBase(base), std::runtime_error(text(prefix, base)) {}
};

class RCLBadAlloc : public RCLErrorBase, public std::bad_alloc {
 public:
  explicit RCLBadAlloc(const std::string & message_) : RCLErrorBase(RCL_RET_BAD_ALLOC, message_) {}
  RCLBadAlloc(rcl_ret_t ret_, const rcl_error_state_t * error_state) : RCLErrorBase(ret_, error_state) {}
  explicit RCLBadAlloc(const RCLErrorBase & base) : RCLErrorBase(base) {}
  const char * what() const noexcept override { return message.c_str(); }
};

class RCLInvalidArgument : public RCLErrorBase, public std::invalid_argument {
 public:
  explicit RCLInvalidArgument(const std::string & message_)
      : RCLErrorBase(RCL_RET_INVALID_ARGUMENT, message_), std::invalid_argument(message_) {}
  RCLInvalidArgument(rcl_ret_t ret_, const rcl_error_state_t * error_state, const std::string & prefix)
      : RCLInvalidArgument(RCLErrorBase(ret_, error_state), prefix) {}
  RCLInvalidArgument(const RCLErrorBase & base, const std::string & prefix)
      : RCLErrorBase(base), std::invalid_argument(text(prefix, base)) {}
};

/// An option behind --ros-args has a bad value.
class RCLInvalidROSArgsError : public RCLErrorBase, public std::runtime_error {
 public:
  explicit RCLInvalidROSArgsError(const std::string & message_)
      : RCLErrorBase(RCL_RET_INVALID_ROS_ARGS, message_), std::runtime_error(message_) {}
  RCLInvalidROSArgsError(rcl_ret_t ret_, const rcl_error_state_t * error_state, const std::string & prefix)
      : RCLInvalidROSArgsError(RCLErrorBase(ret_, error_state), prefix) {}
  RCLInvalidROSArgsError(const RCLErrorBase & base, const std::string & prefix)
      : RCLErrorBase(base), std::runtime_error(text(prefix, base)) {}
};

/// The exception for an error in C: RCLBadAlloc, RCLInvalidArgument, RCLInvalidROSArgsError or RCLError.
/// \param prefix of its text, with ": " between, if not empty. \param error_state null: the thread's last error.
/// \param reset_error is called when the error was read; may be null. \throws std::invalid_argument for RCL_RET_OK.
RCLCPP_PUBLIC std::exception_ptr from_rcl_error(rcl_ret_t ret, const std::string & prefix = "",
                                                const rcl_error_state_t * error_state = nullptr,
                                                void (*reset_error)() = rcl_reset_error);
/// Throws it.
[[noreturn]] RCLCPP_PUBLIC void throw_from_rcl_error(rcl_ret_t ret, const std::string & prefix = "",
                                                     const rcl_error_state_t * error_state = nullptr,
                                                     void (*reset_error)() = rcl_reset_error);

/// There are arguments behind --ros-args that nobody knows.
class UnknownROSArgsError : public std::runtime_error {
 public:
  RCLCPP_PUBLIC explicit UnknownROSArgsError(std::vector<std::string> && unknown_ros_args_in);
  const std::vector<std::string> unknown_ros_args;
};

/// A number stands for no type of parameter.
class UnknownTypeError : public std::runtime_error {
 public:
  RCLCPP_PUBLIC explicit UnknownTypeError(const std::string & type);
};

/// Names of parameters, or a file of them, make no sense.
class InvalidParametersException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A parameter's value is out of range, or a callback refused it.
class InvalidParameterValueException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class InvalidParameterTypeException : public std::runtime_error {
 public:
  RCLCPP_PUBLIC InvalidParameterTypeException(const std::string & name, const std::string & message);
};

/// A parameter declared by type only got no value.
class UninitializedStaticallyTypedParameterException : public std::runtime_error {
 public:
  RCLCPP_PUBLIC explicit UninitializedStaticallyTypedParameterException(const std::string & name);
};

class ParameterAlreadyDeclaredException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ParameterNotDeclaredException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ParameterImmutableException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A callback of parameters tried to declare, set or undeclare some.
class ParameterModifiedInCallbackException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ParameterUninitializedException : public std::runtime_error {
 public:
  RCLCPP_PUBLIC explicit ParameterUninitializedException(const std::string & name);
};

/// A parameter replaces a QoS policy by one that makes no sense, or that the program refuses.
class InvalidQosOverridesException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Something was to be put into a callback group of another node.
class MissingGroupNodeException : public std::runtime_error {
 public:
  RCLCPP_PUBLIC explicit MissingGroupNodeException(const std::string & what);
};

class InvalidEventError : public std::runtime_error {
 public:
  InvalidEventError() : std::runtime_error("event is invalid") {}
};

class EventNotRegisteredError : public std::runtime_error {
 public:
  EventNotRegisteredError() : std::runtime_error("event already registered") {}
};

}  // namespace exceptions

/// A QoS event callback was asked for that this middleware does not raise.
class UnsupportedEventTypeException : public exceptions::RCLErrorBase, public std::runtime_error {
 public:
  explicit UnsupportedEventTypeException(const std::string & message_)
      : RCLErrorBase(RCL_RET_ERROR, message_), std::runtime_error(message_) {}
};

}  // namespace rclcpp

#endif  // RCLCPP__EXCEPTIONS__EXCEPTIONS_HPP_
