// Standard output: every piece is written at once, and a reader who has gone ends the command quietly.
#pragma once

#include <string_view>

namespace ros2cli {

/// Nobody reads the output any more (`| head`): the command ends with status 0.
struct BrokenPipe {};

/// To be called once, before the first print(): a closed pipe is an error of print() then and no longer a signal.
void ignore_broken_pipes();

/// Undoes it for a program that this one becomes.
void restore_broken_pipes();

/// Writes all of it, nothing is kept back. \throws BrokenPipe; CommandError for a full disk or the like.
void print(std::string_view text);

/// Whether whoever read the output has gone. Without waiting.
bool is_output_closed();

}  // namespace ros2cli
