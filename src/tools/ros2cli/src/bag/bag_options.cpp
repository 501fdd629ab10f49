#include "bag/bag_options.hpp"

#include "graph/graph.hpp"
#include "rclcpp/logger.hpp"

namespace ros2cli {
namespace {

template <class Qualify>
std::vector<std::string> qualified(const std::vector<std::string> & names, Qualify qualify) {
  std::vector<std::string> all;
  for (const std::string & name : names) {
    all.push_back(qualify(name));
  }
  return all;
}

rclcpp::Logger::Level level_of(const std::string & name) {
  using Level = rclcpp::Logger::Level;
  return name == "debug"   ? Level::Debug
         : name == "warn"  ? Level::Warn
         : name == "error" ? Level::Error
         : name == "fatal" ? Level::Fatal
                           : Level::Info;
}

}  // namespace

CLI::Option * add_names(CLI::App & app, const char * name, std::vector<std::string> & value, const char * what) {
  return app.add_option(name, value, what)->expected(1, -1)->type_name("NAME");
}

void declare_log_level(CLI::App & app, std::string & level) {
  app.add_option("--log-level", level)->check(CLI::IsMember({"debug", "info", "warn", "error", "fatal"}));
}

void declare_selection(Commands & commands, CLI::App & app, BagSelection & typed) {
  commands.complete(add_names(app, "--topics", typed.topics, "These topics"), topic_names);
  commands.complete(add_names(app, "--services", typed.services, "These services"), service_names);
  app.add_option("-e,--regex", typed.regex, "Topics and services in whose names this is found");
  app.add_option("-x,--exclude-regex", typed.exclude_regex, "But not those in whose names this is found");
  commands.complete(add_names(app, "--exclude-topics", typed.exclude_topics, "But not these topics"), topic_names);
  commands.complete(add_names(app, "--exclude-services", typed.exclude_services, "But not these services"),
                    service_names);
}

void fill_selection(const BagSelection & typed, tandem::bag::Selection & selection) {
  selection.topics = qualified(typed.topics, topic_name);
  for (const std::string & name : typed.names) {
    selection.topics.push_back(topic_name(name));
  }
  selection.services = qualified(typed.services, service_name);
  selection.exclude_topics = qualified(typed.exclude_topics, topic_name);
  selection.exclude_services = qualified(typed.exclude_services, service_name);
  selection.regex = typed.regex;
  selection.exclude_regex = typed.exclude_regex;
}

BagContext::BagContext(const std::string & log_level) : context_(std::make_shared<rclcpp::Context>()) {
  context_->init(0, nullptr);
  rclcpp::get_logger("").set_level(level_of(log_level));
}

BagContext::~BagContext() { context_->shutdown("the command ends"); }

}  // namespace ros2cli
