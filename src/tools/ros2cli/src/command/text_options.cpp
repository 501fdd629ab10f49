#include "command/text_options.hpp"

namespace ros2cli {

void declare_text(CLI::App & app, TextOptions & options, const std::string & what) {
  app.add_flag("--csv", options.csv, "Print the values of all fields in one line, separated by commas");
  app.add_flag("-f,--full-length", options.full_length, "Print arrays and strings whole, however long");
  app.add_option("-l,--truncate-length", options.truncate_length, "Elements or characters after which they are cut off")
      ->capture_default_str();
  app.add_flag("--no-arr", options.style.no_arrays, "Do not print what arrays and sequences hold");
  app.add_flag("--no-str", options.style.no_strings, "Do not print what strings hold");
  app.add_flag("--flow-style", options.style.flow, "Print each " + what + " in one line");
}

std::string to_text(const TextOptions & options, const tandem::Value & value) {
  tandem::YamlStyle style = options.style;
  style.truncate_length = options.full_length ? tandem::kUnbounded : options.truncate_length;
  if (options.csv) {
    return tandem::to_csv(value, style) + '\n';
  }
  std::string text = tandem::to_yaml(value, style);
  text.erase(text.find_last_not_of('\n') + 1);
  return text + (text.empty() ? "---\n" : "\n---\n");
}

}  // namespace ros2cli
