#include "program/options.hpp"

#include <algorithm>
#include <vector>

#include "tandem/plugin.hpp"
#include "tandem/transport.hpp"

namespace tandem::gateway {
namespace {

constexpr std::uint32_t kMaxDomain = 232;

std::string installed_network() {
  const std::vector<std::string> installed = transport::available();
  for (const char * name : {"rmw_fastrtps_cpp", "rmw_cyclonedds_cpp"}) {
    if (std::find(installed.begin(), installed.end(), name) != installed.end()) {
      return name;
    }
  }
  throw transport::Error(
      "no transport for the network is built: install cyclonedds-dev or, on Debian 12, libfastrtps-dev, "
      "and build again");
}

}  // namespace

void add_options(CLI::App & app, Options & options) {
  app.option_defaults()->always_capture_default(false);
  app.add_option("--domain", options.domain, "Of this host's nodes; also from ROS_DOMAIN_ID")
      ->envname("ROS_DOMAIN_ID")
      ->check(CLI::Range(0U, kMaxDomain));
  app.add_option("--network", options.network,
                 "fastdds, cyclonedds, zenoh or the name of a transport; the first of the two DDS that is installed");
  app.add_option("--network-domain", options.network_domain, "On the network, if it is another one")
      ->check(CLI::Range(0U, kMaxDomain));
  app.add_option("--allow", options.filter.allow, "Carry topics like this only, e.g. '/camera/*'; can be repeated");
  app.add_option("--deny", options.filter.deny, "Never carry topics like this; wins over --allow; can be repeated");
  app.add_option("--metrics-file", options.metrics_file,
                 "Keep figures in this file, in Prometheus's text format, for node_exporter's textfile collector");
  app.add_option("--exit-when-alone", options.exit_when_alone,
                 "End when no node has been on this host for so many seconds")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--background", options.background,
               "Leave the terminal; be silent if a gateway runs already; then write to gateway-<domain>.log in the "
               "shared-memory folder");
  app.add_flag("--status", options.status, "Tell how the running gateway is doing");
  app.add_flag("--json", options.json, "With --status: for programs");
  app.add_flag("--prometheus", options.prometheus, "With --status: for Prometheus");
  app.set_config("--config", "", "Options from an INI or TOML file: allow = [\"/camera/*\"]");
  app.allow_config_extras(CLI::config_extras_mode::error);  // a misspelt 'deny' must not carry what it names
}

std::string network_transport(const std::string & network) {
  if (network.empty()) {
    return installed_network();
  }
  const std::string name = network == "fastdds"      ? "rmw_fastrtps_cpp"
                           : network == "cyclonedds" ? "rmw_cyclonedds_cpp"
                           : network == "zenoh"      ? "rmw_zenoh_cpp"
                                                     : network;
  if (name == "rmw_tandem_cpp") {
    throw transport::Error("--network " + network + " does not leave this host; use fastdds, cyclonedds or zenoh");
  }
  return name;
}

}  // namespace tandem::gateway
