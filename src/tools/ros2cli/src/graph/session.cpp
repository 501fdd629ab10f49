#include "graph/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <string_view>
#include <thread>

#include "tandem/plugin.hpp"
#include "tandem/tools/domain.hpp"

namespace ros2cli {
void declare_session(CLI::App & app, SessionOptions & options) {
  app.add_option("--spin-time", options.spin_time,
                 "Seconds to wait for discovery, on transports that need it; in shared memory nothing has to be waited "
                 "for")
      ->check(non_negative_number());
  app.add_flag("--no-daemon", options.no_daemon, "Accepted for compatibility: there is no daemon");
  app.add_flag("-s,--use-sim-time", options.use_sim_time, "Accepted for compatibility: the system's clock is used");
}

Session::Session(const SessionOptions & options) {
  transport::Transport & middleware = transport::load();
  is_shared_memory_ = std::string_view(middleware.name()) == "rmw_tandem_cpp";
  context_ = middleware.create_context(tandem::tools::domain_of_environment());
  if (!is_shared_memory_) {
    std::this_thread::sleep_for(std::chrono::duration<double>(options.spin_time));
  }
}

transport::NodeName Session::announce(const std::string & name) {
  const transport::NodeName node{"/", name.empty() ? fmt::format("_ros2cli_{}", getpid()) : name};
  node_ = context_->create_node(node);
  return node;
}

}  // namespace ros2cli
