// The names that `--communication` knows.
#pragma once

#include <array>
#include <string_view>

namespace performance_test {

struct Plugin {
  std::string_view name;
  std::string_view transport;  ///< used without rclcpp; empty: rclcpp over RMW_IMPLEMENTATION
};

inline constexpr Plugin kPlugins[] = {
    {"rclcpp-single-threaded-executor", ""},
    {"rclcpp-waitset", ""},
    {"tandem", "rmw_tandem_cpp"},
    {"FastRTPS", "rmw_fastrtps_cpp"},
    {"CycloneDDS", "rmw_cyclonedds_cpp"},
    {"ConnextDDS", "rmw_connextdds"},
    {"OpenSplice", "rmw_opensplice_cpp"},
    {"ZeroMQ", "rmw_zeromq_cpp"},
    {"iceoryx", "rmw_iceoryx_cpp"},
    {"iceoryx2", "rmw_iceoryx2_cpp"},
    {"Zenoh", "rmw_zenoh_cpp"},
};

/// Those of other builds of perf_test, and what to take instead.
struct ForeignPlugin {
  std::string_view name;
  std::string_view instead;
};
inline constexpr ForeignPlugin kForeignPlugins[] = {
    {"ConnextDDSMicro", "ConnextDDS"}, {"CycloneDDS-CXX", "CycloneDDS"}, {"OpenDDS", "FastRTPS or CycloneDDS"}};

template <class List>
constexpr auto find_plugin(const List & list, std::string_view name) -> decltype(&list[0]) {
  for (const auto & plugin : list) {
    if (plugin.name == name) return &plugin;
  }
  return nullptr;
}

}  // namespace performance_test
