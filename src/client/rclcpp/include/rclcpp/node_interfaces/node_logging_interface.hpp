// The logger of a node, and its lines on /rosout.
#ifndef RCLCPP__NODE_INTERFACES__NODE_LOGGING_INTERFACE_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_LOGGING_INTERFACE_HPP_

#include <memory>
#include <string>
#include <vector>

#include "rclcpp/logger.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

namespace detail {
class LogSink;
}

namespace node_interfaces {

/// Thread-safe. The lines of this logger and its children are published on /rosout for as long as this object lives,
/// unless NodeOptions or --disable-rosout-logs say no. Publishing never waits; a line for which there is no memory is
/// left out.
class RCLCPP_PUBLIC NodeLoggingInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeLoggingInterface)
  RCLCPP_DISABLE_COPY(NodeLoggingInterface)

  NodeLoggingInterface(NodeTopicsInterface & topics, const NodeOptions & options);
  ~NodeLoggingInterface();

  /// "namespace.node".
  Logger get_logger() const { return logger_; }
  const char * get_logger_name() const { return logger_.get_name(); }

  /// ~/get_logger_levels and ~/set_logger_levels, by which others see and set the levels of all loggers of this process. They end with
  /// this object. NodeOptions::enable_logger_service() calls it. Not thread-safe.
  void create_logger_services(NodeServicesInterface::SharedPtr node_services);

 private:
  const Logger logger_;
  const std::shared_ptr<detail::LogSink> rosout_;  // null: not published
  std::vector<ServiceBase::SharedPtr> services_;
};
using NodeLogging = NodeLoggingInterface;

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeLoggingInterface, logging)

#endif  // RCLCPP__NODE_INTERFACES__NODE_LOGGING_INTERFACE_HPP_
