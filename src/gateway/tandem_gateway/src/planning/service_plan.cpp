#include "planning/service_plan.hpp"

#include <algorithm>

#include "planning/grade.hpp"

namespace tandem::gateway {
namespace {

constexpr std::uint32_t kDefaultDepth = 10;  ///< of a service whose middleware does not tell, as ROS 2 has it

bool has_server(const ServiceEnds & ends) { return !ends.requests.empty() && !ends.replies.empty(); }

}  // namespace

std::optional<ServicePlan> make_service_plan(const ServiceEndpoints & endpoints) {
  const bool is_local = has_server(endpoints.local);
  const bool is_remote = has_server(endpoints.network);
  if (!is_local && !is_remote) {
    return std::nullopt;
  }
  const ServiceEnds & servers = is_local ? endpoints.local : endpoints.network;
  ServicePlan plan{is_local ? Side::kLocal : Side::kNetwork, servers.requests.front(), is_local && is_remote};
  for (const transport::EndpointInfo & client : (is_local ? endpoints.network : endpoints.local).clients) {
    plan.callers.push_back(client.node);
  }
  return plan;
}

transport::Qos service_qos(const transport::EndpointInfo & server, std::chrono::nanoseconds max_blocking_time) {
  transport::Qos qos = server.qos;
  qos.depth = qos.depth == 0 ? kDefaultDepth : std::min(qos.depth, kMaxDepth);
  qos.max_blocking_time = max_blocking_time;
  return qos;
}

}  // namespace tandem::gateway
