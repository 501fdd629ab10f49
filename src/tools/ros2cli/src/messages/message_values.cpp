#include "messages/message_values.hpp"

#include <iostream>
#include <iterator>

#include "tandem/measure/clock.hpp"
#include "tandem/yaml.hpp"
#include "terminal/errors.hpp"
#include "terminal/python_text.hpp"

namespace ros2cli {
namespace {

/// The message with its default values, as one word of the shell.
std::vector<std::string> prototype(const std::vector<std::string> & before) {
  Message message(sent_type(before.at(1)));
  tandem::YamlStyle style;
  style.flow = true;
  std::string text = tandem::to_yaml(message.type(), message.get(), style);
  text.erase(text.find_last_not_of('\n') + 1);
  return {'"' + text + '"'};
}

}  // namespace

void declare_values(Commands & commands, CLI::App & app, ValuesOptions & options, const std::string & what) {
  CLI::Option * values = app.add_option("values", options.text,
                                        "The " + what +
                                            " as YAML, such as '{data: hi}'; fields left out have their defaults. "
                                            "'now' stands for a time stamp, 'auto' for a header with one");
  commands.complete(values, prototype);
  app.add_flag("--stdin", options.from_stdin, "Read the " + what + " from standard input")->excludes(values);
}

std::string text_of(const ValuesOptions & options) {
  return options.from_stdin ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : options.text;
}

// Only a text that may mean the present has to be read again for each message.
FilledMessage::FilledMessage(const tandem::MessageType & type, std::string values)
    : message_(type),
      values_(std::move(values)),
      has_stamps_(values_.find("now") != std::string::npos || values_.find("auto") != std::string::npos) {
  fill();
}

const void * FilledMessage::renewed() {
  if (has_stamps_) {
    fill();
  }
  return message_.get();
}

std::string FilledMessage::text() { return python_text(tandem::value_of(message_.type(), message_.get())); }

void FilledMessage::fill() {
  if (const auto filled = tandem::from_yaml(message_.type(), values_, message_.get(), tandem::measure::wall_ns());
      !filled) {
    throw CommandError("Failed to populate field: " + filled.error());
  }
}

}  // namespace ros2cli
