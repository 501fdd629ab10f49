// Errors that a person can do something about, as opposed to bugs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tandem/tools/error.hpp"

namespace ros2cli {

/// Printed as one message; the command then ends with status 1.
using CommandError = tandem::tools::Error;

/// Says that `name` is no `kind`, with the closest of the existing names, or all of them.
CommandError unknown(std::string_view kind, std::string_view name, std::vector<std::string> existing);

/// At most three of the names that somebody who typed `name` may have meant, the likeliest first.
std::vector<std::string> closest(std::string_view name, const std::vector<std::string> & existing);

/// "a, b, c", cut off with "and 12 more" where there are many.
std::string listing(const std::vector<std::string> & names);

}  // namespace ros2cli
