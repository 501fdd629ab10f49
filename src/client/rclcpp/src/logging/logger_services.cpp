#include "logging/logger_services.hpp"

#include <string>

#include "logging/log_settings.hpp"
#include "rcl_interfaces/srv/get_logger_levels.hpp"
#include "rcl_interfaces/srv/set_logger_levels.hpp"
#include "rclcpp/create_service.hpp"

namespace rclcpp::detail {
namespace {

using rcl_interfaces::srv::GetLoggerLevels;
using rcl_interfaces::srv::SetLoggerLevels;

/// What the logger was given itself: 0 if nothing.
void get(const std::shared_ptr<GetLoggerLevels::Request> & request,
         const std::shared_ptr<GetLoggerLevels::Response> & response) {
  for (const auto & name : request->names) {
    const Logger::Level level = name.empty() ? default_log_level() : own_log_level(name.c_str());
    rcl_interfaces::msg::LoggerLevel entry;
    entry.name = name;
    entry.level = static_cast<std::uint32_t>(level);
    response->levels.push_back(std::move(entry));
  }
}

bool is_level(std::uint32_t level) {
  return level <= static_cast<std::uint32_t>(Logger::Level::Fatal) && level % 10 == 0;
}

void set(const std::shared_ptr<SetLoggerLevels::Request> & request,
         const std::shared_ptr<SetLoggerLevels::Response> & response) {
  for (const auto & entry : request->levels) {
    const std::string name = entry.name.c_str();
    rcl_interfaces::msg::SetLoggerLevelsResult result;
    result.successful = is_level(entry.level);
    if (!result.successful) {
      result.reason =
          "logger '" + name + "': " + std::to_string(entry.level) + " is no level; they are 0, 10, 20, 30, 40 and 50";
    } else if (name.empty()) {
      set_default_log_level(static_cast<Logger::Level>(entry.level));
    } else {
      get_logger(name).set_level(static_cast<Logger::Level>(entry.level));
    }
    response->results.push_back(std::move(result));
  }
}

}  // namespace

std::vector<ServiceBase::SharedPtr> make_logger_services(
    const node_interfaces::NodeServicesInterface::SharedPtr & services) {
  return {create_service<GetLoggerLevels>(services, "~/get_logger_levels", get),
          create_service<SetLoggerLevels>(services, "~/set_logger_levels", set)};
}

}  // namespace rclcpp::detail
