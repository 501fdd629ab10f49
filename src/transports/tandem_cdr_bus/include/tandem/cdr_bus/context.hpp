// A transport's context over a bus: ROS 2's names, CDR by table, ros_discovery_info and the graph.
#pragma once

#include <memory>

#include "tandem/cdr_bus/bus.hpp"
#include "tandem/dds/names.hpp"

namespace tandem::cdr_bus {

/// `adapter` names the transport in warnings.
std::shared_ptr<transport::Context> make_context(const char * adapter, std::shared_ptr<Bus> bus);

/// The width of Gids in ros_discovery_info: TANDEM_ROS_DISTRO's, else that from Iron on. Of the process, for its life.
dds::GidWidth discovery_width();
/// The fields of rmw_dds_common/msg/ParticipantEntitiesInfo with Gids of that width. Nothing else of it is set.
const MessageType & discovery_shape();

}  // namespace tandem::cdr_bus
