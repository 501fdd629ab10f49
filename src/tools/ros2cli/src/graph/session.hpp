// This command's presence in the domain, and the options that every command has that looks at the graph.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "command/commands.hpp"
#include "tandem/transport.hpp"

namespace ros2cli {

namespace transport = tandem::transport;

/// Known from ROS 2. In shared memory the graph is complete at once, so these have a meaning on other transports only.
struct SessionOptions {
  double spin_time = 0.5;  ///< seconds that other transports need to discover who is there
  bool no_daemon = false;
  bool use_sim_time = false;
};

/// Declares --spin-time, --no-daemon and --use-sim-time.
void declare_session(CLI::App & app, SessionOptions & options);

/// In the domain ROS_DOMAIN_ID on the transport RMW_IMPLEMENTATION for as long as it lives.
class Session {
 public:
  /// Joins without announcing a node. \throws CommandError, transport::Error.
  explicit Session(const SessionOptions & options = {});

  transport::Context & context() const { return *context_; }
  transport::GraphSnapshot graph() const { return context_->graph(); }
  /// Whether messages lie in shared memory, where they can be counted without knowing their type.
  bool is_shared_memory() const { return is_shared_memory_; }

  /// Announces a node, by default `_ros2cli_<pid>`, which other commands hide. \return its name.
  transport::NodeName announce(const std::string & name = "");

 private:
  std::shared_ptr<transport::Context> context_;
  std::unique_ptr<transport::Node> node_;
  bool is_shared_memory_ = false;
};

}  // namespace ros2cli
