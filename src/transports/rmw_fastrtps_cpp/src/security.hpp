// A participant's identity and permissions: ROS 2's files of an enclave as Fast DDS wants them.
#pragma once

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/qos/DomainParticipantQos.hpp>

#include "tandem/security.hpp"

namespace rmw_fastrtps {

/// Takes the place of what a profile says of security.
void secure(eprosima::fastdds::dds::DomainParticipantQos & qos, const tandem::transport::EnclaveFiles & files);

/// Whether it has an identity, from an enclave or from a profile.
bool is_secured(const eprosima::fastdds::dds::DomainParticipant & participant);

}  // namespace rmw_fastrtps
