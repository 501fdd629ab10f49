// A participant's identity and permissions: ROS 2's files of an enclave as Cyclone wants them.
#pragma once

#include <dds/dds.h>

#include "tandem/security.hpp"

namespace rmw_cyclonedds {

/// Wins over what CYCLONEDDS_URI says of security.
void secure(dds_qos_t & qos, const tandem::transport::EnclaveFiles & files);

}  // namespace rmw_cyclonedds
