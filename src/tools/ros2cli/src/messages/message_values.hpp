// A message given as YAML, in the command line or on standard input.
#pragma once

#include <string>
#include <vector>

#include "command/commands.hpp"
#include "messages/message_types.hpp"

namespace ros2cli {

struct ValuesOptions {
  std::string text = "{}";
  bool from_stdin = false;
};

/// Declares the argument `values`, which follows a name and a type, and --stdin. `what` is "message" or "request".
void declare_values(Commands & commands, CLI::App & app, ValuesOptions & options, const std::string & what);

/// What was given as argument or, if that is asked for, stands on standard input, which is read to its end.
std::string text_of(const ValuesOptions & options);

/// A message that is sent again and again; its stamps are renewed.
class FilledMessage {
 public:
  /// \throws CommandError if the values do not fit the type.
  FilledMessage(const tandem::MessageType & type, std::string values);

  /// 'now' and 'auto' in the values stand for the time of this call.
  const void * renewed();

  /// As Python prints it.
  std::string text();

 private:
  void fill();

  Message message_;
  const std::string values_;
  const bool has_stamps_;
};

}  // namespace ros2cli
