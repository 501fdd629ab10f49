// How messages lie on a transport.
#pragma once

#include <algorithm>
#include <string_view>

#include "tandem/transport.hpp"

namespace tandem::bag {

struct Taking {
  bool is_shared_memory = false;  ///< the transport is rmw_tandem_cpp: messages are read where they lie
  bool is_dds = false;  ///< messages are CDR and are passed on as they are, also of types that are not installed
};

inline Taking taking_of(const transport::Transport & transport) {
  const auto limits = transport.limits();
  const bool is_ros_wire = std::none_of(limits.begin(), limits.end(), [](const transport::Limit & limit) {
    return limit.feature == transport::Feature::kRosWire;
  });
  const bool is_shared_memory = std::string_view(transport.name()) == "rmw_tandem_cpp";
  return {is_shared_memory, is_ros_wire && !is_shared_memory};
}

}  // namespace tandem::bag
