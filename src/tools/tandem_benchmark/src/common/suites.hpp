// All suites. Each is in the file of its contestants.
#pragma once

#include "common/suite.hpp"

namespace bench {

Suite floor_suite(const Length & length);
Suite core_suite(const Length & length);
Suite rclcpp_suite(const Length & length);
Suite fan_out_suite(const Length & length);
Suite micro_suite(const Length & length);
Suite stream_suite(const Length & length);
Suite matching_suite(const Length & length);
Suite service_suite(const Length & length);
Suite intra_suite(const Length & length);
Suite messages_suite(const Length & length);
Suite grow_suite(const Length & length);
Suite copy_suite(const Length & length);
Suite callback_suite(const Length & length);
Suite heap_suite(const Length & length);
Suite containers_suite(const Length & length);
Suite waking_suite(const Length & length);
Suite idle_suite(const Length & length);
Suite bag_suite(const Length & length);
/// One for each transport that is built, and one for each library that is here without our adapter.
std::vector<Suite> transport_suites(const Length & length);

}  // namespace bench
