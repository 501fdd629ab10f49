// Cyclone's presence in one domain: sockets, threads and settings, shared by all contexts of the process.
#pragma once

#include <cstdint>

namespace rmw_cyclonedds {

/// Joined for as long as one of these lives. From the first one on Cyclone's warnings and errors go to stderr in our form, no
/// text twice.
class Domain {
 public:
  /// \throws Error when Cyclone does not start: settings, network, ports, domain out of range.
  explicit Domain(std::uint32_t number);
  ~Domain();
  Domain(const Domain &) = delete;
  Domain & operator=(const Domain &) = delete;

 private:
  const std::uint32_t number_;
};

}  // namespace rmw_cyclonedds
