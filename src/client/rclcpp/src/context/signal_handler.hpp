// SIGINT and SIGTERM shut down every context that wants it.
//
// The handler itself calls the one that was there before, and posts a semaphore; a thread that waits for it does the work, so that shutdown callbacks run
// as ordinary code. The thread and the semaphore live until the process ends.
#pragma once

#include "rclcpp/utilities.hpp"

namespace rclcpp::detail {

bool install_signals(SignalHandlerOptions options);
bool uninstall_signals();
bool signals_installed();
SignalHandlerOptions signal_options();

}  // namespace rclcpp::detail
