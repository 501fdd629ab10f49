#include "graph/endpoint_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/graph.hpp"

namespace ros2cli {
namespace {

const char * name_of(transport::Reliability value) {
  return value == transport::Reliability::kReliable ? "RELIABLE" : "BEST_EFFORT";
}
const char * name_of(transport::Durability value) {
  return value == transport::Durability::kTransientLocal ? "TRANSIENT_LOCAL" : "VOLATILE";
}
const char * name_of(transport::Liveliness value) {
  return value == transport::Liveliness::kManualByTopic ? "MANUAL_BY_TOPIC" : "AUTOMATIC";
}
std::string time_text(std::chrono::nanoseconds time) {
  return time == transport::kInfinite ? "Infinite" : fmt::format("{} nanoseconds", time.count());
}
/// Null: infinite.
Json time_json(std::chrono::nanoseconds time) {
  return time == transport::kInfinite ? Json() : Json(std::int64_t{time.count()});
}
bool keeps_all(const transport::Qos & qos) { return qos.history == transport::History::kKeepAll; }

}  // namespace

std::string gid_text(const transport::Gid & gid) { return fmt::format("{:02x}", fmt::join(gid, ".")); }

std::string qos_text(const transport::Qos & qos, const std::string & indent) {
  const std::string history = keeps_all(qos) ? "KEEP_ALL" : fmt::format("KEEP_LAST ({})", qos.depth);
  return fmt::format(
      "{0}Reliability: {1}\n{0}History (Depth): {2}\n{0}Durability: {3}\n{0}Lifespan: {4}\n{0}Deadline: {5}\n"
      "{0}Liveliness: {6}\n{0}Liveliness lease duration: {7}\n",
      indent, name_of(qos.reliability), history, name_of(qos.durability), time_text(qos.lifespan),
      time_text(qos.deadline), name_of(qos.liveliness), time_text(qos.lease));
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
          {"depth", keeps_all(qos) ? Json() : Json(qos.depth)},
          {"lifespan", time_json(qos.lifespan)},
          {"deadline", time_json(qos.deadline)},
          {"liveliness", name_of(qos.liveliness)},
          {"liveliness_lease", time_json(qos.lease)}};
}

std::string type_text(const std::set<std::string> & types) {
  return types.size() == 1 ? *types.begin() : fmt::format("['{}']", fmt::join(types, "', '"));
}

}  // namespace ros2cli
