// Cyclone's presence in one domain: sockets, threads and settings, shared by all contexts of the process.
#pragma once

#include <cstdint>
#include <memory>

#include "tandem/transport.hpp"

namespace rmw_cyclonedds {

namespace transport = tandem::transport;

class Domain {
 public:
  /// \throws Error when Cyclone does not start: settings, network, ports, domain out of range.
  static std::shared_ptr<const Domain> join(std::uint32_t number);
  ~Domain();
  Domain(const Domain &) = delete;
  Domain & operator=(const Domain &) = delete;

  std::uint32_t number() const { return number_; }
  /// Whether messages of new endpoints may travel through iceoryx.
  bool shares_memory() const;

 private:
  explicit Domain(std::uint32_t number);

  const std::uint32_t number_;
  bool shares_memory_ = false;
  std::int32_t entity_ = 0;
};

}  // namespace rmw_cyclonedds
