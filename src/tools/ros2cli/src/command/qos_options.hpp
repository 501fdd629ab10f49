// The options --qos-* of `echo` and `pub`.
#pragma once

#include <cstdint>
#include <string>

#include "command/commands.hpp"
#include "tandem/transport.hpp"

namespace ros2cli {

/// An empty text or zero: as the profile has it.
struct QosOptions {
  std::string profile;
  std::uint32_t depth = 0;
  std::string history;
  std::string reliability;
  std::string durability;
  std::string liveliness;
  double liveliness_lease = 0;

  /// Whether anything but the profile was asked for.
  bool has_overrides() const {
    return depth != 0 || !history.empty() || !reliability.empty() || !durability.empty() || !liveliness.empty();
  }
};

/// Declares them. `profile` is the name of the one that is used without --qos-profile.
void declare_qos(Commands & commands, CLI::App & app, QosOptions & options, const std::string & profile);

/// The profile with what overrides it.
tandem::transport::Qos to_qos(const QosOptions & options);

}  // namespace ros2cli
