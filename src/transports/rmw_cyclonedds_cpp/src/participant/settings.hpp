// What Cyclone is told before it starts: our tuning, what ROS's variables ask for, and the user's own CYCLONEDDS_URI,
// which comes last and so wins.
#pragma once

#include <string>

#include "tandem/kit/tuning.hpp"

namespace rmw_cyclonedds {

/// What the settings depend on. Empty texts: the variable is unset.
struct Surroundings {
  tandem::transport::Tuning tuning = tandem::transport::Tuning::kTuned;
  std::string user_uri;        ///< CYCLONEDDS_URI
  std::string localhost_only;  ///< ROS_LOCALHOST_ONLY
  std::string range;           ///< ROS_AUTOMATIC_DISCOVERY_RANGE
  std::string static_peers;    ///< ROS_STATIC_PEERS, separated by semicolons
  bool has_multicast = true;   ///< an interface that can is up
};

Surroundings look_around();

/// A configuration as dds_create_domain() takes it: XML fragments, later ones win, separated by commas.
std::string settings_for(const Surroundings & here);

}  // namespace rmw_cyclonedds
