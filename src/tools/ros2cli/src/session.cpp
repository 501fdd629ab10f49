#include "session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "errors.hpp"
#include "tandem/plugin.hpp"

namespace ros2cli {
namespace {

constexpr unsigned long kMaxDomain = 232;

std::uint32_t domain() {
  const char * text = std::getenv("ROS_DOMAIN_ID");
  if (text == nullptr || *text == '\0') {
    return 0;
  }
  char * end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value > kMaxDomain) {
    throw CommandError(fmt::format("ROS_DOMAIN_ID is '{}', which is not a number from 0 to {}; correct or unset it",
                                   text, kMaxDomain));
  }
  return static_cast<std::uint32_t>(value);
}

}  // namespace

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
  context_ = middleware.create_context(domain());
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
