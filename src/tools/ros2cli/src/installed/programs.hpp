// Other programs that this one becomes: those of `ros2 run`, and commands that other packages bring.
#pragma once

#include <string>
#include <vector>

namespace ros2cli {

/// Commands that are programs of their own, `ros2-<command>` in lib/ros2cli of any prefix or in PATH; sorted.
std::vector<std::string> external_commands();

/// Becomes `ros2-<words[0]>` with the other words. \return only if there is no such program.
void become_external(const std::vector<std::string> & words);

/// Turns this process into another program, looked for in PATH. \throws CommandError if it cannot be started.
[[noreturn]] void become(const std::vector<std::string> & words);

/// Turns this process into a program of another package that is installed beside this one or lies in PATH.
/// \throws CommandError that names the package if there is none.
[[noreturn]] void become_beside(const std::string & program, const std::string & package);

}  // namespace ros2cli
