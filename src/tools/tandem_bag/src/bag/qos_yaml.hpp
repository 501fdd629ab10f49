// QoS as rosbag2's files have it.
#pragma once

#include <yaml-cpp/yaml.h>

#include "tandem/qos.hpp"

namespace tandem::bag {

YAML::Node qos_node(const Qos & qos);

/// Whether a bag does not tell them apart.
bool are_equal(const Qos & a, const Qos & b);

/// What the node lacks, or names "unknown" or "system_default", is as `defaults` has it. \throws YAML::Exception
Qos qos_of(const YAML::Node & node, const Qos & defaults = {});

}  // namespace tandem::bag
