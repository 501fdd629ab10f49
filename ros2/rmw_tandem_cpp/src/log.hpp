// What Tandem says goes to ROS 2's log, under the name "rmw_tandem_cpp".
#pragma once

#include <rmw/types.h>

#include <string>

namespace tandem_rmw {

/// Of what is said from now on, only this and worse. Thread-safe.
void set_log_severity(rmw_log_severity_t severity);

/// From the first call on. Thread-safe.
void log_to_ros();
/// A line of the library's own.
void log_warning(const std::string & message);

}  // namespace tandem_rmw
