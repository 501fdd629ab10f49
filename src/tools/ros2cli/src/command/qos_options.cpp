#include "command/qos_options.hpp"

#include <map>

namespace ros2cli {
namespace {

using tandem::transport::Durability;
using tandem::transport::History;
using tandem::transport::Qos;
using tandem::transport::Reliability;

using Names = std::vector<std::string>;

/// The profiles of ROS 2, as far as Tandem tells them apart.
const std::map<std::string, Qos> & profiles() {
  static const std::map<std::string, Qos> all = [] {
    const Qos usual;
    Qos sensor = usual;
    sensor.depth = 5;
    sensor.reliability = Reliability::kBestEffort;
    Qos parameters = usual;
    parameters.depth = 1000;
    Qos status = usual;
    status.depth = 1;
    status.durability = Durability::kTransientLocal;
    return std::map<std::string, Qos>{
        {"default", usual},         {"system_default", usual},        {"unknown", usual},
        {"best_available", usual},  {"services_default", usual},      {"sensor_data", sensor},
        {"parameters", parameters}, {"parameter_events", parameters}, {"action_status_default", status},
    };
  }();
  return all;
}

Names profile_names(const Names &) {
  Names names;
  for (const auto & [name, qos] : profiles()) {
    names.push_back(name);
  }
  return names;
}
Names history_names(const Names &) { return {"keep_last", "keep_all", "system_default", "unknown"}; }
Names reliability_names(const Names &) {
  return {"reliable", "best_effort", "system_default", "unknown", "best_available"};
}
Names durability_names(const Names &) {
  return {"transient_local", "volatile", "system_default", "unknown", "best_available"};
}
Names liveliness_names(const Names &) {
  return {"automatic", "manual_by_topic", "system_default", "unknown", "best_available"};
}

}  // namespace

void declare_qos(Commands & commands, CLI::App & app, QosOptions & options, const std::string & profile) {
  const auto choice = [&](const char * name, std::string & value, const char * what, Completer names) {
    CLI::Option * option = app.add_option(name, value, what)->check(CLI::IsMember(names({})));
    commands.complete(option, names);
    return option;
  };
  options.profile = profile;
  choice("--qos-profile", options.profile, "Preset quality of service", profile_names)->capture_default_str();
  app.add_option("--qos-depth", options.depth, "Messages that are kept; overrides the profile")
      ->check(positive_number());
  choice("--qos-history", options.history, "Overrides the profile", history_names);
  choice("--qos-reliability", options.reliability, "Overrides the profile", reliability_names);
  choice("--qos-durability", options.durability, "Overrides the profile", durability_names);
  choice("--qos-liveliness", options.liveliness, "Accepted for compatibility", liveliness_names);
  app.add_option("--qos-liveliness-lease-duration-seconds", options.liveliness_lease, "Accepted for compatibility");
}

tandem::transport::Qos to_qos(const QosOptions & options) {
  Qos qos = profiles().at(options.profile);
  if (options.depth != 0) {
    qos.depth = options.depth;
  }
  if (options.history == "keep_last" || options.history == "keep_all") {
    qos.history = options.history == "keep_all" ? History::kKeepAll : History::kKeepLast;
  }
  if (options.reliability == "reliable" || options.reliability == "best_effort") {
    qos.reliability = options.reliability == "reliable" ? Reliability::kReliable : Reliability::kBestEffort;
  }
  if (options.durability == "transient_local" || options.durability == "volatile") {
    qos.durability = options.durability == "volatile" ? Durability::kVolatile : Durability::kTransientLocal;
  }
  return qos;
}

}  // namespace ros2cli
