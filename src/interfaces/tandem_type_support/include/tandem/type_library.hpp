// Finds the type objects of messages, services and actions by name, in the libraries of installed packages.
//
// A package's library is the file that the resource share/ament_index/resource_index/tandem_interfaces/<package> names,
// relative to the prefix (one a line); without one, lib/lib<package>__rosidl_typesupport_cpp.so. The prefixes are those
// of AMENT_PREFIX_PATH and, after them, the one that this library lies in.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "tandem/message_type.hpp"

namespace tandem {

/// The type of "std_msgs/msg/String", "std_srvs/srv/SetBool_Request" or the like. The object lives as long as the
/// process: libraries are loaded once and never unloaded.
/// \return an error that says what was looked for, where, and what to do. It is not remembered: a package that has
/// been installed since is found.
/// Thread-safe. The first call for a package opens its library, later ones take a lock.
tl::expected<const MessageType *, std::string> find_message_type(const std::string & name);

/// The same for "std_srvs/srv/SetBool".
tl::expected<const ServiceType *, std::string> find_service_type(const std::string & name);

/// The same for "example_interfaces/action/Fibonacci".
tl::expected<const ActionType *, std::string> find_action_type(const std::string & name);

/// The file that the type of a message, a service or an action was loaded from. Errors and threads: as above.
tl::expected<std::string, std::string> find_type_library(const std::string & name);

}  // namespace tandem
