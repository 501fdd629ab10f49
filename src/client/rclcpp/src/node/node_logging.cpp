// From lines of the log to messages on /rosout.
#include "rclcpp/node_interfaces/node_logging_interface.hpp"

#include <algorithm>

#include "context/arguments.hpp"
#include "logging/log_sink.hpp"
#include "logging/logger_services.hpp"
#include "rcl_interfaces/msg/log.hpp"
#include "rclcpp/node_options.hpp"
#include "rclcpp/publisher_hbmem.hpp"
#include "transport/transport_limits.hpp"

namespace rclcpp::node_interfaces {
namespace {

using rcl_interfaces::msg::Log;

class Rosout : public detail::LogSink {
 public:
  explicit Rosout(detail::PublisherSetup && setup) : publisher_(std::move(setup)) {}

  void write(const detail::LogLine & line) noexcept override {
    try {
      auto loan = publisher_.borrow_loaned_message();
      if (!loan.is_valid()) return;
      Log & log = loan.get();
      log.stamp.sec = static_cast<std::int32_t>(line.stamp.tv_sec);
      log.stamp.nanosec = static_cast<std::uint32_t>(line.stamp.tv_nsec);
      log.level = static_cast<std::uint8_t>(line.level);
      log.name = line.name;
      log.msg = line.message;
      log.file = line.location.file;
      log.function = line.location.function;
      log.line = static_cast<std::uint32_t>(line.location.line);
      publisher_.publish(std::move(loan));
    } catch (const std::exception &) {  // it is on the console; to say more would be a line for here
    }
  }

 private:
  PublisherHbmem<Log> publisher_;
};

/// Loggers' names have dots.
std::string logger_name(const NodeBaseInterface & base) {
  std::string name = base.get_fully_qualified_name();
  name.erase(0, 1);
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

std::shared_ptr<detail::LogSink> make_rosout(NodeTopicsInterface & topics, const NodeOptions & options) {
  const NodeBaseInterface & base = *topics.get_node_base_interface();
  bool enabled = options.enable_rosout();
  for (const auto & arguments : {base.global_arguments(), base.local_arguments()}) {
    enabled = enabled && (!arguments || arguments->rosout_logs);
  }
  if (!enabled) return nullptr;
  PublisherOptionsBase publisher_options;
  publisher_options.use_intra_process_comm = IntraProcessSetting::Disable;
  QoS qos = options.rosout_qos();
  if (detail::why_lacking(tandem::transport::Feature::kLifespan))
    qos.lifespan(Duration::from_rmw_time(RMW_DURATION_INFINITE));
  return std::make_shared<Rosout>(
      topics.open_publisher(tandem::message_type<Log>(), "/rosout", qos, publisher_options));
}

}  // namespace

NodeLoggingInterface::NodeLoggingInterface(NodeTopicsInterface & topics, const NodeOptions & options)
    : logger_(rclcpp::get_logger(logger_name(*topics.get_node_base_interface()))),
      rosout_(make_rosout(topics, options)) {
  detail::attach_log_sink(get_logger_name(), rosout_);
}

void NodeLoggingInterface::create_logger_services(NodeServicesInterface::SharedPtr node_services) {
  services_ = detail::make_logger_services(node_services);
}

NodeLoggingInterface::~NodeLoggingInterface() { detail::detach_log_sink(get_logger_name(), rosout_); }

}  // namespace rclcpp::node_interfaces
