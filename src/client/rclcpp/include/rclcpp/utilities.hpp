// Starting and ending: init, ok, shutdown, signals, and ROS arguments.
#ifndef RCLCPP__UTILITIES_HPP_
#define RCLCPP__UTILITIES_HPP_

#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/init_options.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

enum class SignalHandlerOptions { All, SigInt, SigTerm, None };

/// Initialises the default context and installs the handlers that shut down every context on SIGINT and SIGTERM, but those
/// whose options say otherwise. A handler that was there before is called first. \throws as Context::init().
RCLCPP_PUBLIC void init(int argc, char const * const * argv, const InitOptions & init_options = InitOptions(),
                        SignalHandlerOptions signal_handler_options = SignalHandlerOptions::All);

/// \return false when they were installed already.
RCLCPP_PUBLIC bool install_signal_handlers(SignalHandlerOptions options = SignalHandlerOptions::All);
RCLCPP_PUBLIC bool signal_handlers_installed();
RCLCPP_PUBLIC SignalHandlerOptions get_current_signal_handler_options();
/// Restores what was there before. \return false when they were not installed.
RCLCPP_PUBLIC bool uninstall_signal_handlers();

/// init(), then remove_ros_arguments().
RCLCPP_PUBLIC std::vector<std::string> init_and_remove_ros_arguments(int argc, char const * const * argv,
                                                                     const InitOptions & init_options = InitOptions());
/// The arguments without everything from each --ros-args to its "--".
RCLCPP_PUBLIC std::vector<std::string> remove_ros_arguments(int argc, char const * const * argv);

/// Whether the context (null: the default one) is initialised and not shut down.
RCLCPP_PUBLIC bool ok(Context::SharedPtr context = nullptr);

/// \return false when the context was shut down already. Signals have their former effect again.
RCLCPP_PUBLIC bool shutdown(Context::SharedPtr context = nullptr,
                            const std::string & reason = "user called rclcpp::shutdown()");
RCLCPP_PUBLIC void on_shutdown(std::function<void()> callback, Context::SharedPtr context = nullptr);

/// \return false when shutdown ended it early, or came before.
RCLCPP_PUBLIC bool sleep_for(const std::chrono::nanoseconds & nanoseconds, Context::SharedPtr context = nullptr);

// Whether x + y or x - y leaves the range of T.
template <typename T>
bool add_will_overflow(const T x, const T y) {
  return y > 0 && x > std::numeric_limits<T>::max() - y;
}
template <typename T>
bool add_will_underflow(const T x, const T y) {
  return y < 0 && x < std::numeric_limits<T>::min() - y;
}
template <typename T>
bool sub_will_overflow(const T x, const T y) {
  return y < 0 && x > std::numeric_limits<T>::max() + y;
}
template <typename T>
bool sub_will_underflow(const T x, const T y) {
  return y > 0 && x < std::numeric_limits<T>::min() + y;
}

/// The characters of either kind of string, for printf in templates. They live as long as the string.
inline const char * get_c_string(const char * string) { return string; }
inline const char * get_c_string(const std::string & string) { return string.c_str(); }
RCLCPP_PUBLIC std::vector<const char *> get_c_vector_string(const std::vector<std::string> & strings);

}  // namespace rclcpp

#endif  // RCLCPP__UTILITIES_HPP_
