// init, ok, shutdown.
#include "rclcpp/utilities.hpp"

#include "context/arguments.hpp"
#include "context/signal_handler.hpp"

namespace rclcpp {
namespace {

Context::SharedPtr or_default(Context::SharedPtr context) {
  return context ? std::move(context) : contexts::get_global_default_context();
}

}  // namespace

void init(int argc, char const * const * argv, const InitOptions & init_options,
          SignalHandlerOptions signal_handler_options) {
  contexts::get_global_default_context()->init(argc, argv, init_options);
  install_signal_handlers(signal_handler_options);
}

bool install_signal_handlers(SignalHandlerOptions options) { return detail::install_signals(options); }
bool signal_handlers_installed() { return detail::signals_installed(); }
SignalHandlerOptions get_current_signal_handler_options() { return detail::signal_options(); }
bool uninstall_signal_handlers() { return detail::uninstall_signals(); }

std::vector<std::string> init_and_remove_ros_arguments(int argc, char const * const * argv,
                                                       const InitOptions & init_options) {
  init(argc, argv, init_options);
  return remove_ros_arguments(argc, argv);
}

std::vector<std::string> remove_ros_arguments(int argc, char const * const * argv) {
  return detail::parse_arguments({argv, argv + argc}).plain;
}

bool ok(Context::SharedPtr context) { return or_default(std::move(context))->is_valid(); }

bool shutdown(Context::SharedPtr context, const std::string & reason) {
  const auto default_context = contexts::get_global_default_context();
  if (!context) context = default_context;
  const bool result = context->shutdown(reason);
  if (context == default_context) uninstall_signal_handlers();
  return result;
}

void on_shutdown(std::function<void()> callback, Context::SharedPtr context) {
  or_default(std::move(context))->on_shutdown(std::move(callback));
}

bool sleep_for(const std::chrono::nanoseconds & nanoseconds, Context::SharedPtr context) {
  return or_default(std::move(context))->sleep_for(nanoseconds);
}

std::vector<const char *> get_c_vector_string(const std::vector<std::string> & strings) {
  std::vector<const char *> result;
  for (const auto & string : strings) result.push_back(string.c_str());
  return result;
}

}  // namespace rclcpp
