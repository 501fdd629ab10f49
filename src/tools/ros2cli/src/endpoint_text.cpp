#include "endpoint_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph.hpp"

namespace ros2cli {
namespace {

const char * name_of(transport::Reliability value) {
  return value == transport::Reliability::kReliable ? "RELIABLE" : "BEST_EFFORT";
}
const char * name_of(transport::Durability value) {
  return value == transport::Durability::kTransientLocal ? "TRANSIENT_LOCAL" : "VOLATILE";
}
bool keeps_all(const transport::Qos & qos) { return qos.history == transport::History::kKeepAll; }

}  // namespace

std::string gid_text(const transport::Gid & gid) { return fmt::format("{:02x}", fmt::join(gid, ".")); }

std::string qos_text(const transport::Qos & qos, const std::string & indent) {
  const std::string history = keeps_all(qos) ? "KEEP_ALL" : fmt::format("KEEP_LAST ({})", qos.depth);
  return fmt::format(
      "{0}Reliability: {1}\n{0}History (Depth): {2}\n{0}Durability: {3}\n{0}Lifespan: Infinite\n{0}Deadline: Infinite\n"
      "{0}Liveliness: AUTOMATIC\n{0}Liveliness lease duration: Infinite\n",
      indent, name_of(qos.reliability), history, name_of(qos.durability));
}

Json endpoint_json(const transport::EndpointInfo & endpoint) {
  const transport::Qos & qos = endpoint.qos;
  return {{"node", full_name(endpoint.node)},
          {"type", endpoint.type_name},
          {"type_hash", endpoint.type_hash},
          {"gid", gid_text(endpoint.gid)},
          {"reliability", name_of(qos.reliability)},
          {"durability", name_of(qos.durability)},
          {"history", keeps_all(qos) ? "KEEP_ALL" : "KEEP_LAST"},
          {"depth", keeps_all(qos) ? Json() : Json(qos.depth)}};
}

std::string type_text(const std::set<std::string> & types) {
  return types.size() == 1 ? *types.begin() : fmt::format("['{}']", fmt::join(types, "', '"));
}

}  // namespace ros2cli
