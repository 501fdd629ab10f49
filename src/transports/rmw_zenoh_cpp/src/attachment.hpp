// What stock nodes attach to a message, a request and a reply: 33 bytes, in ROS 2 before mid-2025 with the fields' names
// before them. Either is read; the first is written.
//
//   sequence   8 bytes    stamp   8 bytes    gid   its length (16), 16 bytes
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tandem/transport.hpp"
#include "tandem_zenoh.h"

namespace rmw_zenoh {

struct Attachment {
  std::int64_t sequence = 0;  ///< from 1 on
  std::int64_t stamp = 0;     ///< ns since the epoch
  tandem::transport::Gid gid{};

  std::array<std::uint8_t, 33> bytes() const;
  /// Nothing when there is none, or it is malformed.
  static std::optional<Attachment> of(const ZnMessage & message);
};

}  // namespace rmw_zenoh
