// Says how many messages went through a publisher or a subscription, and how many of them were copied on the way.
#pragma once

#include <cinttypes>
#include <cstdint>

#include "rclcpp/rclcpp.hpp"

namespace camera_pipeline {

/// \param endpoint  a publisher or a subscription
/// \param verb  "published", "received"
template <class Endpoint>
void print_copies(const rclcpp::Logger & logger, const Endpoint & endpoint, const char * verb, std::uint64_t messages) {
  RCLCPP_INFO(logger, "%s: %" PRIu64 " %s, %" PRIu64 " copied", endpoint.get_topic_name(), messages, verb,
              endpoint.get_copied_count());
}

}  // namespace camera_pipeline
