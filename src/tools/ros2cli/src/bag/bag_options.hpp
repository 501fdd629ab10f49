// What `ros2 bag record` and `play` have in common.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "command/commands.hpp"
#include "rclcpp/context.hpp"
#include "tandem/bag/topic_filter.hpp"

namespace ros2cli {

/// As typed: names need not be fully qualified.
struct BagSelection {
  std::vector<std::string> names;  ///< without an option; topics
  std::vector<std::string> topics;
  std::vector<std::string> services;
  std::vector<std::string> exclude_topics;
  std::vector<std::string> exclude_services;
  std::string regex;
  std::string exclude_regex;
};

/// An option that takes names, one or more.
CLI::Option * add_names(CLI::App & app, const char * name, std::vector<std::string> & value, const char * what);
/// Declares --log-level.
void declare_log_level(CLI::App & app, std::string & level);
/// Declares all of them but `names`.
void declare_selection(Commands & commands, CLI::App & app, BagSelection & typed);
/// \throws CommandError for what is no name.
void fill_selection(const BagSelection & typed, tandem::bag::Selection & selection);

/// rclcpp for recorder and player, without its signal handlers.
class BagContext {
 public:
  explicit BagContext(const std::string & log_level);
  ~BagContext();
  BagContext(const BagContext &) = delete;
  BagContext & operator=(const BagContext &) = delete;

  const std::shared_ptr<rclcpp::Context> & get() const { return context_; }

 private:
  std::shared_ptr<rclcpp::Context> context_;
};

}  // namespace ros2cli
