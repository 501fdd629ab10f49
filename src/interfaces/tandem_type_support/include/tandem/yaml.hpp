// Messages as text: YAML as `ros2 topic echo` prints and `ros2 topic pub` takes, and CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "tandem/introspection.hpp"
#include "tandem/message_type.hpp"

namespace tandem {

struct YamlStyle {
  bool flow = false;                         ///< all in one line, `{data: hi}`
  bool no_arrays = false;                    ///< "<sequence type: uint8, length: 12>" in place of elements
  bool no_strings = false;                   ///< "<string length: <12>>" in place of characters
  std::size_t truncate_length = kUnbounded;  ///< characters and elements beyond are left out, "..." says so
};

/// The message as YAML, without "---", ending with a newline. Text is laid out and quoted as PyYAML does. Numbers are as
/// short as they can be to read back exactly (a float32 of 0.1 is 0.1); byte and IDL's char are strings of one character,
/// as in Python. What is no UTF-8 is shown as U+FFFD.
/// Thread-safe. Errors: std::bad_alloc.
std::string to_yaml(const MessageType & type, const void * message, const YamlStyle & style = {});

/// The same of a part of a message, as `ros2 topic echo --field` prints it.
std::string to_yaml(const Value & value, const YamlStyle & style = {});

/// The values in one line, separated by commas, without newline at the end. `style.flow` has no meaning.
std::string to_csv(const Value & value, const YamlStyle & style = {});

/// Sets the fields that the text names, as `{data: hi}` or in several lines; others, and those that are null, keep the
/// values that they have. Elements of a sequence that is named start from their defaults. byte and char may be numbers or
/// one character.
/// \param now  nanoseconds since the epoch: what `now` stands for in place of a builtin_interfaces/msg/Time, and
///   `auto` in place of a std_msgs/msg/Header; without it these are errors.
/// \return an error that names the field and what is wrong: not in the type, not of its kind, out of range, too long.
/// After an error the message is valid, its value unspecified. Thread-safe. Errors: std::bad_alloc.
tl::expected<void, std::string> from_yaml(const MessageType & type, std::string_view text, void * message,
                                          std::optional<std::int64_t> now = std::nullopt);

}  // namespace tandem
