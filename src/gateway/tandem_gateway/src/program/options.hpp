// The command line of tandem-gateway.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "tandem/gateway/topic_filter.hpp"

namespace tandem::gateway {

struct Options {
  std::uint32_t domain = 0;
  std::optional<std::uint32_t> network_domain;  ///< unset: the same as `domain`
  std::string network;                          ///< as given; network_transport() makes a transport's name of it
  TopicFilter filter;
  std::string metrics_file;
  double exit_when_alone = 0;  ///< seconds; 0: never
  bool background = false;
  bool status = false;
  bool json = false;
  bool prometheus = false;
};

/// `options` has to live as long as `app`, which writes into it.
void add_options(CLI::App & app, Options & options);

/// The transport that --network names; the first one installed of Fast DDS and Cyclone DDS if it is empty.
/// \throws transport::Error when it does not leave this host, or none is installed.
std::string network_transport(const std::string & network);

}  // namespace tandem::gateway
