// What endpoints ask of DDS, and what it tells of them. Of services: what their channels need that topics do not.
#pragma once

#include "tandem/transport.hpp"

namespace tandem::dds {

/// What an endpoint asks DDS for. All clients of a service share the histories of its channels, so these have room for
/// all of them; and replies wait for no client.
transport::Qos wire_qos(const transport::EndpointInfo & endpoint);

/// A policy by its number in the DDS standard; kNone for one that is not of transport::Qos.
transport::QosPolicy policy_of(std::int64_t id);

}  // namespace tandem::dds
