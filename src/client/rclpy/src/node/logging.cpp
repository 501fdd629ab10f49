// Lines of the log.
#include <memory>
#include <string>

#include "base/parts.hpp"
#include "node/context.hpp"
#include "rclcpp/logger.hpp"
#include "rclcpp/logging.hpp"
#include "rcutils/logging.h"

namespace tandem_py {
namespace {

/// Files and functions of lines live as long as the process.
const char * kept(const py::str & text) {
  PyObject * interned = py::str(text).release().ptr();
  PyUnicode_InternInPlace(&interned);
  const char * const utf8 = PyUnicode_AsUTF8(interned);
  if (utf8 == nullptr) {
    PyErr_Clear();
    return "";
  }
  return utf8;
}

/// A line from (function, file, line).
void write(int severity, const std::string & name, const std::string & message, const py::args & place) {
  const auto logger = rclcpp::get_logger(name);
  if (severity < static_cast<int>(logger.get_effective_level())) return;
  if (place.size() != 3) throw py::type_error("a line has a function, a file and a number");
  const rclcpp::detail::LogLocation location{kept(place[0]), kept(place[1]), place[2].cast<int>()};
  const WithoutGil without_gil;
  rclcpp::detail::log(logger, static_cast<rclcpp::Logger::Level>(severity), location, "%s", message.c_str());
}

void set_level(const std::string & name, int level, bool detailed_error) {
  if (rcutils_logging_set_logger_level(name.c_str(), level) == RCUTILS_RET_OK) return;
  if (detailed_error) throw std::runtime_error("Failed reason: Invalid logger level.");
  throw std::runtime_error("Failed to set level for logger \"" + name + "\"");
}

int severity_of(const std::string & text) {
  static const std::pair<const char *, int> kNames[] = {{"UNSET", 0}, {"DEBUG", 10}, {"INFO", 20},
                                                        {"WARN", 30}, {"ERROR", 40}, {"FATAL", 50}};
  std::string upper = text;
  for (char & c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const auto & [name, level] : kNames) {
    if (upper == name) return level;
  }
  throw std::runtime_error("Failed to get log severity from name: '" + text + "'");
}

}  // namespace

void add_logging(py::module_ & module) {
  module.def("rclpy_logging_configure", [](const ContextHandle &) {});  // a context does it itself
  module.def("rclpy_logging_fini", [] {});
  module.def("rclpy_logging_initialize", [] { return rcutils_logging_initialize() == RCUTILS_RET_OK; });
  module.def("rclpy_logging_shutdown", [] { return rcutils_logging_shutdown() == RCUTILS_RET_OK; });
  module.def("rclpy_logging_get_separator_string", [] { return "."; });
  module.def("rclpy_logging_set_logger_level", &set_level, py::arg("name"), py::arg("level"),
             py::arg("detailed_error") = false);
  module.def("rclpy_logging_get_logger_level",
             [](const std::string & name) { return rcutils_logging_get_logger_level(name.c_str()); });
  module.def("rclpy_logging_get_logger_effective_level",
             [](const std::string & name) { return static_cast<int>(rclcpp::get_logger(name).get_effective_level()); });
  module.def("rclpy_logging_logger_is_enabled_for", [](const std::string & name, int severity) {
    return severity >= static_cast<int>(rclcpp::get_logger(name).get_effective_level());
  });
  module.def("rclpy_logging_rcutils_log", &write);
  module.def("rclpy_logging_severity_level_from_string", &severity_of);
  module.def("rclpy_logging_get_logging_directory", [] { return rclcpp::get_logging_directory().string(); });
  // "a.b" and "c": lines of "a.b.c" are on /rosout where those of "a.b" are.
  module.def("rclpy_logging_rosout_add_sublogger", [](const std::string & name, const std::string & child) {
    const auto made = rclcpp::get_logger(name).get_child(child);
    return std::string(made.get_name());
  });
  module.def("rclpy_logging_rosout_remove_sublogger", [](const std::string &, const std::string &) {});
}

}  // namespace tandem_py
