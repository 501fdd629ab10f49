// What was carried.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem::gateway {

/// Messages carried in one direction of a topic, or on one channel of a service.
struct Counts {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;   ///< of their CDR
  std::uint64_t lost = 0;    ///< overwritten before they were taken, or dropped by the gateway
  std::uint64_t copied = 0;  ///< by a publisher of this host, instead of being handed over

  void add(bool is_published, std::size_t size) {
    messages += is_published ? 1 : 0;
    bytes += is_published ? size : 0;
    lost += is_published ? 0 : 1;
  }
};

}  // namespace tandem::gateway
