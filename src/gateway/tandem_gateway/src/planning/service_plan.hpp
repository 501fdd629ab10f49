// On which side a service is, computed from both graphs. A pure function.
//
// A service is offered on the other side. If both sides have servers, the one of this host is offered on the network,
// and the clients of this host call it alone: what is here need not be fetched from elsewhere. On the network all
// servers get a request, as ROS 2 has it. It could not be otherwise: of two gateways that see each other's servers, each
// would withdraw its own for the other's.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "base/direction.hpp"
#include "tandem/transport.hpp"

namespace tandem::gateway {

/// Ends of a service on one side, without the gateway's own.
struct ServiceEnds {
  std::vector<transport::EndpointInfo> requests;  ///< subscriptions to requests, of servers
  std::vector<transport::EndpointInfo> replies;   ///< publishers of replies, of servers
  std::vector<transport::EndpointInfo> clients;   ///< publishers of requests
};

struct ServiceEndpoints {
  ServiceEnds local;
  ServiceEnds network;
};

struct ServicePlan {
  Side side;                                   ///< where it is
  transport::EndpointInfo server;              ///< the request's end of one of its servers
  bool is_on_both = false;                     ///< the network has a server, too
  std::vector<transport::NodeName> callers{};  ///< nodes of the other side that may call it
};

/// Nothing when it has no server.
std::optional<ServicePlan> make_service_plan(const ServiceEndpoints & endpoints);

/// The QoS for the gateway's ends of a service: that of its server. A client and a server match with the same ones.
transport::Qos service_qos(const transport::EndpointInfo & server, std::chrono::nanoseconds max_blocking_time);

}  // namespace tandem::gateway
