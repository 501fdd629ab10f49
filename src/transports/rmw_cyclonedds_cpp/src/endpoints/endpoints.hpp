// What writers and readers have in common.
#pragma once

#include <string>

#include "participant/participant.hpp"

namespace rmw_cyclonedds {

Topic topic_of(const Participant & participant, const transport::EndpointInfo & info);
std::string user_data_of(const Participant & participant, const transport::EndpointInfo & info);

}  // namespace rmw_cyclonedds
